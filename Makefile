# SPDX-License-Identifier: BSD-2-Clause
# pmutest86: `make run` and `make check` do everything, set-up included.

CC      := gcc
VERSION := 0.1.0
GIT_ID  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

B     := build/$(notdir $(CC))
HOST  := build/host
FUZZ  := build/fuzz
Q     := $(if $(V),,@)
CLANG := $(findstring clang,$(CC))
# gnu-efi 4 has them where libraries of more than one architecture are.
EFI_LIB := $(dir $(or $(wildcard /usr/lib/x86_64-linux-gnu/crt0-efi-x86_64.o),/usr/lib/))

# A kind is added to the first signal of its kinds: the sum of two enumerations is meant.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror -Wno-enum-enum-conversion
CFLAGS := -std=c11 $(WARN) -ffreestanding -fshort-wchar -fvisibility=hidden -mgeneral-regs-only -fno-stack-protector \
	-fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fcf-protection=none
LDFLAGS := -nostdlib --build-id=none --no-undefined --warn-common --fatal-warnings
# Of each size of a word, BITS: an image that the firmware moves, and one that lies where it was linked.  That one is of what
# a Pentium Pro has, code that tells older ones so of what all have, and its divisions are of the compiler's library.
BITS := 64
$(B)/32/%: BITS := 32
CFLAGS_64 := -fpic -mno-red-zone -DGNU_EFI_USE_MS_ABI -I kernel/x86_64 \
	$(if $(CLANG),-target x86_64-unknown-linux-gnu,-maccumulate-outgoing-args -malign-data=abi)
LDFLAGS_64 := -shared -Bsymbolic -znocombreloc -znorelro -zpack-relative-relocs -T linker.ld $(EFI_LIB)crt0-efi-x86_64.o
LIBS_64 := $(EFI_LIB)libgnuefi.a
CFLAGS_32 := -m32 -march=i686 -mno-sse -mno-mmx -fno-pic -I kernel/x86_32 $(if $(CLANG),,-malign-data=abi)
$(B)/32/boot/%.o $(B)/32/kernel/console/%.o $(B)/32/kernel/lib/%.o: CFLAGS_32 += -march=i386
LDFLAGS_32 := -m elf_i386 -znoexecstack -zmax-page-size=4096 -T boot/bios/linker.ld
LIBS_32 = $(shell gcc -m32 -print-libgcc-file-name)
# These files include EFI's headers.
$(B)/boot/uefi/%.c.o $(B)/model/launch/%.c.o $(B)/check/%.c.o: CFLAGS += -isystem /usr/include/efi -isystem /usr/include/efi/x86_64

# The image is to be small, the model fast: under QEMU's translation each call, return and indirect jump is
# a look-up, so that inlining across its files halves its time.  Clang's needs another linker.
LTO_64 := $(if $(CLANG),,-flto -flto-partition=one)
OPTIMIZE_model := -O2 $(LTO_64) $(if $(CLANG),,-fno-jump-tables -fdata-sections -finline-limit=300 -mstringop-strategy=unrolled_loop)
optimize = $(or $(OPTIMIZE_$(firstword $(subst /, ,$*))),-Oz $(LTO_$(BITS)))

src = $(sort $(shell find $(1) -name '*.c' -o -name '*.asm'))
in = $(patsubst %,$(1)/%.o,$(2))

all: $(B)/pmutest86.efi $(B)/pmutest86.elf $(B)/silicon.efi $(HOST)/list_models

# ---- objects ---------------------------------------------------------------------------------
# objects DIRECTORY,COMPILER: how a source becomes an object there.  nasm does not tell of files that may come to be.
define objects
$(1)/%.c.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$(2) -iquote . -MMD -MP -c $$< -o $$@
$(1)/%.asm.o: %.asm Makefile $(wildcard kernel/*.inc tests/*/*.inc)
	@mkdir -p $$(@D)
	$$(Q)nasm -f elf$$(BITS) -w+error -I $$(dir $$<) -I ./ -MD $$(@:.o=.d) $$< -o $$@
endef
HOST_CFLAGS := -std=gnu11 -O1 -g1 $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -I kernel/x86_64
# With it, instructions that a host cannot execute are those of a processor made of an input.
$(HOST)/made/%.c.o $(FUZZ)/kernel/%.c.o $(FUZZ)/pmu/%.c.o: HOST_CFLAGS += -include check/fuzz/fake_machine.h
$(foreach to,$(B) $(B)/32,$(eval $(call objects,$(to),$$(CC) $$(optimize) $$(CFLAGS) $$(CFLAGS_$$(BITS)))))
$(foreach to,$(HOST) $(HOST)/made,$(eval $(call objects,$(to),gcc $$(HOST_CFLAGS))))
$(eval $(call objects,$(FUZZ),clang $$(HOST_CFLAGS) -fsanitize=fuzzer-no-link))

# The screen's font, which is made of one in Debian.
FONT := build/font.asm
$(FONT): /usr/share/fonts/X11/misc/ter-u16b_iso-8859-1.pcf.gz check/font.awk
	$(Q)zcat $< | od -An -v -tu1 | awk -f check/font.awk >$@.new && mv $@.new $@

# Notes of what the time of no file tells: the version, which a single file knows, and that a source is gone.
note = $(shell mkdir -p build; echo '$(2)' | cmp -s - build/$(1) || echo '$(2)' >build/$(1))
$(call note,version,$(VERSION) ($(GIT_ID)))
$(call note,sources,$(call src,boot kernel pmu tests model check))
%/boot/version.c.o: CFLAGS += -DPMUTEST86_VERSION='"$(VERSION) ($(GIT_ID))"'
$(B)/boot/version.c.o $(B)/32/boot/version.c.o: build/version

# ---- images ----------------------------------------------------------------------------------
# All that is not of the other size of a word.
program = $(call in,$(1),$(filter-out $(2),$(call src,boot kernel pmu tests)) $(FONT))
$(B)/pmutest86.so build/made_up/pmutest86.so: $(call program,$(B),boot/bios/% kernel/x86_32/%)
$(B)/32/pmutest86.elf: $(call program,$(B)/32,boot/uefi/% kernel/x86_64/% kernel/lib/relocate.c) boot/bios/linker.ld
# The table of functions for backtraces is empty in the first link, filled from it in the second.
symbols = awk -f check/symbols.awk >$@.asm && nasm -f elf$(BITS) -w+error $@.asm -o $@.symbols
link = $(call link_$(BITS),-Oz $(LTO_64) -Wno-maybe-uninitialized) $(filter %.o,$^) $@.symbols $(LIBS_$(BITS)) -o $@
link_32 = ld $(LDFLAGS) $(LDFLAGS_32)
# By the compiler, which sees here that nothing but the image uses its functions; and across files takes for not initialised
# what a function that failed has left alone.
link_64 = $(CC) $(1) $(CFLAGS) $(CFLAGS_64) -nostdlib -shared $(patsubst %,-Xlinker %,$(LDFLAGS) $(LDFLAGS_64))
$(B)/pmutest86.so build/made_up/pmutest86.so $(B)/32/pmutest86.elf:
	$(Q)true | $(symbols) && $(link) && nm -n $@ | $(symbols) && $(link)
$(B)/pmutest86.elf: $(B)/32/pmutest86.elf
	$(Q)strip -o $@ $<

# The model, and what checks run alone.
MODEL := $(patsubst %,$(B)/%.so,silicon bench_loop witness interrupts)
$(B)/silicon.so: $(call in,$(B),$(call src,model))
$(B)/witness.so: $(call in,$(B),model/launch/state.c model/launch/file.c)
$(B)/witness.so $(B)/interrupts.so: $(call in,$(B),model/vmm/machine/serial.c)
$(B)/bench_loop.so: $(call in,$(B),tests/payloads/mix.asm)
$(filter-out %/silicon.so,$(MODEL)): $(B)/%.so: $(B)/check/%.c.o
$(MODEL): $(call in,$(B),$(call src,kernel/lib))
	$(Q)$(call link_64,$(OPTIMIZE_model)) $(filter %.o,$^) $(LIBS_64) -o $@
$(B)/pmutest86.so build/made_up/pmutest86.so $(B)/32/pmutest86.elf $(MODEL): linker.ld kernel/text.ld kernel/data.ld check/symbols.awk build/sources

SECTIONS := .text .utext .uroom .reloc .rodata .data .bss .dynamic .relr.dyn
# Time stamps off: the same source gives the same file.
build/%.efi: build/%.so
	$(Q)SOURCE_DATE_EPOCH=0 objcopy --strip-all $(addprefix -j ,$(SECTIONS)) -O efi-app-x86_64 --subsystem=10 $< $@

# The program with PMUs that no processor has, and what run-qemu.sh wants beside it.
build/made_up/pmutest86.so: $(call in,$(B),$(call src,check/made_up)) | made_up_beside
made_up_beside: $(B)/silicon.efi $(B)/pmutest86.elf
	$(Q)mkdir -p build/made_up && ln -sf $(abspath $^) build/made_up
made_up: build/made_up/pmutest86.efi

# ---- host side -------------------------------------------------------------------------------
# Rooms that know nothing of EFI: a test links what it uses of them, which touches no hardware.
PURE := $(call src,kernel/lib kernel/console boot/bios/disk pmu model/cpu model/decode model/pmu model/box model/vmm) $(FONT) \
	$(filter-out %/main.c,$(call src,check/campaign)) check/processors/row.c check/picture.c \
	$(wildcard boot/options*.c boot/display/*.c kernel/cpuid.c kernel/paging/mapping.c kernel/paging/paging.c tests/lib/payload.c tests/lib/meaning.c \
		tests/lib/vitals.c tests/lib/cover/cover.c tests/lib/cause/*.c model/launch/config*.c model/launch/multiboot.c)
# Files that linker sections alone tell of are linked whole.
WHOLE := $(call src,model/faults model/profiles)
# The drivers on a processor that is made of an input.
MADE := $(call src,pmu) kernel/cpuid.c kernel/identify.c kernel/seat.c kernel/threads.c check/fuzz/fake_machine.c check/fuzz/fuzz.c
UNITS := $(patsubst check/%.c,$(HOST)/%,$(filter-out check/unit/host.c,$(call src,check/unit)))
TOOLS := $(patsubst %,$(HOST)/%,campaign processors models events list_models screen_text page_cells decoder fuzz/seed)
FUZZERS := $(patsubst check/fuzz/%.c,$(FUZZ)/%,$(sort $(wildcard check/fuzz/fuzz_*.c)))

$(HOST)/libpure.a: $(call in,$(HOST),$(PURE))
$(FUZZ)/libpure.a: $(call in,$(FUZZ),$(filter %.c,$(PURE)) $(MADE))
%/libpure.a:
	$(Q)rm -f $@ && ar qcs $@ $^
$(HOST)/unit/boot/bios/memory_maps: $(call in,$(HOST),$(wildcard boot/bios/multiboot*.c))
$(filter $(HOST)/unit/pmu/box/%,$(UNITS)) $(patsubst %,$(HOST)/%,unit/kernel/seat unit/pmu/drivers unit/pmu/meters unit/pmu/presence processors): $(call in,$(HOST)/made,$(MADE))
.SECONDEXPANSION:
$(UNITS) $(TOOLS): $(HOST)/%: $$(call in,$(HOST),$$(wildcard check/$$*.c check/$$*/*.c)) $(call in,$(HOST),$(WHOLE) $(call src,tests/payloads) check/unit/host.c) $(HOST)/libpure.a build/sources
	@mkdir -p $(@D)
	$(Q)gcc $(HOST_CFLAGS) $(filter %.o,$^) $(HOST)/libpure.a -lpfm -lm -o $@
# By name, so that nothing that a section alone tells of is left out as unused.
$(FUZZ)/fuzz_probe: $(call in,$(FUZZ),$(MADE))
$(FUZZ)/fuzz_silicon_cfg $(FUZZ)/fuzz_insn: $(call in,$(FUZZ),$(WHOLE))
$(FUZZERS): $(FUZZ)/%: $(FUZZ)/check/fuzz/%.c.o $(FUZZ)/check/unit/host.c.o $(FUZZ)/libpure.a
	$(Q)clang $(HOST_CFLAGS) -fsanitize=fuzzer $(filter %.o,$^) $(FUZZ)/libpure.a -o $@
# In Linux on the model.
build/linux/linux-test: $(call src,check/linux) check/linux/guest.h check/linux/unharmed/unharmed.h
	@mkdir -p $(@D)
	$(Q)gcc -std=gnu11 -O1 -I. $(WARN) -static-pie -e known_or_start $(filter %.c,$^) -o $@
# What QEMU executes, counted by a plugin of its translator.
$(HOST)/executed.so: check/executed.c check/executed.sh
	$(Q)check/executed.sh $@ $(WARN)

# ---- what people call ------------------------------------------------------------------------
# Scripts, which say what they do and with which words; README.md tells how long each takes.
SCRIPTS := run check setup machines emulators legacy kvm readme lint repro processors interrupts peers faults trust image iso dist \
	bench linux seeds sign format
$(SCRIPTS): ; $(Q)check/$@.sh
$(filter-out run check setup processors format,$(SCRIPTS)) install: all
faults trust bench linux seeds host-check: host
bench interrupts everything: $(MODEL:.so=.efi) $(HOST)/executed.so
lint repro: setup
machines: emulators

host: $(UNITS) $(TOOLS) build/linux/linux-test
fuzzers: $(FUZZERS) $(HOST)/fuzz/seed
everything: all host fuzzers made_up
host-check:
	prove -e '' $(UNITS) $(HOST)/events
# One after the other, or as many at once as make -j says.
FUZZ_RUNS := $(FUZZERS:$(FUZZ)/fuzz_%=fuzz.%)
fuzz: $(FUZZ_RUNS)
$(FUZZ_RUNS): fuzz.%: fuzzers
	check/fuzz.sh $*
install uninstall:
	check/install.sh $@
clean:
	rm -rf build

.PHONY: all host fuzzers everything host-check fuzz $(FUZZ_RUNS) made_up made_up_beside install uninstall clean $(SCRIPTS)
-include $(shell find build -path build/debian -prune -o -type f -name '*.d' -print 2>/dev/null)
