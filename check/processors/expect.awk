# SPDX-License-Identifier: BSD-2-Clause
# Adds to each recorded processor what must come out: from its own leaves as the manuals define them,
# and from parts.txt; never from what the program says.
#
#     awk -f parts.awk -f expect.awk parts.txt ROWS
#
# A row is `NAME FACT... > EXPECTED...`, of which what follows > is made anew; README.md tells of both.

function bits(n, hi, lo) { return int(n / 2 ^ lo) % 2 ^ (hi - lo + 1) }
function bit(n, i) { return bits(n, i, i) }

# Register r (1 EAX to 4 EDX) of a leaf; 0 where it is not recorded.
function reg(leaf, r,    value) {
	split(fact[leaf], value, ":")
	return number(value[r])
}

function text_of(n,    i, text) {
	for (i = 0; i < 4; i++)
		text = text sprintf("%c", bits(n, 8 * i + 7, 8 * i))
	return text
}

function vendor_name(    name) {
	name = text_of(reg("0", 2)) text_of(reg("0", 4)) text_of(reg("0", 3))
	gsub(/ /, "", name)
	return name
}

# CPUID 1 EAX: SDM vol. 2; APM vol. 3, E.3.2; Linux x86_family(), x86_model() for the other makers.
function identify(    signature) {
	signature = reg("1", 1)
	family = bits(signature, 11, 8)
	model = bits(signature, 7, 4)
	if (family >= 6)
		model += 16 * bits(signature, 19, 16)
	if (family == 15)
		family += bits(signature, 27, 20)
}

# CPUID 7 EDX[15]: a hybrid part; only then 1AH tells of the core.
function core_kind(    type) {
	type = bits(reg("1a", 1), 31, 24)
	return !bit(reg("7", 4), 15) ? "-" : type == 64 ? "P-core" : type == 32 ? "E-core" : "-"
}

function part_of_core(row, core,    kinds, count) {
	count = split(part[row], kinds, "/")
	if (core != "E-core" || count == 1)
		return kinds[1]
	return count == 3 && bits(reg("1a", 1), 23, 0) == 2 ? kinds[3] : kinds[2]
}

# Threads of a core.  Leaf 1FH, else 0BH: EBX of the level of type 1 (SMT) is as the firmware set it up; from
# family 17h on 8000_001EH EBX[15:8] is the same less one; before all these leaf 1 has the logical
# processors of the package and leaf 4 its cores.  0: what would tell is not recorded.
function threads(    leaf, n) {
	leaf = bits(reg("1f", 3), 15, 8) ? "1f" : "b"
	if (bits(reg(leaf, 3), 15, 8) == 1 && reg(leaf, 2))
		return reg(leaf, 2)
	if (bit(reg("80000001", 3), 22) && family >= 23)
		return bits(reg("8000001e", 2), 15, 8) + 1
	if (!bit(reg("1", 4), 28) || bit(reg("80000001", 3), 1))
		return 1
	if (reg("0", 1) >= 4 && !("4" in fact))
		return 0
	n = int(bits(reg("1", 2), 23, 16) / (bits(reg("4", 1), 31, 26) + 1))
	return n > 1 ? n : 1
}

function either(a, b,    i, n) {
	for (i = 0; i < 32; i++)
		n += (bit(a, i) || bit(b, i)) * 2 ^ i
	return n
}

# Leaf 0AH.  Linux: the first Core 2 shows fewer fixed counters than the three that it has.
function fixed_counters(version,    n) {
	n = bits(reg("a", 4), 4, 0)
	if (version < 2)
		return 0
	if (version >= 5)
		return either(reg("a", 3), 2 ^ n - 1)
	return 2 ^ (n < 3 && !bit(reg("1", 3), 31) ? 3 : n) - 1
}

function counters(n, width, version, fixed) {
	return sprintf("version=%s counters=%d fixed=%x width=%d", version, n, fixed, width)
}

function expect_intel(kind,    eax, version) {
	eax = reg("a", 1)
	version = bits(eax, 7, 0)
	if (version)
		return counters(bits(eax, 15, 8), bits(eax, 23, 16), version, fixed_counters(version))
	return kind ~ /^(p6|pentiumpro)$/ ? counters(2, 40, 0, 0) : ""
}

# 8000_0001H ECX[23], 8000_0022H.
function expect_amd(    extended) {
	extended = bit(reg("80000001", 3), 23)
	if (extended && bit(reg("80000022", 1), 0))
		return counters(bits(reg("80000022", 2), 3, 0), 48, 2, 0)
	return counters(extended ? 6 : 4, 48, 0, 0)
}

# CPUID 1 EDX[5]: there are model-specific registers.
function expect_driver(name, kind) {
	if (name == "none" || !bit(reg("1", 4), 5))
		return ""
	return name == "intel" ? expect_intel(kind) : name == "amd" ? expect_amd() : counters(18, 40, 0, 0)
}

function expected(    maker, row, core, kind, pmu) {
	identify()
	core = core_kind()
	maker = vendor_name()
	row = find_part(maker, family, model)
	kind = part_of_core(row, core)
	pmu = expect_driver(driver[row], kind)
	return sprintf("vendor=%s family=%x model=%x core=%s ", maker, family, model, core) \
		(pmu ? "driver=" driver[row] " " pmu " threads=" threads() " part=" kind : "driver=none")
}

{
	split("", fact)
	row = $1
	for (i = 2; i <= NF && $i != ">"; i++) {
		split($i, f, "=")
		fact[f[1]] = f[2]
		row = row " " $i
	}
	print row " > " expected()
}
