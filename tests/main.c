/* The program of all tests: `build/tests/ossa_tests test_sparse` runs tests/math/test_sparse.c.
   To link one program for every file took longer than to compile them. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_of_##name(void);
#include "tests.inc"
#undef TEST

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_of_##name},
#include "tests.inc"
#undef TEST
};

int main(int count, char **words)
{
	for (size_t i = 0; count == 2 && i < sizeof tests / sizeof *tests; i++)
		if (strcmp(words[1], tests[i].name) == 0) return tests[i].run();
	fprintf(stderr, "usage: ossa_tests TEST, one of\n");
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) fprintf(stderr, "  %s\n", tests[i].name);
	return 2;
}
