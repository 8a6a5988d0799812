/* fuzz/fuzz_stl.c: any bytes as STL. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_mesh(ossai_stl_detect, ossai_stl_read, data, size); }
