# SPDX-License-Identifier: BSD-2-Clause
# Prints a file with other lines between the lines begin and end.
#
#     awk -v begin=LINE -v end=LINE -v lines=FILE -f between.awk FILE
$0 == end {
	while (skip && (getline line <lines) > 0)
		print line
	skip = 0
}

!skip

$0 == begin {
	skip = 1
}
