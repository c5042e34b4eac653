# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Pinned packages of Debian 12 in a temporary folder, $root: unpacked, not installed, with all that they need.
# After it is read: the folder is made, is gone at the end, and is the current directory.
set -eu
# shellcheck disable=SC2034 # for scripts that read more of it
lib=$(cd "$(dirname "$0")/lib" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 130' HUP INT TERM
cd "$root"

# packages NAME=VERSION...: what apt takes for a machine on which nothing is installed.
packages()
{
	mkdir -p archives/partial
	: >status
	apt-get -o Dir::State::status="$root/status" -o Dir::Cache::archives="$root/archives" -o Debug::NoLocking=1 \
		-o APT::Sandbox::User='' --no-install-recommends -qq -y --download-only install "$@" >apt.log 2>&1 || {
		echo "$0: these packages are Debian 12's, and apt has not got them: $*" >&2
		sed 's/^/  | /' apt.log >&2
		exit 2
	}
	for package in archives/*.deb; do
		dpkg-deb -x "$package" .
	done
	libraries=$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu/pulseaudio
	echo "packages: $*"
}

# tool PROGRAM ARGUMENT...: runs a program of theirs, with their libraries alone.
tool()
{
	program=$root/$1
	shift
	"$root/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" "$program" "$@"
}

# expect WHAT WANTED SEEN: prints what was seen; another thing than wanted ends the script with 1.
expect()
{
	printf '%s: %s\n' "$1" "$3"
	[ "$2" = "$3" ] || {
		printf '%s: it was: %s\n' "$1" "$2" >&2
		exit 1
	}
}
