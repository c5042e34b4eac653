# SPDX-License-Identifier: BSD-2-Clause
# The program with PMUs that no processor has: check/made_up/pmus.c.

MADE_UP := build/made_up

$(MADE_UP)/pmutest86.so: $(PROGRAM) $(call obj,$(call src,check/made_up)) $(B)/pmutest86.so
	@mkdir -p $(@D)
	$(Q)$(LINK) $(PROGRAM) $(call obj,$(call src,check/made_up)) $(B)/symbols.o $(EFI_LIB)libgnuefi.a -o $@
$(MADE_UP)/pmutest86.efi: $(MADE_UP)/pmutest86.so
	$(Q)SOURCE_DATE_EPOCH=0 objcopy --strip-all $(addprefix -j ,$(SECTIONS)) -O efi-app-x86_64 --subsystem=10 $< $@
# Beside it, as run-qemu.sh wants them.
$(MADE_UP)/silicon.efi $(MADE_UP)/pmutest86.elf: $(MADE_UP)/%: $(B)/%
	@mkdir -p $(@D)
	$(Q)ln -sf $(abspath $<) $@
made_up: $(MADE_UP)/pmutest86.efi $(MADE_UP)/silicon.efi $(MADE_UP)/pmutest86.elf
.PHONY: made_up
