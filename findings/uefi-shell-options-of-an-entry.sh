#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The UEFI Shell's bcfg -opt takes quoted options of a boot entry for a file, an error or a hot key, and stores none of them.
#
# A good guess: bcfg boot -opt 1 "debug quiet" gives entry 1 these load options, as UCS-2 with a NUL behind, as bcfg -? and the UEFI
# Shell specification (bcfg: "quote-delimited data") have it; entry 0 is an entry as any other; and a text by echo into a file does
# the same.
# Seen: the Shell takes the quotes away before bcfg looks for them.  One word is then the name of a file that is not found.  Of more
# the first is a number: "debug quiet" is an error, but "add all" begins with a hexadecimal one, and makes a new variable
# Key####, a hot key of the code ADDH, without a word, and leaves the entry as it was.  Entry 0 is refused, whatever is given.
# echo's file is taken as it is, so that the program finds a byte order mark in front, CR and LF behind, and no NUL.
# What works: ^"debug quiet^", with quotes that the Shell leaves there, and 0x0 for entry 0.
# Upstream: github.com/tianocore/edk2, issue 8678 (entry 0) and pull request 5988 (quotes).
# Versions: ovmf 2022.11-6+deb12u2, qemu-system-x86 1:7.2+dfsg-7+deb12u18+b3.
# shellcheck source-path=SCRIPTDIR source=lib/packages.sh
. "$(dirname "$0")/lib/packages.sh"
packages ovmf=2022.11-6+deb12u2 qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 seabios=1.16.2-1
export QEMU_MODULE_DIR="$root/usr/lib/x86_64-linux-gnu/qemu"
mkdir esp
: >esp/program.efi
cat >esp/startup.nsh <<'NSH'
fs0:
bcfg boot add 0 program.efi first
bcfg boot add 1 program.efi second
bcfg boot add 2 program.efi third
bcfg boot -opt 1 "quiet"
bcfg boot -opt 1 "debug quiet"
dmpstore -d Key*
bcfg boot -opt 1 "add all"
dmpstore Key*
echo before
bcfg boot dump -v
bcfg boot -opt 1 ^"debug quiet^"
bcfg boot -opt 0 ^"debug quiet^"
bcfg boot -opt 0x0 ^"debug quiet^"
echo debug quiet > options
bcfg boot -opt 2 options
echo behind
bcfg boot dump -v
reset -s
NSH
tool usr/bin/qemu-system-x86_64 -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" -machine pc -m 256 \
	-bios "$root/usr/share/ovmf/OVMF.fd" -drive format=raw,file=fat:rw:esp -display none -nic none -monitor none -no-reboot \
	-serial file:serial
sed 's/\x1b\[[0-9;=]*[A-Za-z]//g' serial | tr -d '\r' >lines

# said COMMAND: what it printed.
said()
{
	awk -v command="FS0:\\\\> $1" '/^FS0:/ { on = $0 == command; next } on' lines
}

# options WHEN NAME: those of the entry, in hexadecimal, as they were then.
options()
{
	awk -v when="$1" -v name="$2" '
		$0 == when { then = 1 }
		then && /^FS0:.*dump/ { then = 0; dump = 1; next }
		/^FS0:/ { dump = 0 }
		dump && / Desc / { on = $3 == name }
		dump && on && /^  0000/ { $1 = ""; sub(/ \*.*/, ""); gsub(/[ -]/, ""); all = all $0 }
		END { print all == "" ? "none" : all }' lines
}

text=640065006200750067002000710075006900650074000000
expect 'bcfg boot -opt 1 "quiet"' "bcfg: File not found - 'quiet'" "$(said 'bcfg boot -opt 1 "quiet"')"
expect 'bcfg boot -opt 1 "debug quiet"' "bcfg: Invalid argument - 'debug quiet'" "$(said 'bcfg boot -opt 1 "debug quiet"')"
expect 'lines that bcfg boot -opt 1 "add all" prints' 0 "$(said 'bcfg boot -opt 1 "add all"' | wc -l)"
expect 'hot keys that this has made' 'DD 0A 00 00' "$(said 'dmpstore Key*' | sed -n 's/^  00000000: \(.\{11\}\).*/\1/p')"
expect 'options of entry 1' none "$(options before second)"
expect 'options of entry 1 by ^"debug quiet^"' $text "$(options behind second)"
expect 'the same for entry 0' "bcfg: Invalid argument - 'Option Index'" "$(said 'bcfg boot -opt 0 ^"debug quiet^"')"
expect 'options of entry 0 by its number as 0x0' $text "$(options behind first)"
expect 'options of entry 2 by a file of echo' FFFE${text%0000}0D000A00 "$(options behind third)"
