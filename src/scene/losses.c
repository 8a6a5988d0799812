/* scene/losses.c: see losses.h. */
#include "scene/losses.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void ossai_losses_add(ossai_losses *all, const char *kind, size_t count, const char *example)
{
	char name[64];
	if (count == 0) return;
	size_t used = strlen(all->words);
	snprintf(all->words + used, sizeof all->words - used, "%s%s %zu", used > 0 ? ", " : "", kind, count);
	all->count += count;
	if (all->has_example || !example || !example[0]) return;
	used = strlen(all->words);
	all->has_example = true;
	ossai_name_copy(name, (ossai_word){example, strlen(example)});
	snprintf(all->words + used, sizeof all->words - used, " (\"%s\"%s)", name, count > 1 ? " and others" : "");
}
