# SPDX-License-Identifier: BSD-2-Clause
# pmutest86: `make run` and `make check` do everything, set-up included.

CC      := gcc
V       ?=
VERSION := 0.1.0
GIT_ID  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

B    := build/$(notdir $(CC))
HOST := build/host
Q    := $(if $(V),,@)
# gnu-efi 4 has them where libraries of more than one architecture are.
EFI_LIB := $(dir $(or $(wildcard /usr/lib/x86_64-linux-gnu/crt0-efi-x86_64.o),/usr/lib/))
EFI_INC := -isystem /usr/include/efi -isystem /usr/include/efi/x86_64

# A kind is added to the first signal of its kinds: the sum of two enumerations is meant.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror \
	-Wno-enum-enum-conversion
CFLAGS := -std=c11 $(WARN) -ffreestanding -fshort-wchar -fvisibility=hidden \
	-mgeneral-regs-only -fno-stack-protector -fno-omit-frame-pointer \
	-fno-asynchronous-unwind-tables -fcf-protection=none
CLANG := $(findstring clang,$(CC))
# An image that the firmware moves, and one that lies where it was linked, of what a Pentium Pro has; what tells
# older processors that they are older, of what all have.
CFLAGS_64 := -fpic -mno-red-zone -DGNU_EFI_USE_MS_ABI -I kernel/x86_64 \
	$(if $(CLANG),-target x86_64-unknown-linux-gnu,-maccumulate-outgoing-args -malign-data=abi)
CFLAGS_32 := -m32 -mno-sse -mno-mmx -fno-pic -I kernel/x86_32 $(if $(CLANG),,-malign-data=abi)
ARCH_32 := i686
$(B)/32/boot/%.o $(B)/32/kernel/console/%.o $(B)/32/kernel/lib/%.o: ARCH_32 := i386
LDFLAGS := -nostdlib -shared -Bsymbolic -znocombreloc -znorelro -zpack-relative-relocs -T linker.ld --build-id=none \
	--no-undefined --warn-common --fatal-warnings
SECTIONS := .text .utext .reloc .rodata .data .bss .dynamic .relr.dyn .dynsym .dynstr

# The image is to be small, the model fast: under QEMU's translation each call, return and indirect jump is
# a look-up, so that inlining across its files halves its time.  Clang's needs another linker.  Code that drives
# the counters is to be fast, too: it runs between them and the code that they are to count.
OPTIMIZE := -Oz
OPTIMIZE_kernel := -O2
OPTIMIZE_pmu := -O2
OPTIMIZE_model := $(if $(findstring clang,$(CC)),-O2,-O2 -flto -flto-partition=one -fno-jump-tables -fdata-sections \
	-finline-limit=300 -mstringop-strategy=unrolled_loop)
# Files whose code only finds, tells or prints are small.
SMALL := $(basename $(wildcard kernel/console/*.c pmu/box/*.c pmu/box/parts/*.c pmu/drivers.c pmu/errata.c pmu/plan.c \
	$(foreach file,errata events identify parts probe wiring,pmu/*/$(file).c)))
optimize = $(or $(if $(filter $(SMALL),$*),$(OPTIMIZE)),$(OPTIMIZE_$(firstword $(subst /, ,$*))),$(OPTIMIZE))

src = $(sort $(shell find $(1) -name '*.c' -o -name '*.asm'))
obj = $(patsubst %,$(B)/%.o,$(1))
# Of these nasm does not tell.
INCLUDED := $(wildcard kernel/*.inc tests/*/*.inc)

# The screen's, which is made of one in Debian.
FONT := build/font.asm
TERMINUS := /usr/share/fonts/X11/misc/ter-u16b_iso-8859-1.pcf.gz

# All that one size of a word is built of: what is left out is of the other.
program = $(filter-out $(1),$(call src,boot kernel pmu tests))
PROGRAM := $(call obj,$(call program,boot/bios/% kernel/x86_32/%) $(FONT))
PROGRAM_32 := $(patsubst %,$(B)/32/%.o,$(call program,boot/uefi/% kernel/x86_64/% kernel/lib/relocate.c) $(FONT))
MODEL   := $(call obj,$(call src,model kernel/lib))
BENCH   := $(call obj,check/bench_loop.c tests/payloads/mix.asm kernel/lib/relocate.c)
INTERRUPTS := $(call obj,check/interrupts.c model/vmm/machine/serial.c $(call src,kernel/lib))
WITNESS := $(call obj,check/witness.c model/launch/state.c model/launch/file.c model/vmm/machine/serial.c \
	$(call src,kernel/lib))

all: $(B)/pmutest86.efi $(B)/pmutest86.elf $(B)/silicon.efi $(HOST)/list_models

$(B)/%.c.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(optimize) $(CFLAGS) $(CFLAGS_64) -iquote . -MMD -MP -c $< -o $@
$(B)/32/%.c.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(optimize) $(CFLAGS) $(CFLAGS_32) -march=$(ARCH_32) -iquote . -MMD -MP -c $< -o $@

$(FONT): $(TERMINUS) check/font.awk
	$(Q)zcat $< | od -An -v -tu1 | awk -f check/font.awk >$@.new && mv $@.new $@
$(B)/%.asm.o: %.asm Makefile $(INCLUDED)
	@mkdir -p $(@D)
	$(Q)nasm -f elf64 -w+error -I $(dir $<) -I ./ -MD $(@:.o=.d) $< -o $@
$(B)/32/%.asm.o: %.asm Makefile $(INCLUDED)
	@mkdir -p $(@D)
	$(Q)nasm -f elf32 -w+error -I $(dir $<) -I ./ -MD $(@:.o=.d) $< -o $@

# These files include EFI's headers.
$(B)/boot/uefi/%.c.o $(B)/model/launch/%.c.o $(B)/check/%.c.o: CFLAGS += $(EFI_INC)

# Notes of what the time of no file tells: the version, which a single file knows, and that a source is gone.
note = $(shell mkdir -p build; echo '$(2)' | cmp -s - build/$(1) || echo '$(2)' >build/$(1))
$(call note,version,$(VERSION) ($(GIT_ID)))
$(call note,sources,$(call src,boot kernel pmu tests model check))
$(B)/boot/version.c.o $(B)/32/boot/version.c.o: CFLAGS += -DPMUTEST86_VERSION='"$(VERSION) ($(GIT_ID))"'
$(B)/boot/version.c.o $(B)/32/boot/version.c.o: build/version
$(B)/pmutest86.so $(B)/pmutest86.elf $(B)/silicon.so $(HOST)/libpure.a $(HOST_TESTS) $(HOST)/campaign $(HOST)/processors $(HOST)/models $(HOST)/events $(HOST)/list_models $(HOST)/screen_text $(HOST)/decoder: build/sources

LINK := ld $(LDFLAGS) $(EFI_LIB)crt0-efi-x86_64.o
# The table of functions for backtraces: empty in the first link, filled from it in the second.
symbols = awk -f check/symbols.awk >$(1).asm && nasm -f $(2) -w+error $(1).asm -o $(1).o
SECTIONS_LD := kernel/text.ld kernel/data.ld
$(B)/pmutest86.so: $(PROGRAM) linker.ld $(SECTIONS_LD) check/symbols.awk
	$(Q)$(call symbols,$(B)/symbols,elf64) </dev/null
	$(Q)$(LINK) $(PROGRAM) $(B)/symbols.o $(EFI_LIB)libgnuefi.a -o $(B)/pmutest86.1.so
	$(Q)nm -n $(B)/pmutest86.1.so | $(call symbols,$(B)/symbols,elf64)
	$(Q)$(LINK) $(PROGRAM) $(B)/symbols.o $(EFI_LIB)libgnuefi.a -o $@
# Divisions of 64 bits come from the compiler's library.
LINK_32 = ld -m elf_i386 -nostdlib -znoexecstack -zmax-page-size=4096 -T boot/bios/linker.ld --build-id=none \
	--no-undefined --warn-common --fatal-warnings $(PROGRAM_32) $(B)/32/symbols.o $$(gcc -m32 -print-libgcc-file-name)
$(B)/pmutest86.elf: $(PROGRAM_32) boot/bios/linker.ld $(SECTIONS_LD) check/symbols.awk
	$(Q)$(call symbols,$(B)/32/symbols,elf32) </dev/null
	$(Q)$(LINK_32) -o $(B)/32/pmutest86.1.elf
	$(Q)nm -n $(B)/32/pmutest86.1.elf | $(call symbols,$(B)/32/symbols,elf32)
	$(Q)$(LINK_32) -o $(B)/32/pmutest86.elf
	$(Q)strip -o $@ $(B)/32/pmutest86.elf
# By the compiler, which sees here that nothing but the image uses its functions.
$(B)/silicon.so: $(MODEL) linker.ld $(SECTIONS_LD)
	$(Q)$(CC) $(OPTIMIZE_model) $(CFLAGS) $(CFLAGS_64) -nostdlib -shared $(LDFLAGS:%=-Xlinker %) \
		$(EFI_LIB)crt0-efi-x86_64.o $(MODEL) $(EFI_LIB)libgnuefi.a -o $@
$(B)/bench_loop.so: $(BENCH) linker.ld
	$(Q)$(LINK) $(BENCH) $(EFI_LIB)libgnuefi.a -o $@
# With some of the model's files.
$(B)/witness.so: $(WITNESS)
$(B)/interrupts.so: $(INTERRUPTS)
$(B)/witness.so $(B)/interrupts.so: linker.ld
	$(Q)$(CC) $(OPTIMIZE_model) $(CFLAGS) $(CFLAGS_64) -nostdlib -shared $(LDFLAGS:%=-Xlinker %) \
		$(EFI_LIB)crt0-efi-x86_64.o $(filter %.o,$^) $(EFI_LIB)libgnuefi.a -o $@

# Time stamps off: the same source gives the same file.
$(B)/%.efi: $(B)/%.so
	$(Q)SOURCE_DATE_EPOCH=0 objcopy --strip-all $(addprefix -j ,$(SECTIONS)) -O efi-app-x86_64 --subsystem=10 $< $@

# ---- host side -------------------------------------------------------------------------------
HOST_CFLAGS := -std=gnu11 -O1 -g $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer -iquote . -I kernel/x86_64
# Rooms that know nothing of EFI: a test links what it uses of them, which touches no hardware.
HOST_SOURCES := $(FONT) $(call src,kernel/lib kernel/console boot/bios/disk pmu model/cpu model/pmu model/box model/vmm) \
	$(wildcard boot/options*.c boot/display/*.c kernel/mapping.c kernel/paging.c tests/lib/payload.c tests/lib/meaning.c tests/lib/cover.c model/launch/config*.c model/launch/multiboot.c)
# Files that linker sections alone tell of are linked whole.
HOST_WHOLE := $(patsubst %,$(HOST)/%.o,$(call src,model/faults model/profiles tests/payloads) check/unit/host.c)
HOST_TESTS := $(patsubst check/%.c,$(HOST)/%,$(filter-out check/unit/host.c,$(call src,check/unit)))
CAMPAIGN   := $(patsubst %,$(HOST)/%.o,$(call src,check/campaign))
EVENTS     := $(patsubst %,$(HOST)/%.o,$(call src,check/events))

$(HOST)/%.c.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)gcc $(HOST_CFLAGS) -MMD -MP -c $< -o $@
$(HOST)/%.asm.o: %.asm Makefile $(INCLUDED)
	@mkdir -p $(@D)
	$(Q)nasm -f elf64 -w+error -I $(dir $<) -I ./ -MD $(@:.o=.d) $< -o $@
$(HOST)/libpure.a: $(HOST_SOURCES:%=$(HOST)/%.o)
	$(Q)rm -f $@ && ar qcs $@ $^
$(HOST_TESTS): $(HOST)/unit/%: $(HOST)/check/unit/%.c.o
$(HOST)/unit/boot/bios/memory_maps: $(patsubst %,$(HOST)/%.o,$(wildcard boot/bios/multiboot*.c))
$(HOST)/unit/check/campaign: $(filter-out %/main.c.o,$(CAMPAIGN))
$(HOST)/campaign: $(CAMPAIGN)
$(HOST)/events: $(EVENTS)
$(HOST)/models: $(HOST)/check/models/main.c.o $(HOST)/check/processors/row.c.o
$(HOST)/list_models: $(HOST)/check/list_models.c.o
$(HOST)/screen_text: $(HOST)/check/screen_text.c.o
$(HOST)/decoder: $(HOST)/check/decoder.c.o
$(HOST_TESTS) $(HOST)/campaign $(HOST)/processors $(HOST)/models $(HOST)/events $(HOST)/list_models $(HOST)/screen_text $(HOST)/decoder: $(HOST_WHOLE) $(HOST)/libpure.a
	@mkdir -p $(@D)
	$(Q)gcc $(HOST_CFLAGS) $(filter %.o,$^) $(HOST)/libpure.a -lpfm -o $@

# The drivers on a processor that is made of an input.
MADE := $(patsubst %,$(HOST)/made/%.o,$(call src,pmu) kernel/identify.c kernel/threads.c check/fuzz/fake_machine.c check/fuzz/fuzz.c)
$(HOST)/made/%.c.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)gcc $(HOST_CFLAGS) -include check/fuzz/fake_machine.h -MMD -MP -c $< -o $@
$(HOST)/unit/pmu/box/encode $(HOST)/unit/pmu/box/table $(HOST)/unit/pmu/drivers $(HOST)/unit/pmu/presence $(HOST)/processors: $(MADE)
$(HOST)/processors: $(patsubst %,$(HOST)/%.o,$(call src,check/processors))

# In Linux on the model.
LINUX_TEST := build/linux/linux-test
$(LINUX_TEST): $(call src,check/linux) check/linux/guest.h check/linux/unharmed/unharmed.h
	@mkdir -p $(@D)
	$(Q)gcc -std=gnu11 -O1 -I. $(WARN) -static-pie -e known_or_start $(filter %.c,$^) -o $@
host: $(HOST_TESTS) $(HOST)/campaign $(HOST)/processors $(HOST)/models $(HOST)/events $(HOST)/screen_text $(HOST)/decoder $(LINUX_TEST)

include check/fuzz/rules.mk
include check/made_up/rules.mk

# ---- what people call ------------------------------------------------------------------------
setup:
	$(Q)check/setup.sh

run: setup
	$(Q)$(MAKE) -j2 all
	./run-qemu.sh --uefi

check: $(if $(DEBIAN),check-debian,check-here)
# In a chroot of another release.
check-debian:
	check/debian.sh '$(DEBIAN)'
check-here: setup
	$(Q)$(MAKE) -j2 all host fuzzers build/linux/vmlinuz $(B)/bench_loop.efi $(B)/witness.efi $(B)/interrupts.efi made_up
	$(Q)$(MAKE) -j2 CC=clang all
	check/all.sh

host-check: host
	prove -e '' $(HOST_TESTS) $(HOST)/events
image iso: all
	check/make-$@.sh
# The files of a release, in build/dist.
dist: all
	check/dist.sh
# For Secure Boot, with KEY= and CERT=.
sign: all
	check/sign.sh '$(KEY)' '$(CERT)'
# Where GRUB finds them; DESTDIR is for packages.
prefix := /usr/local
install: $(B)/pmutest86.efi $(B)/pmutest86.elf
install uninstall:
	check/install.sh $@ '$(prefix)' '$(DESTDIR)'
# Every fault against the whole battery on each model, and in programs of both word sizes: hours; days for those that
# cannot be seen.
faults: all host
	$(HOST)/campaign --full && $(HOST)/campaign --full --varied && $(HOST)/campaign --full --lawful
	$(HOST)/campaign --bits 32 && $(HOST)/campaign --bits 64
	for only in visible invisible; do for class in simple rare pairs triples; do \
		$(HOST)/campaign --generated --class $$class --only $$only || exit 1; done; done

# 200 lawful variations of each model: hours.  The figures of campaigns: build/trust.md.
seeds: all host
	$(HOST)/campaign --seeds 200
trust: all host
	check/trust.sh $(or $(EVERY),40)

# Is each interrupt of a guest delivered once, 100,000 times in each way of counting: half an hour.
interrupts: all $(B)/interrupts.efi
	check/$@.sh
# Linux on each model, and with faults: some minutes.  KERNEL=newest: that of Debian's testing.
linux: all host
	check/linux.sh && check/linux.sh --multiplexed && check/linux.sh --faults

# Programs of Debian on the models: their packages are fetched; a quarter of an hour.  KUT=, a checkout of kvm-unit-tests:
# these as well, which takes hours.
peers: all
	check/peers.sh

build/linux/vmlinuz:
	check/kernel.sh

# Sizes and times; all processors and machines that QEMU has; the images by every firmware; the README's table of PMUs.
bench machines legacy readme: all $(B)/bench_loop.efi $(B)/witness.efi
	check/$@.sh
# And those of other emulators.
machines: emulators
emulators: all
	check/$@.sh

lint repro: setup all
	check/$@.sh

# Each recorded processor with what must come out for it, and the table of all processors.
processors:
	check/processors.sh

format:
	find boot kernel pmu tests model check -name '*.[ch]' -exec clang-format -i {} +
clean:
	rm -rf build

.PHONY: all host setup run check check-debian check-here host-check image iso dist sign install uninstall faults seeds trust interrupts linux machines emulators legacy repro readme processors bench format lint clean
.SECONDARY:
-include $(shell find build -path build/debian -prune -o -type f -name '*.d' -print 2>/dev/null)
