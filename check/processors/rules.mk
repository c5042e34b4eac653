# SPDX-License-Identifier: BSD-2-Clause
# The program that meets the recorded processors: of objects of the fuzz targets, where instructions
# that a host cannot execute are those of a processor made of an input.

PROCESSORS := build/processors
$(PROCESSORS): $(patsubst %,$(FUZZ)/%.o,$(call src,check/processors pmu) check/fuzz/fake_machine.c) \
		$(FUZZ)/check/unit/host.c.o $(FUZZ)/libpure.a
	$(Q)clang $(HOST_CFLAGS) $(filter %.o,$^) $(filter %.a,$^) -o $@
