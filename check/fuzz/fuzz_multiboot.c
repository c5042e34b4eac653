/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that the model's Multiboot loader is given: the input is the file. */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>

#include "model/launch/multiboot.h"

/* Images that are larger are not placed: it would take too long. */
enum { PLACED_MOST = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct multiboot_image image;
	const uint8_t *file = fuzz_copy(data, size);
	const char *error = multiboot_read(file, size, &image);

	if (!error) {
		MUST(image.first <= image.entry && image.entry < image.end);
		if (image.end - image.first <= PLACED_MOST)
			multiboot_place(file, &image, fuzz_block(image.end - image.first));
	} else {
		MUST(*error);
	}
	fuzz_free_all();
	return 0;
}
