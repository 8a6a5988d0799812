/* fuzz/fuzz_fbx.c: any bytes as FBX, through assimp. */
#include "fuzz.h"
#include "import/fbx/assimp.h"
#include "import/fbx/fbx_guard.h"

/* assimp leaks memory of its own when it gives up on a file; fuzz_end counts ours */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return 1; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || !ossai_fbx_detect(data, size)) return 0;
	return fuzz_asset(ossai_fbx_read_asset, data, size);
}
