/* fuzz/fuzz_maya_cache.c: any bytes as a Maya cache's file or XML. No other file lies beside it. */
#include "fuzz.h"
#include "import/maya/maya_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_cache(ossai_maya_detect, ossai_maya_open, data, size);
}
