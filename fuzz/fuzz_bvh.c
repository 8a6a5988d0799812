/* fuzz/fuzz_bvh.c: any bytes as BVH. */
#include "fuzz.h"
#include "import/bvh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0) ossai_bvh_detect(data, size);
	return fuzz_asset(ossai_bvh_read_asset, data, size);
}
