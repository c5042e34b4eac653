// SPDX-License-Identifier: BSD-2-Clause
// Starts v86, an x86 emulator in WebAssembly, whose serial line is standard output, until it is ended by a signal.
//
//     node v86.mjs PACKAGE BIOS VGA_BIOS cdrom|multiboot FILE [acpi]
import { readFileSync, writeSync } from "node:fs";
import { resolve } from "node:path";

const [place, bios, vga_bios, medium, file, acpi] = process.argv.slice(2);
const { V86 } = await import(resolve(place, "build/libv86.mjs"));

const image = (path) => ({ buffer: Uint8Array.from(readFileSync(path)).buffer });

const machine = new V86({
	wasm_path: resolve(place, "build/v86.wasm"),
	bios: image(bios),
	vga_bios: image(vga_bios),
	[medium]: image(file),
	memory_size: 64 * 1024 * 1024,
	acpi: acpi === "acpi",
	disable_speaker: true,
	autostart: true,
});
machine.add_listener("serial0-output-byte", (byte) => writeSync(1, Uint8Array.of(byte)));
