/* tools/ossa/batch/asset_links.c: files of an asset that are links.

   Place in the path: the command's batch, behind the asset, before its work.
   Input: an asset, the outputs of all lines.
   Output: a fault, where the result would depend on which line is worked on first, or where two
   lines might write through links what neither names. */
#include "batch/asset.h"

#include <string.h>

enum { LINKS_MAX = 40 }; /* one after the other, as on Linux */

/* whether a line writes what is read here through links, there already or not */
static void check_read(const manifest *made, const char *path, batch_asset *asset)
{
	char at[COMMAND_PATH_SIZE], next[COMMAND_PATH_SIZE];
	snprintf(at, sizeof at, "%s", path);
	for (int i = 0; i < LINKS_MAX && batch_link_target(at, next); i++) {
		const manifest_line *writer = batch_manifest_writer(made, next);
		memcpy(at, next, sizeof at);
		if (!writer) continue;
		asset->code = "manifest";
		snprintf(asset->message, sizeof asset->message,
			"line %u of the manifest reads through the link %.200s what line %u writes", (unsigned)asset->line->number, path,
			(unsigned)writer->number);
		return;
	}
}

static void check_written(const char *path, batch_asset *asset)
{
	char target[COMMAND_PATH_SIZE];
	if (!batch_link_target(path, target)) return;
	asset->code = "manifest";
	snprintf(asset->message, sizeof asset->message,
		"line %u of the manifest writes %.120s, which is a link: name the file that it leads to, %.120s",
		(unsigned)asset->line->number, path, target);
}

void batch_asset_follow_links(const manifest *made, batch_asset *asset)
{
	for (size_t i = 0; i < asset->writes.count && !asset->code; i++) check_written(asset->writes.items[i], asset);
	for (size_t i = 0; i < asset->reads.count && !asset->code; i++) check_read(made, asset->reads.items[i], asset);
}
