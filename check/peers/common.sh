# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# In the guest: what each tool wants to be set, and how it says what it has found.
export PATH=/usr/bin:/usr/sbin TERM=dumb LC_ALL=C HOME=/root

# Debian's kernel lets nobody count (3), and PAPI asks the setting even as root.
echo -1 >/proc/sys/kernel/perf_event_paranoid
# A program that is laid out in memory by chance is counted differently each time.
echo 0 >/proc/sys/kernel/randomize_va_space

# expect WHAT GOT WANTED: these must be the same.
expect()
{
	echo "peer|$1|$2|$3"
}

# expect_least WHAT GOT LEAST
expect_least()
{
	if [ "$2" -ge "$3" ]; then expect "$1" "$2" "$2"; else expect "$1" "$2" "$3 at least"; fi
}
