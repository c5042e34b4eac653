#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lspci gives the memory channels of Ivy Bridge-EP the other controller's number, and calls Skylake's M2M a memory controller.
#
# A good guess: a function with counters is found by its name, lspci | grep "Memory Controller 0", or among class 1101H,
# "Performance counters"; what one controller or one kind of box has, has one name.
# Seen on Ivy Bridge-EP: the names of the channels of device 16, of controller 0, have controller 1, and those of device 30,
# of controller 1, have controller 0, while the address decoders beside them, of devices 15 and 29, are numbered rightly.  So the
# counters of one controller are read for those of the other.
# On Skylake-SP two of the six channels are "Integrated Memory Controller", as both boxes of M2M are, which is between mesh and
# memory; the other four are "LMS Channel".  M2PCIe, where PCIe meets the mesh, has its counters in "DDRIO Registers", and what is
# "M2PCI Registers" has none.  The class finds M2PCIe and links, but no channel and no M2M: they are "System peripheral".
# What they are: Intel 329468 and 336274, chapter 2; Linux, arch/x86/events/intel/uncore_snbep.c, the same.  Classes are as
# lspci -nn shows them on machines, for instance github.com/cyring/CoreFreq, issues 142 and 313.
# Versions: pciutils and libpci3 1:3.9.0-4, pci.ids 0.0~2023.04.11-1.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages pciutils=1:3.9.0-4 libpci3=1:3.9.0-4 pci.ids=0.0~2023.04.11-1

# dump CLASS [SLOT ID]...: functions of Intel's, as lspci -x prints them.
dump()
{
	class=$1
	shift
	while [ $# -gt 0 ]; do
		printf '%s x\n00: 86 80 %s %s 00 00 00 00 04 00 %s %s 00 00 00 00\n' "$1" "${2#??}" "${2%??}" "${class#??}" "${class%??}"
		printf '%s0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n' 1 2 3
		echo
		shift 2
	done
}

# shown [OPTION...]: of the functions of that dump.
shown()
{
	tool usr/bin/lspci -i "$root/usr/share/misc/pci.ids" -F functions "$@"
}

# name SLOT: without its class and its maker.
name()
{
	shown -s "$1" | sed 's/.*Corporation \(Xeon.*Core i7 \)\{0,1\}//; s/ (rev.*//'
}

# slots: of what is read here, on a line.
slots()
{
	awk '{ all = all " " $1 } END { print substr(all, 2) }'
}

dump 0880 ff:0f.2 0eaa ff:10.4 0eb4 ff:1d.2 0e6a ff:1e.4 0ef4 >functions
controller='Integrated Memory Controller'
expect 'Ivy Bridge-EP, decoder of controller 0' "$controller 0 Channel Target Address Decoder Registers" "$(name ff:0f.2)"
expect 'channel 0 of controller 0' "$controller 1 Channel 0-3 Thermal Control 2" "$(name ff:10.4)"
expect 'decoder of controller 1' "$controller 1 Channel Target Address Decoder Registers" "$(name ff:1d.2)"
expect 'channel 0 of controller 1' "$controller 0 Channel 0-3 Thermal Control 2" "$(name ff:1e.4)"

{
	dump 0880 64:08.0 2066 64:09.0 2066 # M2M
	dump 0880 64:0a.2 2042 64:0a.6 2046 64:0b.2 204a 64:0c.2 2042 64:0c.6 2046 64:0d.2 204a # channels
	dump 1101 5d:0e.0 2058 # UPI
	dump 0880 5d:15.0 2018
	dump 1101 5d:15.1 2088 # M2PCIe
} >functions
expect 'Skylake-SP, memory controllers by name: two channels and M2M' '64:08.0 64:09.0 64:0a.2 64:0c.2' \
	"$(shown | grep "$controller" | slots)"
expect 'the other channels' '64:0a.6 64:0b.2 64:0c.6 64:0d.2' "$(shown | grep 'LMS Channel' | slots)"
expect 'M2PCI by name' 5d:15.0 "$(shown | grep M2PCI | slots)"
expect 'M2PCIe' 'Sky Lake-E DDRIO Registers' "$(name 5d:15.1)"
expect 'performance counters by class: UPI and M2PCIe' '5d:0e.0 5d:15.1' "$(shown -d ::1101 | slots)"
