# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# LIKWID, by /dev/cpu/0/msr and, on the Xeon E5, by the memory controllers' registers in configuration space.
# shellcheck disable=SC1091 # of the guest
. /common.sh
# It looks for the controllers with hwloc first, and dies where that hangs buses on the machine and not on a package, as
# there is but one.  Without hwloc's view of the buses it reads /proc/bus/pci.
export HWLOC_COMPONENTS=-linuxio

# count WORK EVENT=EACH...: does the client see so many of each?
count()
{
	work=$1 events='' each=''
	shift
	for pair in "$@"; do
		events=$events${events:+,}${pair%=*} each="$each ${pair#*=}"
	done
	# shellcheck disable=SC2086 # words
	likwid-perfctr -M 0 -C 0 -m -g "$events" likwid "$work" $each >/tmp/said 2>&1
	expect "$work ends" $? 0
	expect "$work events" "$(grep -c '^peer' /tmp/said)" $#
	grep '^peer' /tmp/said || tail -n 20 /tmp/said
}

# client_part: on those it goes on only where the memory controller's registers are said to be somewhere.  It never reads
# there for what is counted here.
client_part()
{
	printf '\001\000\321\376' | dd of=/proc/bus/pci/00/00.0 bs=1 seek=72 conv=notrunc 2>/dev/null
	count turns INSTR_RETIRED_ANY:FIXC0=40000 BR_INST_RETIRED_ALL_BRANCHES:PMC0=10000
}

case $(likwid-perfctr -i 2>/dev/null | sed -n 's/^CPU short:[[:space:]]*//p') in
skylake) client_part ;;
sandybridgeEP | haswellEP)
	count turns INSTR_RETIRED_ANY:FIXC0=40000 BR_INST_RETIRED_ALL_BRANCHES:PMC0=10000
	count lines CAS_COUNT_RD:MBOX0C0=256 CAS_COUNT_RD:MBOX1C0=256 CAS_COUNT_RD:MBOX2C0=256 CAS_COUNT_RD:MBOX3C0=256
	;;
nehalem)
	count turns INSTR_RETIRED_ANY:FIXC0=40000 BR_INST_RETIRED_ALL_BRANCHES:PMC0=10000
	count lines UNC_QMC_NORMAL_READS_ANY:UPMC0=1024 UNC_L3_MISS_READ:UPMC1=1024
	;;
zen*) count turns RETIRED_INSTRUCTIONS:PMC0=40000 RETIRED_BRANCH_INSTR:PMC1=10000 ;;
*) likwid-perfctr -i ;;
esac
echo "peer done"
