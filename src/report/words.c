/* report/words.c: see words.h. */
#include "report/words.h"

#include <string.h>

const char *ossai_method_words(const char *method)
{
	static const struct {
		const char *method, *words;
	} methods[] = {
		{"examples",
			"By examples (Schaefer and Yuksel 2007): faces that move together become bones, and weights, joints and motion "
			"are fitted to the poses."},
		{"sequence",
			"By sequence (de Aguiar and others 2008): vertices whose distances stay the same become bones, joints keep "
			"constant distances, and weights are fitted to the frames."},
		{"contraction",
			"By contraction (Madaras): the shape is shrunk to its curve skeleton, and joints are placed along its limbs."},
		{"volume", "By volume (Wade and Parent 2002): bones run along the middle of what the surface encloses."},
		{"file", "The rig was read from a file."},
	};
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		if (strcmp(methods[i].method, method) == 0) return methods[i].words;
	}
	return "";
}
