/* SPDX-License-Identifier: BSD-2-Clause */
/* Two threads that add to one number without a lock: the sum tells when they were switched. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long sum;

static void *add(void *times)
{
	for (unsigned long i = *(unsigned long *)times; i; i--) {
		unsigned long seen = sum;

		for (volatile unsigned wait = 0; wait < 3; wait++)
			;
		sum = seen + 1;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long times = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
	pthread_t one, other;

	pthread_create(&one, NULL, add, &times);
	pthread_create(&other, NULL, add, &times);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	printf("race: %lu\n", sum);
	return 0;
}
