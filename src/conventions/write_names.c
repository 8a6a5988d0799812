/* conventions/write_names.c: see write_names.h. */
#include "conventions/write_names.h"

#include "body/names.h"
#include "conventions/bone_words.h"
#include "conventions/find_roles.h"

#include <stdio.h>
#include <string.h>

/* of VRM 1.0, Unity's Humanoid and Godot's profile alike */
static const ossa_body_part required[] = {OSSA_PART_HIPS, OSSA_PART_SPINE, OSSA_PART_HEAD, OSSA_PART_UPPER_ARM,
	OSSA_PART_LOWER_ARM, OSSA_PART_HAND, OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT};

ossai_trunk ossai_trunk_of(const ossa_role *role, size_t bone_count)
{
	ossai_trunk trunk = {.spine = 0};
	for (size_t b = 0; b < bone_count; b++) {
		trunk.spine += role[b].part == OSSA_PART_SPINE;
		trunk.neck += role[b].part == OSSA_PART_NECK;
	}
	return trunk;
}

const ossai_convention *ossai_convention_of_style(ossa_bone_names style)
{
	static const char *const names[] = {[OSSA_NAMES_MIXAMO] = "mixamo",
		[OSSA_NAMES_UNREAL] = "unreal",
		[OSSA_NAMES_VRM] = "vrm",
		[OSSA_NAMES_UNITY] = "unity",
		[OSSA_NAMES_GODOT] = "godot",
		[OSSA_NAMES_RIGIFY] = "rigify"};
	const bool is_known = (size_t)style < sizeof names / sizeof names[0] && names[style];
	return is_known ? ossai_convention_of_name(names[style]) : NULL;
}

/* ---- one name ---- */

/* what fills the gaps of a pattern */
typedef struct filling {
	const char *side, *finger, *joint;
	char number[16];
} filling;

static const char *gap_of(const filling *f, char c)
{
	switch (c) {
	case '*': return f->side;
	case '#': return f->number;
	case '@': return f->finger;
	case '%': return f->joint;
	default: return NULL;
	}
}

static bool is_kept(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; }

static size_t append(const char *pattern, const filling *f, char *name, size_t at)
{
	for (const char *c = pattern; *c && at + 1 < OSSAI_BONE_NAME; c++) {
		const char *gap = gap_of(f, *c);
		for (; gap && *gap && at + 1 < OSSAI_BONE_NAME; gap++) name[at++] = *gap;
		if (!gap_of(f, *c)) name[at++] = *c;
	}
	name[at] = 0;
	return at;
}

/* a convention's prefix has no number when it is written: "mixamorig_" */
static bool put_name(const ossai_convention *convention, const char *pattern, const filling *f, char *name)
{
	const filling none = {.number = ""};
	append(pattern, f, name, append(convention->prefix, &none, name, 0));
	for (char *c = name; *c; c++) *c = (char)(is_kept(*c) ? *c : '_');
	return true;
}

/* the bone of a row at `number` of `count`, from 1 on */
static bool put_row(
	const ossai_convention *convention, const ossai_row_names *row, int number, int count, int begin, char *name)
{
	filling f = {.number = ""};
	number = number > 0 ? number : 1;
	if (row->fixed[0]) {
		const bool is_middle = count > 1 && number == (count > 2 ? count / 2 + 1 : 2);
		const int which = number == 1 ? 0 : count > 2 && number == count ? 2 : is_middle ? 1 : -1;
		return which >= 0 && put_name(convention, row->fixed[which], &f, name);
	}
	if (number == 1 && row->first) return put_name(convention, row->first, &f, name);
	if (!row->numbered) return false;
	snprintf(f.number, sizeof f.number, "%0*d", row->digits, begin + number - 1);
	return put_name(convention, row->numbered, &f, name);
}

static bool put_finger(const ossai_convention *convention, ossa_role role, const char *side, char *name)
{
	const ossai_finger_names *names = &convention->fingers;
	const int finger = (int)role.part - OSSA_PART_THUMB, joint = role.number > 0 ? role.number - 1 : 0;
	if (!names->pattern || joint >= OSSAI_PHALANGES || role.side == 0) return false;
	const bool own = finger == 0 && names->thumb_joint[0];
	const filling f = {
		.side = side, .finger = names->finger[finger], .joint = own ? names->thumb_joint[joint] : names->joint[joint]};
	return put_name(convention, names->pattern, &f, name);
}

static bool has_gap(const char *pattern, char gap) { return strchr(pattern, gap) != NULL; }

/* a part by its first name; the second and later bones of one that is split by the name with a
   number */
static bool put_part(const ossai_convention *convention, ossa_role role, const char *side, char *name)
{
	const bool is_later = role.number > 1;
	filling f = {.side = side};
	snprintf(f.number, sizeof f.number, "%03d", role.number - 1);
	for (size_t i = 0; i < OSSAI_CONVENTION_ROWS && convention->row[i].pattern; i++) {
		const char *pattern = convention->row[i].pattern;
		if (convention->row[i].part != role.part || has_gap(pattern, '#') != is_later) continue;
		if (has_gap(pattern, '*') != (role.side != 0)) continue;
		return put_name(convention, pattern, &f, name);
	}
	return false;
}

/* numbers of the neck go on behind those of the spine where both are one chain */
static int neck_begin(const ossai_convention *convention, ossai_trunk trunk)
{
	const ossai_row_names *spine = &convention->spine, *neck = &convention->neck;
	const bool is_chain = spine->numbered && neck->numbered && strcmp(spine->numbered, neck->numbered) == 0;
	const int next = spine->begin + trunk.spine;
	return is_chain && next > neck->begin ? next : neck->begin;
}

/* the head ends the chain of Rigify's trunk, two bones behind where a usual neck begins */
static bool put_head(const ossai_convention *convention, ossai_trunk trunk, char *name)
{
	const ossai_row_names *spine = &convention->spine, *neck = &convention->neck;
	const bool is_chain = spine->numbered && neck->numbered && strcmp(spine->numbered, neck->numbered) == 0;
	if (!is_chain) return put_part(convention, (ossa_role){.part = OSSA_PART_HEAD}, "", name);
	const int count = trunk.neck > 2 ? trunk.neck : 2;
	return put_row(convention, neck, count + 1, count, neck_begin(convention, trunk), name);
}

bool ossai_convention_name(const ossai_convention *convention, ossai_trunk trunk, ossa_role role, char *name)
{
	const char *side = role.side > 0 ? convention->side[0] : convention->side[1];
	name[0] = 0;
	if (strcmp(convention->name, "body") == 0) {
		ossai_role_name(role, name, OSSAI_BONE_NAME);
		return name[0] != 0;
	}
	switch (role.part) {
	case OSSA_PART_NONE: return false;
	case OSSA_PART_HEAD: return put_head(convention, trunk, name);
	case OSSA_PART_SPINE:
		return put_row(convention, &convention->spine, role.number, trunk.spine, convention->spine.begin, name);
	case OSSA_PART_NECK:
		return put_row(convention, &convention->neck, role.number, trunk.neck, neck_begin(convention, trunk), name);
	case OSSA_PART_THUMB:
	case OSSA_PART_INDEX:
	case OSSA_PART_MIDDLE:
	case OSSA_PART_RING:
	case OSSA_PART_LITTLE: return put_finger(convention, role, side, name);
	default: return put_part(convention, role, side, name);
	}
}

/* ---- all names ---- */

typedef struct naming {
	const ossai_convention *convention;
	const ossa_skeleton *skeleton;
	char (*name)[OSSAI_BONE_NAME]; /* B: new ones; "": not yet */
	uint32_t *named;               /* the bones with new names */
	size_t named_count;
} naming;

/* A bone that the convention knows and no body has, as twist bones: its own name with the
   convention's spelling of the side. */
static void respell(const naming *n, size_t bone)
{
	const char *own = n->skeleton->bones[bone].name;
	const size_t length = strlen(own);
	const ossai_bone_word whole = ossai_bone_word_of(own), word = ossai_bone_word_without(&whole, n->convention->prefix);
	for (size_t i = 0; i < OSSAI_CONVENTION_ROWS && n->convention->row[i].pattern; i++) {
		int side;
		if (n->convention->row[i].part != OSSA_PART_NONE) continue;
		if (ossai_bone_word_match(&word, n->convention->row[i].pattern, n->convention->side, &side) == OSSAI_MATCH_NONE)
			continue;
		const bool ends = length > 2 && side != 0 && own[length - 2] == '_' && strlen(n->convention->side[0]) == 1;
		snprintf(n->name[bone], OSSAI_BONE_NAME, "%.*s%s", (int)(ends ? length - 1 : length), own,
			ends ? n->convention->side[side > 0 ? 0 : 1] : "");
		return;
	}
}

static bool is_taken(const naming *n, const char *name)
{
	for (size_t i = 0; i < n->named_count; i++) {
		if (strcmp(n->name[n->named[i]], name) == 0) return true;
	}
	return false;
}

/* whether a bone that keeps its name has it */
static bool is_kept_name(const naming *n, const char *name)
{
	for (size_t b = 0; b < n->skeleton->bone_count; b++) {
		if (!n->name[b][0] && strcmp(n->skeleton->bones[b].name, name) == 0) return true;
	}
	return false;
}

static void add_named(naming *n, size_t bone) { n->named[n->named_count++] = (uint32_t)bone; }

/* its own name, with a number where another bone has it now */
static void keep_name(naming *n, size_t bone)
{
	const char *own = n->skeleton->bones[bone].name;
	char name[OSSAI_BONE_NAME];
	if (!is_taken(n, own)) return;
	for (int number = 2;; number++) {
		snprintf(name, sizeof name, "%.50s_%d", own, number);
		if (!is_taken(n, name) && !is_kept_name(n, name)) break;
	}
	memcpy(n->name[bone], name, sizeof name);
	add_named(n, bone);
}

static size_t name_all(naming *n, const ossa_role *role)
{
	const size_t bones = n->skeleton->bone_count;
	const ossai_trunk trunk = ossai_trunk_of(role, bones);
	size_t unnamed = 0;
	for (size_t b = 0; b < bones; b++) {
		char name[OSSAI_BONE_NAME];
		const bool has_name = ossai_convention_name(n->convention, trunk, role[b], name) && !is_taken(n, name);
		if (!has_name) continue;
		memcpy(n->name[b], name, sizeof name);
		add_named(n, b);
	}
	for (size_t b = 0; b < bones; b++) {
		if (n->name[b][0]) continue;
		respell(n, b);
		if (n->name[b][0] && !is_taken(n, n->name[b])) add_named(n, b);
		else n->name[b][0] = 0;
		unnamed += !n->name[b][0];
	}
	for (size_t b = 0; b < bones; b++) {
		if (!n->name[b][0]) keep_name(n, b);
	}
	return unnamed;
}

static void take_names(const naming *n, ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (n->name[b][0]) memcpy(skeleton->bones[b].name, n->name[b], OSSAI_BONE_NAME);
	}
}

ossa_status ossai_write_names(ossa_context *context, ossa_skeleton *skeleton, const ossai_convention *convention)
{
	const size_t bones = skeleton->bone_count;
	ossai_arena arena = ossai_arena_begin(context);
	naming n = {.convention = convention, .skeleton = skeleton};
	ossa_role *role = ossai_arena_new(&arena, bones, sizeof *role);
	n.name = ossai_arena_zero(&arena, bones, sizeof *n.name);
	n.named = ossai_arena_new(&arena, bones, sizeof *n.named);
	ossa_status status = OSSA_OK;
	if (!role || !n.name || !n.named) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_find_roles(context, skeleton, role, NULL);
	if (status == OSSA_OK) {
		const size_t unnamed = name_all(&n, role);
		take_names(&n, skeleton);
		if (unnamed > 0) {
			ossai_warn(context, "unnamed-bones", (int64_t)unnamed,
				"names of %s: it has none for these bones, which keep their own", convention->title);
		}
	}
	ossai_arena_end(&arena);
	return status;
}

ossa_body_part ossai_missing_part(const ossa_role *role, size_t bone_count, int *side)
{
	for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
		const bool is_pair = required[i] >= OSSA_PART_UPPER_ARM;
		for (*side = is_pair ? 1 : 0; *side >= (is_pair ? -1 : 0); *side -= 2) {
			if (ossai_bone_of_role(role, bone_count, required[i], *side) < 0) return required[i];
		}
	}
	*side = 0;
	return OSSA_PART_NONE;
}
