# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# LIKWID 5.2.2 that measures on a processor of choice, without one; behind lib/packages.sh.  LIKWID takes the processor from a
# topology file, as likwid-genTopoCfg writes, and reaches registers through a daemon, likwid-accessD, by a socket.  This daemon
# has registers that keep what is written, and to which each read adds what "counts" says.
packages likwid=5.2.2+dfsg1-1
mkdir daemon
cat >daemon.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct { unsigned number; unsigned long long amount, value; } registers[4096];
struct { uint32_t processor, number; uint64_t value; int device, type, error; } request;

int main(void)
{
	struct sockaddr_un address = {.sun_family = AF_LOCAL};
	int listener = socket(AF_LOCAL, SOCK_STREAM, 0), client, i = 0;
	FILE *counts = fopen("counts", "r");

	alarm(60);
	while (counts && i < 4000 && fscanf(counts, "%x %llu", &registers[i].number, &registers[i].amount) == 2)
		i++;
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/likwid-%d", getpid());
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 1))
		return 2;
	client = accept(listener, NULL, NULL);
	unlink(address.sun_path);
	/* The types are: read, write, check, exit. */
	while (read(client, &request, sizeof(request)) == sizeof(request) && request.type != 3) {
		for (i = 0; i < 4095 && registers[i].number && registers[i].number != request.number; i++)
			;
		registers[i].number = request.number;
		if (request.type == 0)
			request.value = registers[i].value += registers[i].amount;
		else if (request.type == 1)
			registers[i].value = request.value;
		request.error = 0;
		if (write(client, &request, sizeof(request)) != sizeof(request))
			return 2;
	}
	return 0;
}
C
cat >measure.c <<'C'
#include <likwid.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int group, processor = 0;

	if (argc != 3 || init_configuration())
		return 2;
	get_configuration()->topologyCfgFileName = "topology";
	if (config_setGroupPath(argv[1]) || topology_init() || perfmon_init(1, &processor))
		return 2;
	group = perfmon_addEventSet(argv[2]);
	if (group < 0 || perfmon_setupCounters(group) || perfmon_startCounters() || perfmon_stopCounters())
		return 2;
	for (int i = 0; i < perfmon_getNumberOfMetrics(group); i++)
		printf("%s: %g\n", perfmon_getMetricName(group, i), perfmon_getMetric(group, i, 0));
	return 0;
}
C
cc -o daemon/likwid-accessD daemon.c
cc -o measure -I usr/include measure.c -L usr/lib/x86_64-linux-gnu -llikwid -Wl,--allow-shlib-undefined

# processor FAMILY MODEL INTEL: the one that LIKWID is to see, of one thread; INTEL is 1 or 0.
processor()
{
	printf 'cpuid_info %s\n' "family = $1" "model = $2" "isIntel = $3" 'stepping = 0' 'perf_version = 3' 'perf_num_ctr = 4' \
		'perf_width_ctr = 48' 'perf_num_fixed_ctr = 3' 'osname = none' 'features = none' >topology
	printf 'cpuid_topology %s\n' 'numHWThreads = 1' 'numSockets = 1' 'numDies = 1' 'numCoresPerSocket = 1' \
		'numThreadsPerCore = 1' 'threadPool 0 threadId = 0' 'threadPool 0 coreId = 0' 'threadPool 0 packageId = 0' \
		'threadPool 0 apicId = 0' 'threadPool 0 dieId = 0' 'numCacheLevels = 1' 'cacheLevels 1 type = DATACACHE' \
		'cacheLevels 1 size = 32768' 'cacheLevels 1 threads = 1' >>topology
	printf 'numa_info %s\n' 'numberOfNodes = 1' 'nodes 1 id = 0' 'nodes 1 numberOfProcessors = 1' \
		'nodes 1 numberOfDistances = 1' 'nodes 1 processors 1 = 0' 'nodes 1 distances 0 = 10' >>topology
}

# measure GROUP [REGISTER COUNT...]: measures it while these registers, in hexadecimal, count so much.
# shellcheck disable=SC2154 # packages.sh sets root
measure()
{
	group=$1
	shift
	printf '%s %s\n' "$@" >counts
	PATH=$root/daemon:$PATH LIKWID_IGNORE_CPUSET=1 \
		tool measure "$root/usr/share/likwid/perfgroups" "$group" >metrics 2>errors || {
		cat metrics errors >&2
		exit 2
	}
}

# metric NAME: its value in what was measured.
metric()
{
	sed -n "s|^$1: ||p" metrics
}
