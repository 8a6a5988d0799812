/* fuzz/fuzz_mdd.c: any bytes as MDD. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_cache(ossai_mdd_detect, ossai_mdd_open, data, size);
}
