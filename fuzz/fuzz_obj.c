/* fuzz/fuzz_obj.c: any bytes as OBJ. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_mesh(ossai_obj_detect, ossai_obj_read, data, size); }
