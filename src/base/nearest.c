/* base/nearest.c: the known name nearest to a mistyped one.

   Place in the path: below everything; for messages.
   Input: a word, names.
   Output: the nearest name, for "did you mean". */
#include <ossa/options.h>

#include <stdbool.h>
#include <string.h>

enum { NAME_MAX_COMPARED = 48, DIFFERENT = 1 << 20 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* letters to insert, drop, replace or swap with their neighbour to make `a` into `b` (optimal
   string alignment) */
static int edit_distance(const char *a, const char *b)
{
	if (strlen(a) > NAME_MAX_COMPARED || strlen(b) > NAME_MAX_COMPARED) return DIFFERENT;
	const int m = (int)strlen(a), n = (int)strlen(b);
	int row[NAME_MAX_COMPARED + 1][NAME_MAX_COMPARED + 1];
	for (int i = 0; i <= m; i++) row[i][0] = i;
	for (int j = 0; j <= n; j++) row[0][j] = j;
	for (int i = 1; i <= m; i++) {
		for (int j = 1; j <= n; j++) {
			const int replaced = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			row[i][j] = smaller(smaller(row[i - 1][j], row[i][j - 1]) + 1, replaced);
			const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
			if (swapped) row[i][j] = smaller(row[i][j], row[i - 2][j - 2] + 1);
		}
	}
	return row[m][n];
}

const char *ossa_nearest_name(const char *typed, const char *const *names, size_t count)
{
	const char *best = NULL;
	if (!typed || !names) return NULL;
	/* a word with more edits than a third of its letters (at least two) is a different word */
	int best_distance = strlen(typed) > NAME_MAX_COMPARED ? 0 : (int)strlen(typed) / 3;
	if (best_distance < 2) best_distance = 2;
	for (size_t i = 0; i < count; i++) {
		const int distance = names[i] ? edit_distance(typed, names[i]) : DIFFERENT;
		if (distance < best_distance || (!best && distance == best_distance)) {
			best = names[i];
			best_distance = distance;
		}
	}
	return best;
}
