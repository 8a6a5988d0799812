/* fuzz/fuzz_pc2.c: any bytes as PC2. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_cache(ossai_pc2_detect, ossai_pc2_open, data, size);
}
