# SPDX-License-Identifier: BSD-2-Clause
# Fuzz targets: what reads data that it did not make, built by clang for the host with libFuzzer and
# both sanitizers.  check/fuzz/fuzz_NAME.c is the target NAME, check/fuzz/corpus/NAME its seeds.

FUZZ         := build/fuzz
FUZZ_SECONDS ?= 60
FUZZ_CFLAGS  := $(HOST_CFLAGS) -fsanitize=fuzzer-no-link
FUZZ_SOURCES := $(filter %.c,$(HOST_SOURCES)) kernel/identify.c kernel/threads.c check/fuzz/fuzz.c check/fuzz/fake_machine.c
FUZZERS   := $(patsubst check/fuzz/%.c,$(FUZZ)/%,$(sort $(wildcard check/fuzz/fuzz_*.c)))
FUZZ_RUNS := $(FUZZERS:$(FUZZ)/fuzz_%=fuzz.%)

# There, instructions that a host cannot execute are those of a processor made of the input.
$(FUZZ)/kernel/%.c.o $(FUZZ)/pmu/%.c.o: FUZZ_CFLAGS += -include check/fuzz/fake_machine.h

$(FUZZ)/%.c.o: %.c Makefile check/fuzz/rules.mk
	@mkdir -p $(@D)
	$(Q)clang $(FUZZ_CFLAGS) -MMD -MP -c $< -o $@
$(FUZZ)/libpure.a: $(FUZZ_SOURCES:%=$(FUZZ)/%.o)
	$(Q)rm -f $@ && ar qcs $@ $^
$(FUZZ)/fuzz_%: $(FUZZ)/check/fuzz/fuzz_%.c.o $(FUZZ)/check/unit/host.c.o $(FUZZ)/libpure.a
	$(Q)clang $(FUZZ_CFLAGS) -fsanitize=fuzzer $(filter %.o,$^) $(filter %.a,$^) -o $@
# By name, so that nothing that a section alone tells of is left out as unused.
$(FUZZ)/fuzz_probe: $(patsubst %,$(FUZZ)/%.o,$(call src,pmu) check/fuzz/fake_machine.c)
$(FUZZ)/fuzz_silicon_cfg $(FUZZ)/fuzz_insn: $(patsubst %,$(FUZZ)/%.o,$(call src,model/faults model/profiles))
$(FUZZ)/seed: check/fuzz/seed.c Makefile
	@mkdir -p $(@D)
	$(Q)clang $(HOST_CFLAGS) $< -o $@

fuzzers: $(FUZZERS) $(FUZZ)/seed

# One after the other, or as many at once as make -j says; each for FUZZ_SECONDS.
fuzz: $(FUZZ_RUNS)
$(FUZZ_RUNS): fuzz.%: $(FUZZ)/fuzz_% $(FUZZ)/seed
	check/fuzz.sh $* -max_total_time=$(FUZZ_SECONDS)

.PHONY: fuzzers fuzz $(FUZZ_RUNS)
