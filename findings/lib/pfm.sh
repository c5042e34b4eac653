# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# libpfm4 4.13, asked by a program of three calls; behind lib/packages.sh.  The compiler is the machine's own: what it makes of
# the program is no part of a finding.
packages libpfm4-dev=4.13.0-1
cat >encode.c <<'C'
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	pfm_pmu_encode_arg_t arg = {.size = sizeof(arg)};
	int error;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (argc != 2 || pfm_initialize() != PFM_SUCCESS)
		return 2;
	error = pfm_get_os_event_encoding(argv[1], PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	if (error) {
		puts(pfm_strerror(error));
		return 0;
	}
	for (int i = 0; i < arg.count; i++)
		printf("%s%llx", i ? " " : "", (unsigned long long)arg.codes[i]);
	puts("");
	return 0;
}
C
cc -o encode -I usr/include encode.c -L usr/lib/x86_64-linux-gnu -lpfm
# encoding EVENT: the registers' values, for rings 0 and 3 unless the event says otherwise.
encoding()
{
	tool encode "$1"
}
