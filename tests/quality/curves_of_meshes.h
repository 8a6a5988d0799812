/* tests/quality/curves_of_meshes.h: the clean curve of each of some meshes, as contraction makes
   it, for the programs that print what scripts calibrate with. */
#ifndef TESTS_CURVES_OF_MESHES_H
#define TESTS_CURVES_OF_MESHES_H

#include "methods/contraction.h"

/* Prints something of a mesh with its curve. */
typedef ossa_status (*curve_printer)(ossai_contraction *made, const char *path, void *user);

/* Makes the curve of each mesh and prints it; stops at the first failure, with a sentence that
   begins with the name of the program. Returns what main returns. */
int print_curves(const char *program, int count, char **paths, curve_printer print, void *user);

#endif
