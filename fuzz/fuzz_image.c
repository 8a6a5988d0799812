/* fuzz/fuzz_image.c: any bytes as an image of a material. */
#include "fuzz.h"
#include "report/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static ossai_light_codes codes;
	const ossa_image image = {.name = "image", .bytes = data, .size = size};
	ossa_context *context = fuzz_begin();
	ossai_arena arena = ossai_arena_begin(context);
	ossai_bitmap bitmap;
	char reason[OSSAI_REASON_SIZE];
	ossai_light_codes_fill(&codes);
	if (ossai_image_decode(context, &arena, &codes, &image, size % 2, &bitmap, reason) == OSSA_OK) {
		fuzz_require((bitmap.texels == NULL) == (reason[0] != 0), "neither pixels nor a reason");
	}
	ossai_arena_end(&arena);
	fuzz_end(context);
	return 0;
}
