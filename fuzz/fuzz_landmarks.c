/* fuzz/fuzz_landmarks.c: any bytes as a file of landmarks: what is read has finite points. */
#include "fuzz.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	ossa_context *context = fuzz_begin();
	ossa_files *files = NULL;
	ossa_landmarks landmarks;
	fuzz_require(ossa_files_create(context, &files) == OSSA_OK, "no files");
	fuzz_require(ossa_files_add(files, "marks.json", data, size) == OSSA_OK, "no file");
	ossa_context_use_files(context, files);
	if (ossa_landmarks_read(context, "marks.json", &landmarks) == OSSA_OK) {
		int count = 0;
		for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
			const ossa_choice_or_point *point = &landmarks.point[i];
			count += point->choice != 0;
			for (int k = 0; k < 3; k++) fuzz_require(isfinite(point->point[k]), "a point that is not finite");
		}
		fuzz_require(count > 0, "no landmark without an error");
	} else fuzz_require(ossa_context_error(context)->message[0], "no message");
	ossa_context_use_files(context, NULL);
	ossa_files_free(files);
	fuzz_end(context);
	return 0;
}
