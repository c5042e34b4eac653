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

function ones(n,    count) {
	for (; n; n = int(n / 2))
		count += n % 2
	return count + 0
}

function both(a, b) {
	return a + b - either(a, b)
}

function counters(n, width, version, fixed) {
	return sprintf("version=%s counters=%d fixed=%x width=%d", version, n, fixed, width)
}

# Counters that are driven: those of leaf 23H subleaf 1 where CPUID 7.1 EAX[8] and 23H.0 EAX[1] say that it is there, and
# it shows no fewer than leaf 0AH; above general counter 7 only where names of version 6 reach.  What
# fixed counters from 3 on count the lists of each core say: 3 slots; 5 and 6, E-cores from Skymont on, slots
# that are lost or used.  Fixed 4 may count nothing.
function driven(kind, version,    n, fixed, told, known) {
	n = bits(reg("a", 1), 15, 8)
	fixed = fixed_counters(version)
	known = kind ~ /^(skymont|darkmont)$/ ? 111 : 15
	told = bit(reg("7.1", 1), 8) && bit(reg("23", 1), 1) && reg("23.1", 1) >= 2 ^ n - 1
	if (told) {
		n = ones(both(reg("23.1", 1), version >= 6 ? 65535 : 255))
		fixed = reg("23.1", 2)
	} else if (n > 8)
		n = 8
	return n + ones(both(fixed, known))
}

function expect_intel(kind,    eax, version) {
	eax = reg("a", 1)
	version = bits(eax, 7, 0)
	if (version)
		return counters(bits(eax, 15, 8), bits(eax, 23, 16), version, fixed_counters(version)) \
			" driven=" driven(kind, version)
	return kind ~ /^(p6|pentiumpro)$/ ? counters(2, 40, 0, 0) " driven=2" : ""
}

# 8000_0001H ECX[23], 8000_0022H.
function expect_amd(    extended) {
	extended = bit(reg("80000001", 3), 23)
	if (extended && bit(reg("80000022", 1), 0))
		return counters(bits(reg("80000022", 2), 3, 0), 48, 2, 0)
	return counters(extended ? 6 : 4, 48, 0, 0)
}

# AMD of family 10h and from 15h on, 8000_0001H ECX[10]: 8000_001BH EAX[0], then fetches and ops by themselves; of
# family 10h both where that leaf tells nothing: Linux, IBS_CAPS_DEFAULT.
function samplers(name,    ibs, fetches, ops) {
	ibs = reg("8000001b", 1)
	if (family == 16 && !bit(ibs, 0))
		ibs = 7
	if (name != "amd" || (family != 16 && family < 21) || !bit(reg("80000001", 3), 10) || !bit(ibs, 0))
		return ""
	fetches = bit(ibs, 1) ? "ibs_fetch" : ""
	ops = bit(ibs, 2) ? "ibs_op" : ""
	return " samplers=" fetches (fetches && ops ? "," : "") ops
}

# Linux, zhaoxin_pmu_init(): version 2, and a list of six events at least.  Fixed counters 0 and 1 are driven.
function expect_zhaoxin(    eax) {
	eax = reg("a", 1)
	if (bits(eax, 7, 0) != 2 || bits(eax, 31, 24) < 6)
		return ""
	return counters(bits(eax, 15, 8), bits(eax, 23, 16), 2, 2 ^ bits(reg("a", 4), 4, 0) - 1) \
		" driven=" bits(eax, 15, 8) + 2
}

# CPUID 1 EDX[5]: there are model-specific registers.
function expect_driver(name, kind) {
	if (name == "none" || !bit(reg("1", 4), 5))
		return ""
	if (name == "zhaoxin")
		return expect_zhaoxin()
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
		(pmu ? "driver=" driver[row] " " pmu " threads=" threads() " part=" kind samplers(driver[row]) : "driver=none")
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
