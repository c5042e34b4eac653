# SPDX-License-Identifier: BSD-2-Clause
# Shared by linux.sh and peers.sh: the initial RAM disk of a guest on the model, in the directory $tree.
# shellcheck shell=sh disable=SC2154 # work, made, here: set by the script that reads this

# find_kernel: sets kernel, and modules to their directory, as KERNEL says: Debian's stable one without it, newest for
# that of testing, or a file, whose drivers are not modules.
find_kernel()
{
	case ${KERNEL:-} in
	'') place=$made ;;
	newest) place=$made/newest ;;
	*) place='' ;;
	esac
	[ -z "$place" ] || [ -e "$place/vmlinuz" ] || "$here/kernel.sh" ${KERNEL:+newest}
	modules=${place:+$place/modules} kernel=${place:+$place/vmlinuz}
	kernel=${kernel:-$KERNEL}
	[ -r "$kernel" ] || die "KERNEL: '$kernel' cannot be read"
}

# Where the programs come from: empty for this machine, or a directory with Debian's packages unpacked.
from=

# initrd_begin: what each has.  It is made each time, for the kernel at hand: that takes a second.
initrd_begin()
{
	tree=$work/tree
	rm -rf "$tree"
	for directory in bin sbin lib lib64; do
		mkdir -p "$tree/usr/$directory"
		ln -s "usr/$directory" "$tree/$directory"
	done
	mkdir -p "$tree/proc" "$tree/sys" "$tree/dev" "$tree/tmp" "$tree/root"
	put /bin/busybox
	cp "$here/linux/init.sh" "$tree/init"
	chmod +x "$tree/init"
}

# libraries FILE: that it needs.
libraries()
{
	if [ -z "$from" ]; then
		ldd "$1"
	else
		"$from/lib64/ld-linux-x86-64.so.2" --library-path "$from/usr/lib/x86_64-linux-gnu" --list "$1"
	fi 2>/dev/null | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) .*/\1/p'
}

# put FILE: at the same place, with the libraries that it needs; or a directory.
put()
{
	mkdir -p "$tree$(dirname "$1")"
	cp -rL "$from$1" "$tree$1"
	[ ! -d "$from$1" ] || return 0
	for library in $(libraries "$from$1"); do
		mkdir -p "$tree$(dirname "${library#"$from"}")"
		[ -e "$tree${library#"$from"}" ] || cp -L "$library" "$tree${library#"$from"}"
	done
}

# put_modules NAME...: of the kernel's tree, which Debian 13 and later have compressed; of another kernel than Debian's,
# KERNEL=FILE, none are known.
put_modules()
{
	[ -n "$modules" ] || return 0
	for name in "$@"; do
		module=$modules/kernel/$name.ko
		if [ -e "$module.xz" ]; then xz -dc "$module.xz"; else cat "$module"; fi >"$tree/lib/${module##*/}"
	done
}

# initrd_pack FILE
initrd_pack()
{
	(cd "$tree" && find . | cpio -o -H newc --quiet) | gzip -1 >"$1"
}
