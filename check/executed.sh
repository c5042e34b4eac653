#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the plugin that counts what QEMU executes: of a version too high, QEMU says which is the highest that it takes.
#
#     executed.sh PLUGIN.so [COMPILER-OPTION...]
set -eu
here=$(dirname "$0")
out=$1
shift
mkdir -p "$(dirname "$out")"

# build VERSION FILE OPTION...
build()
{
	version=$1 file=$2
	shift 2
	gcc -std=gnu11 -O2 -fPIC -fvisibility=hidden "$@" -shared "$here/executed.c" "-DPLUGIN_VERSION=$version" -o "$file"
}

build 99 "$out.99" "$@"
version=$(qemu-system-x86_64 -M none -display none -plugin "$out.99" 2>&1 | sed -n 's/.*only up to version //p')
rm -f "$out.99"
build "$version" "$out" "$@"
