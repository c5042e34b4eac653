#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a command, or else make check, in a release of Debian: on a copy of this tree, by a user with sudo, in the chroot
# build/debian/RELEASE, which is made where it is missing and stays.
#
#     debian.sh RELEASE [COMMAND...]
set -eu
cd "$(dirname "$0")/.."
here=check
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# bootstrap DIRECTORY: the release in it.  Proxies and the like of this machine's apt hold there as well.
bootstrap()
{
	packages=make,sudo,git,ca-certificates
	apt-config dump --no-empty Acquire::http Acquire::https Acquire::Check-Valid-Until >build/debian/apt.conf
	if command -v mmdebstrap >/dev/null; then
		as_root mmdebstrap --variant=minbase --include="$packages" --aptopt="$PWD/build/debian/apt.conf" \
			"$release" "$1"
	else
		# One that is older than the release has no script of its name, but sid's, which those of later releases link to.
		script=/usr/share/debootstrap/scripts/$release
		[ -e "$script" ] || script=sid
		as_root debootstrap --variant=minbase --include="$packages" "$release" "$1" '' "$script"
		as_root cp build/debian/apt.conf "$1/etc/apt/apt.conf.d/99host"
	fi
	as_root chroot "$1" useradd --create-home --shell /bin/sh checker
	echo 'checker ALL=(ALL) NOPASSWD: ALL' | as_root tee "$1/etc/sudoers.d/checker" >/dev/null
}

make_chroot()
{
	command -v mmdebstrap >/dev/null || command -v debootstrap >/dev/null ||
		die "a chroot of $release is made by mmdebstrap or debootstrap, of Debian's packages of these names: install one"
	mkdir -p build/debian
	as_root rm -rf "$root.new"
	bootstrap "$root.new" >&2 || die "$release could not be installed in $root.new"
	as_root mv "$root.new" "$root"
}

# copy_tree DIRECTORY: all but what was built, here or there.
copy_tree()
{
	as_root mkdir -p "$1"
	as_root find "$1" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
	tar -c --exclude=./build . | as_root tar -x --no-same-owner -C "$1"
	as_root chroot "$root" chown -R checker: /home/checker
}

# enter COMMAND...: in namespaces of its own, so that no mount and no process of it is left behind.  The inner shell stays,
# as their first process, which lives through signals: the command does not, and would as the first.  libpfm4 does not bear
# that there is no /sys.
enter()
{
	as_root cp /etc/resolv.conf "$root/etc/resolv.conf"
	# shellcheck disable=SC2016 # for the inner shells
	as_root unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" sh -c '
		mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" && chroot --userspec=checker "$0" "$@"
		exit $?' "$root" \
		env -i HOME=/home/checker PATH=/usr/bin:/bin sh -c 'cd ~/pmutest86 && exec "$@"' sh "$@"
}

release=${1:-}
releases | grep -qx "$release" ||
	die "no release '$release' of Debian has been tried; allowed is one of $(releases | paste -sd ' ')"
if [ $# -eq 1 ]; then set -- make check; else shift; fi
root=$PWD/build/debian/$release
[ -d "$root" ] || make_chroot
copy_tree "$root/home/checker/pmutest86"
enter "$@"
