#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Brings the sources into the style of .clang-format.
#
#     format.sh [OPTION...]    of clang-format
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- -i
find boot kernel pmu tests model check -name '*.[ch]' -exec clang-format "$@" {} +
