# SPDX-License-Identifier: BSD-2-Clause
# The program with PMUs that no processor has: check/trial/trial.c.

TRIAL := build/trial

$(TRIAL)/pmutest86.so: $(PROGRAM) $(call obj,$(call src,check/trial)) $(B)/pmutest86.so
	@mkdir -p $(@D)
	$(Q)$(LINK) $(PROGRAM) $(call obj,$(call src,check/trial)) $(B)/symbols.o $(EFI_LIB)libgnuefi.a -o $@
$(TRIAL)/pmutest86.efi: $(TRIAL)/pmutest86.so
	$(Q)SOURCE_DATE_EPOCH=0 objcopy --strip-all $(addprefix -j ,$(SECTIONS)) -O efi-app-x86_64 --subsystem=10 $< $@
# Beside it, as run-qemu.sh wants them.
$(TRIAL)/silicon.efi $(TRIAL)/pmutest86.elf: $(TRIAL)/%: $(B)/%
	@mkdir -p $(@D)
	$(Q)ln -sf $(abspath $<) $@
trial: $(TRIAL)/pmutest86.efi $(TRIAL)/silicon.efi $(TRIAL)/pmutest86.elf
.PHONY: trial
