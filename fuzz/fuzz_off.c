/* fuzz/fuzz_off.c: any bytes as OFF. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_mesh(ossai_off_detect, ossai_off_read, data, size); }
