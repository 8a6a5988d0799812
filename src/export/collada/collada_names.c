/* export/collada/collada_names.c: the names in a Collada file, and the order in which the
   skeleton's tree is walked.

   Place in the path: inside the Collada writer.
   Input: bones with any valid names.
   Output: ids.

   Programs look for a joint by id, sid or name, so a bone has one text for all three: its name,
   with '_' in front where XML allows no such id (it begins with a digit or '-') or where it
   begins with "ossa-", as the ids of everything else do. Programs that set joints (three.js)
   look for the turns of a joint by sid in the whole document, take every transform of its node
   whose sid holds the joint's, and cut the joint's sid out of a longer text between "inst_" and
   "axis". So the three axes of a bone are called STEM_rz, STEM_ry, STEM_rx, a hinge's only one
   STEM_hinge, where STEM is the bone's id; but "ossa-" and the bone's number where another bone
   has one of these names, or where STEM_ holds "inst_" or "axis". Then all sids differ, and none
   is part of another on its node. */
#include "export/collada/collada.h"

#include "base/xml_name.h"
#include "scene/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char own_prefix[] = "ossa-";

static int compare_texts(const void *a, const void *b)
{
	const char *const *first = a, *const *second = b;
	return strcmp(*first, *second);
}

/* a set of texts to look up: a sorted list of B */
typedef struct name_set {
	const char **texts;
	size_t count;
} name_set;

static bool contains(const name_set *set, const char *text)
{
	return set->count > 0 && bsearch(&text, set->texts, set->count, sizeof *set->texts, compare_texts) != NULL;
}

static ossa_status make_set(ossai_collada *file, const char *const *texts, size_t count, name_set *set)
{
	set->texts = ossai_arena_new(&file->arena, count, sizeof *set->texts);
	if (!set->texts) return ossa_context_error(file->context)->status;
	set->count = count;
	memcpy(set->texts, texts, count * sizeof *texts);
	qsort(set->texts, count, sizeof *set->texts, compare_texts);
	return OSSA_OK;
}

/* first `before` times '_', then two texts; NULL with the error set */
static const char *join(ossai_collada *file, size_t before, const char *a, const char *b, size_t after)
{
	const size_t first = strlen(a), second = strlen(b), size = before + first + second + after;
	char *text = ossai_arena_new(&file->arena, size + 1, 1);
	if (!text) return NULL;
	memset(text, '_', size);
	memcpy(text + before, a, first);
	memcpy(text + before + first, b, second);
	text[size] = 0;
	return text;
}

static bool needs_mark(const char *name)
{
	return isdigit((unsigned char)name[0]) || name[0] == '-' || strncmp(name, own_prefix, strlen(own_prefix)) == 0;
}

/* Marked ids differ from each other by what is after the '_', from the others by how many '_' there
   are. */
static const char *id_of(ossai_collada *file, const name_set *names, const char *name)
{
	if (!needs_mark(name)) return name;
	const char *id = join(file, 1, name, "", 0);
	for (size_t marks = 2; id && contains(names, id); marks++) id = join(file, marks, name, "", 0);
	return id;
}

static const char *end_of(ossai_collada *file, const name_set *ids, const char *id)
{
	const char *end = join(file, 0, id, "_end", 0);
	for (size_t marks = 1; end && contains(ids, end); marks++) end = join(file, 0, id, "_end", marks);
	return end;
}

/* whether a bone's axes may be named after this */
static bool stem_is_good(const name_set *ids, const char *stem)
{
	char text[OSSAI_COLLADA_ID];
	snprintf(text, sizeof text, "%s_", stem);
	if (strstr(text, "inst_") || strstr(text, "axis")) return false;
	for (size_t axis = 0; axis < OSSAI_AXIS_NAMES; axis++) {
		snprintf(text, sizeof text, "%s%s", stem, ossai_axis_names[axis]);
		if (contains(ids, text)) return false;
	}
	return true;
}

static const char *stem_of(ossai_collada *file, const name_set *ids, size_t bone)
{
	char number[32];
	if (stem_is_good(ids, file->ids[bone])) return file->ids[bone];
	snprintf(number, sizeof number, "%zu", bone);
	return join(file, 0, own_prefix, number, 0);
}

static ossa_status name_bones(ossai_collada *file, name_set *ids)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	const size_t count = skeleton->bone_count;
	name_set names = {NULL, 0};
	file->ids = ossai_arena_new(&file->arena, count, sizeof *file->ids);
	file->stems = ossai_arena_new(&file->arena, count, sizeof *file->stems);
	file->ends = ossai_arena_zero(&file->arena, count, sizeof *file->ends);
	if (!file->ids || !file->stems || !file->ends) return ossa_context_error(file->context)->status;
	for (size_t b = 0; b < count; b++) file->ids[b] = skeleton->bones[b].name;
	OSSAI_TRY(make_set(file, file->ids, count, &names));
	for (size_t b = 0; b < count; b++) {
		file->ids[b] = id_of(file, &names, skeleton->bones[b].name);
		if (!file->ids[b]) return ossa_context_error(file->context)->status;
	}
	OSSAI_TRY(make_set(file, file->ids, count, ids));
	for (size_t b = 0; b < count; b++) {
		const bool has_end = file->options->leaf_bones && file->first_child[b] == OSSA_NONE;
		file->stems[b] = stem_of(file, ids, b);
		if (has_end) file->ends[b] = end_of(file, ids, file->ids[b]);
		if (!file->stems[b] || (has_end && !file->ends[b])) return ossa_context_error(file->context)->status;
	}
	return OSSA_OK;
}

/* children in the order of their numbers */
static ossa_status link_tree(ossai_collada *file)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	const size_t count = skeleton->bone_count;
	int *depth = ossai_arena_new(&file->arena, count, sizeof *depth);
	file->first_child = ossai_arena_new(&file->arena, count, sizeof *file->first_child);
	file->next_sibling = ossai_arena_new(&file->arena, count, sizeof *file->next_sibling);
	if (!depth || !file->first_child || !file->next_sibling) return ossa_context_error(file->context)->status;
	for (size_t b = 0; b < count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		file->first_child[b] = file->next_sibling[b] = OSSA_NONE;
		depth[b] = parent < 0 ? 1 : depth[parent] + 1;
		file->deepest = depth[b] > file->deepest ? depth[b] : file->deepest;
	}
	for (size_t b = count; b-- > 1;) {
		const int32_t parent = skeleton->bones[b].parent;
		file->next_sibling[b] = file->first_child[parent];
		file->first_child[parent] = (uint32_t)b;
	}
	return OSSA_OK;
}

bool ossai_collada_walk_on(const ossai_collada *file, ossai_collada_walk *walk)
{
	if (!walk->leaving && file->first_child[walk->bone] != OSSA_NONE) {
		walk->bone = file->first_child[walk->bone];
	} else if (!walk->leaving) {
		walk->leaving = true;
	} else if (file->next_sibling[walk->bone] != OSSA_NONE) {
		walk->bone = file->next_sibling[walk->bone];
		walk->leaving = false;
	} else if (file->rig->skeleton.bones[walk->bone].parent >= 0) {
		walk->bone = (uint32_t)file->rig->skeleton.bones[walk->bone].parent;
	} else {
		return false;
	}
	return true;
}

void ossai_collada_put_name(ossai_collada *file, const char *name)
{
	char plain[OSSAI_COLLADA_ID];
	ossai_xml_name(name, plain, sizeof plain);
	ossai_markup_attribute(&file->markup, "name", file->newer ? name : plain);
}

void ossai_collada_put_whole_name(ossai_collada *file, const char *name)
{
	char plain[OSSAI_COLLADA_ID];
	ossai_xml_name(name, plain, sizeof plain);
	if (file->newer || strcmp(plain, name) == 0) return;
	ossai_collada_open_extra(file);
	ossai_markup_text_element(&file->markup, "name", name);
	ossai_collada_close_extra(file);
}

static const char *plain_name_of(ossai_collada *file, const ossa_clip *clip)
{
	char plain[OSSAI_COLLADA_ID];
	ossai_xml_name(clip->name, plain, sizeof plain);
	return join(file, 0, plain, "", 0);
}

/* whether two texts of a sorted set are this one */
static bool contains_twice(const name_set *set, const char *text)
{
	const char **at = bsearch(&text, set->texts, set->count, sizeof *set->texts, compare_texts);
	const char **end = set->texts + set->count;
	return at && ((at > set->texts && strcmp(at[-1], text) == 0) || (at + 1 < end && strcmp(at[1], text) == 0));
}

/* a clip's own name where XML allows it as an id, and neither a bone nor another clip has it:
   three.js names clips by their ids */
static ossa_status name_clips(ossai_collada *file, const name_set *ids)
{
	const size_t count = ossa_rig_clip_count(file->rig);
	name_set names = {NULL, 0};
	file->clip_ids = ossai_arena_new(&file->arena, count, sizeof *file->clip_ids);
	if (!file->clip_ids) return ossa_context_error(file->context)->status;
	for (size_t i = 0; i < count; i++) {
		file->clip_ids[i] = plain_name_of(file, ossa_rig_clip_at(file->rig, i));
		if (!file->clip_ids[i]) return ossa_context_error(file->context)->status;
	}
	OSSAI_TRY(make_set(file, file->clip_ids, count, &names));
	for (size_t i = 0; i < count; i++) {
		const char *plain = file->clip_ids[i];
		const bool has_name = ossa_rig_clip_at(file->rig, i)->name[0] != 0;
		char number[32];
		if (has_name && !needs_mark(plain) && !contains(ids, plain) && !contains_twice(&names, plain)) continue;
		snprintf(number, sizeof number, "-%zu", i + 1);
		file->clip_ids[i] = join(file, 0, "ossa-clip", i > 0 ? number : "", 0);
		if (!file->clip_ids[i]) return ossa_context_error(file->context)->status;
	}
	return OSSA_OK;
}

static ossa_status name_parts(ossai_collada *file)
{
	file->mesh_names = ossai_arena_new(&file->arena, file->parts.count, sizeof *file->mesh_names);
	if (!file->mesh_names) return ossa_context_error(file->context)->status;
	for (size_t i = 0; i < file->parts.count; i++) {
		const char *own = file->parts.items[i].mesh->name;
		file->mesh_names[i] = own[0] ? own : "mesh";
	}
	return OSSA_OK;
}

ossa_status ossai_collada_name(ossai_collada *file)
{
	name_set ids = {NULL, 0};
	OSSAI_TRY(name_parts(file));
	if (file->mesh) OSSAI_TRY(ossai_material_names(&file->arena, file->mesh, &file->material_names));
	if (!file->rig) return OSSA_OK;
	OSSAI_TRY(link_tree(file));
	OSSAI_TRY(name_bones(file, &ids));
	/* Blender takes the first sid below the root for a joint's: it must not find a matrix */
	file->matrix_sid = contains(&ids, "transform") ? "ossa-transform" : "transform";
	/* programs that find joints by name must not find the mesh */
	for (size_t i = 0; i < file->parts.count; i++) {
		if (!contains(&ids, file->mesh_names[i])) continue;
		file->mesh_names[i] = i == 0 ? "ossa-mesh" : join(file, 0, "ossa-mesh-", file->mesh_names[i], 0);
		if (!file->mesh_names[i]) return ossa_context_error(file->context)->status;
	}
	return file->clip ? name_clips(file, &ids) : OSSA_OK;
}
