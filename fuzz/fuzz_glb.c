/* fuzz/fuzz_glb.c: any bytes as glTF. */
#include "fuzz.h"
#include "import/gltf/gltf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0) ossai_gltf_detect(data, size);
	return fuzz_asset(ossai_gltf_read_asset, data, size);
}
