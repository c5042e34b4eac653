# SPDX-License-Identifier: BSD-2-Clause
# How many instructions QEMU has executed in each function of a silicon model, and elsewhere: "INSTRUCTIONS FUNCTION", the
# most first by sort.  Input: nm -n -t d of the model, then what the plugin executed.so has written.
#
# The firmware has put the model where it had room: where most blocks begin that would begin a function there.  Small
# functions do not tell, as there are so many of them that any block might begin one.

BEGIN { n = most = 0; small = 128 }
FNR == 1 { files++ }

files == 1 && $2 ~ /^[tT]$/ {
	name[n] = $3
	start[n++] = $1 + 0
	before = start[n - 2]
	if (n > 1 && $1 - before >= small)
		list[before % 4096] = list[before % 4096] " " before
}

files == 2 {
	executed[$1 + 0] += $2 * $3
	if (executed[$1 + 0] != $2 * $3)
		next
	k = split(list[$1 % 4096], like, " ")
	while (k)
		votes[$1 - like[k--]]++
}

# The last function that begins at or before the address.
function function_at(address,    low, high, middle) {
	low = 0
	high = n
	while (high - low > 1) {
		middle = int((low + high) / 2)
		if (start[middle] <= address)
			low = middle
		else
			high = middle
	}
	return low
}

END {
	for (b in votes)
		if (votes[b] > most) {
			most = votes[b]
			base = b
		}
	for (address in executed) {
		offset = address - base
		where = offset < start[0] || offset > start[n - 1] + 4096 ? "elsewhere" : name[function_at(offset)]
		sum[where] += executed[address]
	}
	for (where in sum)
		printf "%.0f %s\n", sum[where], where
}
