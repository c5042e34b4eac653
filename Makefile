# SPDX-License-Identifier: BSD-2-Clause
# pmutest86: `make run` and `make check` do everything, set-up included.

CC      := gcc
V       ?=
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
# An image that the firmware moves, and one that lies where it was linked, of what a Pentium Pro has; what tells
# older processors that they are older, of what all have.
CFLAGS_64 := -fpic -mno-red-zone -DGNU_EFI_USE_MS_ABI -I kernel/x86_64 \
	$(if $(CLANG),-target x86_64-unknown-linux-gnu,-maccumulate-outgoing-args -malign-data=abi)
CFLAGS_32 := -m32 -mno-sse -mno-mmx -fno-pic -I kernel/x86_32 $(if $(CLANG),,-malign-data=abi)
ARCH_32 := i686
$(B)/32/boot/%.o $(B)/32/kernel/console/%.o $(B)/32/kernel/lib/%.o: ARCH_32 := i386
# These files include EFI's headers.
$(B)/boot/uefi/%.c.o $(B)/model/launch/%.c.o $(B)/check/%.c.o: CFLAGS += -isystem /usr/include/efi -isystem /usr/include/efi/x86_64
LDFLAGS := -nostdlib -shared -Bsymbolic -znocombreloc -znorelro -zpack-relative-relocs -T linker.ld --build-id=none \
	--no-undefined --warn-common --fatal-warnings
SECTIONS := .text .utext .reloc .rodata .data .bss .dynamic .relr.dyn .dynsym .dynstr

# The image is to be small, the model fast: under QEMU's translation each call, return and indirect jump is
# a look-up, so that inlining across its files halves its time.  Clang's needs another linker.  Code that drives
# the counters is to be fast, too: it runs between them and the code that they are to count.
OPTIMIZE := -Oz
OPTIMIZE_kernel := -O2
OPTIMIZE_pmu := -O2
OPTIMIZE_model := $(if $(CLANG),-O2,-O2 -flto -flto-partition=one -fno-jump-tables -fdata-sections \
	-finline-limit=300 -mstringop-strategy=unrolled_loop)
# Files whose code only finds, tells, prints, sets up or saves are small.
SMALL := $(basename $(wildcard kernel/console/*.c pmu/box/*.c pmu/box/parts/*.c \
	$(patsubst %,kernel/%.c,dump identify leaves machine mapping memory paging panic pci symbols threads lib/acpi lib/fmt lib/ranges) \
	$(patsubst %,pmu/%.c,drivers equal errata features plan split store) \
	$(foreach file,branches errata events identify parts probe records wiring,pmu/*/$(file).c)))
optimize = $(or $(if $(filter $(SMALL),$*),$(OPTIMIZE)),$(OPTIMIZE_$(firstword $(subst /, ,$*))),$(OPTIMIZE))

src = $(sort $(shell find $(1) -name '*.c' -o -name '*.asm'))
in = $(patsubst %,$(1)/%.o,$(2))

# The screen's font, which is made of one in Debian.
FONT := build/font.asm
TERMINUS := /usr/share/fonts/X11/misc/ter-u16b_iso-8859-1.pcf.gz
# All that one size of a word is built of: what is left out is of the other.
program = $(filter-out $(1),$(call src,boot kernel pmu tests)) $(FONT)
PROGRAM_64 := $(call in,$(B),$(call program,boot/bios/% kernel/x86_32/%))
PROGRAM_32 := $(call in,$(B)/32,$(call program,boot/uefi/% kernel/x86_64/% kernel/lib/relocate.c))

all: $(B)/pmutest86.efi $(B)/pmutest86.elf $(B)/silicon.efi $(HOST)/list_models

# ---- objects ---------------------------------------------------------------------------------
# objects DIRECTORY,COMPILER,FORMAT: how a source becomes an object there.  nasm does not tell of files that may come to be.
define objects
$(1)/%.c.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$(2) -iquote . -MMD -MP -c $$< -o $$@
$(1)/%.asm.o: %.asm Makefile $(wildcard kernel/*.inc tests/*/*.inc)
	@mkdir -p $$(@D)
	$$(Q)nasm -f $(3) -w+error -I $$(dir $$<) -I ./ -MD $$(@:.o=.d) $$< -o $$@
endef
HOST_CFLAGS := -std=gnu11 -O1 -g $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -I kernel/x86_64
# With it, instructions that a host cannot execute are those of a processor made of an input.
FAKE := -include check/fuzz/fake_machine.h
$(FUZZ)/kernel/%.c.o $(FUZZ)/pmu/%.c.o: HOST_CFLAGS += $(FAKE)
$(eval $(call objects,$(B),$$(CC) $$(optimize) $$(CFLAGS) $$(CFLAGS_64),elf64))
$(eval $(call objects,$(B)/32,$$(CC) $$(optimize) $$(CFLAGS) $$(CFLAGS_32) -march=$$(ARCH_32),elf32))
$(eval $(call objects,$(HOST),gcc $$(HOST_CFLAGS),elf64))
$(eval $(call objects,$(HOST)/made,gcc $$(HOST_CFLAGS) $$(FAKE),elf64))
$(eval $(call objects,$(FUZZ),clang $$(HOST_CFLAGS) -fsanitize=fuzzer-no-link,elf64))

$(FONT): $(TERMINUS) check/font.awk
	$(Q)zcat $< | od -An -v -tu1 | awk -f check/font.awk >$@.new && mv $@.new $@

# Notes of what the time of no file tells: the version, which a single file knows, and that a source is gone.
note = $(shell mkdir -p build; echo '$(2)' | cmp -s - build/$(1) || echo '$(2)' >build/$(1))
$(call note,version,$(VERSION) ($(GIT_ID)))
$(call note,sources,$(call src,boot kernel pmu tests model check))
%/boot/version.c.o: CFLAGS += -DPMUTEST86_VERSION='"$(VERSION) ($(GIT_ID))"'
$(B)/boot/version.c.o $(B)/32/boot/version.c.o: build/version

# ---- images ----------------------------------------------------------------------------------
# The table of functions for backtraces is empty in the first link, filled from it in the second.
symbols = awk -f check/symbols.awk >$@.asm && nasm -f $(1) -w+error $@.asm -o $@.symbols
linked_twice = $(Q)true | $(call symbols,$(2)) && $(1) && nm -n $@ | $(call symbols,$(2)) && $(1)
LINK_64 = ld $(LDFLAGS) $(EFI_LIB)crt0-efi-x86_64.o $(filter %.o,$^) $@.symbols $(EFI_LIB)libgnuefi.a -o $@
# Divisions of 64 bits come from the compiler's library.
LINK_32 = ld -m elf_i386 -nostdlib -znoexecstack -zmax-page-size=4096 -T boot/bios/linker.ld --build-id=none \
	--no-undefined --warn-common --fatal-warnings $(filter %.o,$^) $@.symbols $$(gcc -m32 -print-libgcc-file-name) -o $@
$(B)/pmutest86.so build/made_up/pmutest86.so: $(PROGRAM_64)
	$(call linked_twice,$(LINK_64),elf64)
$(B)/32/pmutest86.elf: $(PROGRAM_32) boot/bios/linker.ld
	$(call linked_twice,$(LINK_32),elf32)
$(B)/pmutest86.elf: $(B)/32/pmutest86.elf
	$(Q)strip -o $@ $<

# By the compiler, which sees here that nothing but the image uses its functions: the model, and what checks run alone.
MODEL := $(patsubst %,$(B)/%.so,silicon bench_loop witness interrupts)
$(B)/silicon.so: $(call in,$(B),$(call src,model))
$(B)/witness.so: $(call in,$(B),model/launch/state.c model/launch/file.c)
$(B)/witness.so $(B)/interrupts.so: $(call in,$(B),model/vmm/machine/serial.c)
$(B)/bench_loop.so: $(call in,$(B),tests/payloads/mix.asm)
$(filter-out %/silicon.so,$(MODEL)): $(B)/%.so: $(B)/check/%.c.o
$(MODEL): $(call in,$(B),$(call src,kernel/lib))
	$(Q)$(CC) $(OPTIMIZE_model) $(CFLAGS) $(CFLAGS_64) -nostdlib -shared $(LDFLAGS:%=-Xlinker %) \
		$(EFI_LIB)crt0-efi-x86_64.o $(filter %.o,$^) $(EFI_LIB)libgnuefi.a -o $@
$(B)/pmutest86.so build/made_up/pmutest86.so $(B)/32/pmutest86.elf $(MODEL): linker.ld kernel/text.ld kernel/data.ld check/symbols.awk build/sources

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
	$(wildcard boot/options*.c boot/display/*.c kernel/mapping.c kernel/paging.c tests/lib/payload.c tests/lib/meaning.c \
		tests/lib/cover.c model/launch/config*.c model/launch/multiboot.c)
# Files that linker sections alone tell of are linked whole.
WHOLE := $(call src,model/faults model/profiles)
# The drivers on a processor that is made of an input.
MADE := $(call src,pmu) kernel/identify.c kernel/threads.c check/fuzz/fake_machine.c check/fuzz/fuzz.c
UNITS := $(patsubst check/%.c,$(HOST)/%,$(filter-out check/unit/host.c,$(call src,check/unit)))
TOOLS := $(patsubst %,$(HOST)/%,campaign processors models events list_models screen_text decoder fuzz/seed)
FUZZERS := $(patsubst check/fuzz/%.c,$(FUZZ)/%,$(sort $(wildcard check/fuzz/fuzz_*.c)))

$(HOST)/libpure.a: $(call in,$(HOST),$(PURE))
$(FUZZ)/libpure.a: $(call in,$(FUZZ),$(filter %.c,$(PURE)) $(MADE))
%/libpure.a:
	$(Q)rm -f $@ && ar qcs $@ $^
$(HOST)/unit/boot/bios/memory_maps: $(call in,$(HOST),$(wildcard boot/bios/multiboot*.c))
$(HOST)/unit/check/campaign: $(call in,$(HOST),$(filter-out %/main.c,$(call src,check/campaign)))
$(HOST)/models: $(HOST)/check/processors/row.c.o
$(patsubst %,$(HOST)/%,unit/pmu/box/encode unit/pmu/box/many unit/pmu/box/table unit/pmu/drivers unit/pmu/presence processors): $(call in,$(HOST)/made,$(MADE))
.SECONDEXPANSION:
$(UNITS) $(TOOLS): $(HOST)/%: $$(call in,$(HOST),$$(wildcard check/$$*.c check/$$*/*.c)) $(call in,$(HOST),$(WHOLE) $(call src,tests/payloads) check/unit/host.c) $(HOST)/libpure.a build/sources
	@mkdir -p $(@D)
	$(Q)gcc $(HOST_CFLAGS) $(filter %.o,$^) $(HOST)/libpure.a -lpfm -o $@
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
	@mkdir -p $(@D)
	$(Q)check/executed.sh $@ $(WARN)
build/linux/vmlinuz:
	check/kernel.sh

# ---- what people call ------------------------------------------------------------------------
# Each is a script, which says what it does and with which words; README.md tells how long it takes.
SCRIPTS := setup machines emulators legacy readme lint repro processors interrupts peers faults trust image iso dist
$(SCRIPTS): ; $(Q)check/$@.sh
machines emulators legacy readme lint repro interrupts peers faults trust image iso dist sign: all
bench machines legacy readme interrupts: $(MODEL:.so=.efi)
faults trust: host
lint repro run check-here: setup
machines: emulators

run:
	$(Q)$(MAKE) -j2 all
	./run-qemu.sh --uefi
check: $(if $(DEBIAN),check-debian,check-here)
# In a chroot of another release.
check-debian:
	check/debian.sh '$(DEBIAN)'
check-here:
	$(Q)$(MAKE) -j2 all host fuzzers build/linux/vmlinuz $(HOST)/executed.so $(MODEL:.so=.efi) made_up
	$(Q)$(MAKE) -j2 CC=clang all
	check/all.sh
host: $(UNITS) $(TOOLS) build/linux/linux-test
# The model's speed, beside that of another built tree with AGAINST=DIR, and of more with MORE='--linux --campaign'; sizes
# and times.
bench: all host $(HOST)/executed.so
	check/speed.sh $(if $(AGAINST),--against '$(AGAINST)') $(MORE)
	$(if $(AGAINST),,check/bench.sh)
# Linux on each model, and with faults; lawful variations of each model.
linux: all
	check/linux.sh && check/linux.sh --multiplexed && check/linux.sh --faults
seeds: all host
	$(HOST)/campaign --seeds 200
host-check: host
	prove -e '' $(UNITS) $(HOST)/events
fuzzers: $(FUZZERS) $(HOST)/fuzz/seed
# One after the other, or as many at once as make -j says; each for FUZZ_SECONDS.
FUZZ_RUNS := $(FUZZERS:$(FUZZ)/fuzz_%=fuzz.%)
fuzz: $(FUZZ_RUNS)
$(FUZZ_RUNS): fuzz.%: fuzzers
	check/fuzz.sh $* -max_total_time=$(or $(FUZZ_SECONDS),60)
# For Secure Boot, with KEY= and CERT=.
sign:
	check/sign.sh '$(KEY)' '$(CERT)'
# Where GRUB finds them; DESTDIR is for packages.
install: $(B)/pmutest86.efi $(B)/pmutest86.elf
install uninstall:
	check/install.sh $@ '$(or $(prefix),/usr/local)' '$(DESTDIR)'
format:
	find boot kernel pmu tests model check -name '*.[ch]' -exec clang-format -i {} +
clean:
	rm -rf build

.PHONY: all run check check-debian check-here host host-check fuzzers fuzz $(FUZZ_RUNS) made_up made_up_beside bench linux seeds sign install uninstall format clean $(SCRIPTS)
-include $(shell find build -path build/debian -prune -o -type f -name '*.d' -print 2>/dev/null)
