/* fuzz/fuzz_ply.c: any bytes as PLY. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_mesh(ossai_ply_detect, ossai_ply_read, data, size); }
