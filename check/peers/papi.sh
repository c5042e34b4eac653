# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# PAPI: which component is active, and a client of the library.
# shellcheck disable=SC1091 # of the guest
. /common.sh
papi
