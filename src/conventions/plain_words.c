/* conventions/plain_words.c: see named_bones.h. */
#include "conventions/named_bones.h"

#include <stdio.h>
#include <string.h>

typedef struct plain_word {
	ossa_body_part part; /* NONE: the rules below say */
	const char *word;
} plain_word;

static const plain_word dictionary[] = {
	{OSSA_PART_HIPS, "hips"},
	{OSSA_PART_HIPS, "pelvis"},
	{OSSA_PART_HIPS, "spinebase"},
	{OSSA_PART_NONE, "hip"},
	{OSSA_PART_SPINE, "spine"},
	{OSSA_PART_SPINE, "abdomen"},
	{OSSA_PART_SPINE, "waist"},
	{OSSA_PART_SPINE, "belly"},
	{OSSA_PART_SPINE, "stomach"},
	{OSSA_PART_SPINE, "torso"},
	{OSSA_PART_SPINE, "chest"},
	{OSSA_PART_SPINE, "upperchest"},
	{OSSA_PART_SPINE, "thorax"},
	{OSSA_PART_SPINE, "ribcage"},
	{OSSA_PART_SPINE, "ribs"},
	{OSSA_PART_SPINE, "back"},
	{OSSA_PART_SPINE, "lowerback"},
	{OSSA_PART_SPINE, "upperback"},
	{OSSA_PART_SPINE, "lowerspine"},
	{OSSA_PART_SPINE, "upperspine"},
	{OSSA_PART_SPINE, "upperbody"},
	{OSSA_PART_SPINE, "lowertorso"},
	{OSSA_PART_SPINE, "uppertorso"},
	{OSSA_PART_SPINE, "spinemid"},
	{OSSA_PART_SPINE, "spineshoulder"},
	{OSSA_PART_NECK, "neck"},
	{OSSA_PART_NECK, "necktwist"},
	{OSSA_PART_HEAD, "head"},
	{OSSA_PART_HEAD, "skull"},
	{OSSA_PART_CLAVICLE, "clavicle"},
	{OSSA_PART_CLAVICLE, "collar"},
	{OSSA_PART_CLAVICLE, "collarbone"},
	{OSSA_PART_NONE, "shoulder"},
	{OSSA_PART_UPPER_ARM, "upperarm"},
	{OSSA_PART_UPPER_ARM, "uparm"},
	{OSSA_PART_UPPER_ARM, "armupper"},
	{OSSA_PART_UPPER_ARM, "bicep"},
	{OSSA_PART_UPPER_ARM, "biceps"},
	{OSSA_PART_UPPER_ARM, "humerus"},
	{OSSA_PART_NONE, "arm"},
	{OSSA_PART_LOWER_ARM, "lowerarm"},
	{OSSA_PART_LOWER_ARM, "lowarm"},
	{OSSA_PART_LOWER_ARM, "armlower"},
	{OSSA_PART_LOWER_ARM, "forearm"},
	{OSSA_PART_LOWER_ARM, "radius"},
	{OSSA_PART_NONE, "elbow"},
	{OSSA_PART_HAND, "hand"},
	{OSSA_PART_NONE, "wrist"},
	{OSSA_PART_NONE, "palm"},
	{OSSA_PART_UPPER_LEG, "upperleg"},
	{OSSA_PART_UPPER_LEG, "upleg"},
	{OSSA_PART_UPPER_LEG, "legupper"},
	{OSSA_PART_UPPER_LEG, "thigh"},
	{OSSA_PART_UPPER_LEG, "femur"},
	{OSSA_PART_NONE, "leg"},
	{OSSA_PART_LOWER_LEG, "lowerleg"},
	{OSSA_PART_LOWER_LEG, "lowleg"},
	{OSSA_PART_LOWER_LEG, "leglower"},
	{OSSA_PART_LOWER_LEG, "shin"},
	{OSSA_PART_LOWER_LEG, "calf"},
	{OSSA_PART_LOWER_LEG, "shank"},
	{OSSA_PART_LOWER_LEG, "tibia"},
	{OSSA_PART_NONE, "knee"},
	{OSSA_PART_FOOT, "foot"},
	{OSSA_PART_FOOT, "feet"},
	{OSSA_PART_FOOT, "paw"},
	{OSSA_PART_FOOT, "hoof"},
	{OSSA_PART_NONE, "ankle"},
	{OSSA_PART_TOES, "toes"},
	{OSSA_PART_TOES, "toe"},
	{OSSA_PART_TOES, "toebase"},
	{OSSA_PART_TOES, "ball"},
	{OSSA_PART_THUMB, "thumb"},
	{OSSA_PART_THUMB, "handthumb"},
	{OSSA_PART_INDEX, "index"},
	{OSSA_PART_INDEX, "handindex"},
	{OSSA_PART_MIDDLE, "middle"},
	{OSSA_PART_MIDDLE, "handmiddle"},
	{OSSA_PART_MIDDLE, "mid"},
	{OSSA_PART_RING, "ring"},
	{OSSA_PART_RING, "handring"},
	{OSSA_PART_LITTLE, "little"},
	{OSSA_PART_LITTLE, "pinky"},
	{OSSA_PART_LITTLE, "handpinky"},
	{OSSA_PART_LITTLE, "pinkie"},
	{OSSA_PART_TAIL, "tail"},
	{OSSA_PART_EAR, "ear"},
	{OSSA_PART_WING, "wing"},
};

enum { WORDS = sizeof dictionary / sizeof dictionary[0] };

/* A word of several meanings is `becomes` where bones of the part `needs` are there and none of
   `becomes`; NONE: nothing is needed. In order. */
typedef struct meaning {
	const char *word;
	int number; /* which bone of that word, from the trunk outward; 0: any */
	ossa_body_part becomes, needs;
} meaning;

static const meaning meanings[] = {
	{"arm", 0, OSSA_PART_LOWER_ARM, OSSA_PART_UPPER_ARM},
	{"arm", 0, OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM},
	/* three bones before a hand begin with the clavicle */
	{"arm", 3, OSSA_PART_LOWER_ARM, OSSA_PART_HAND},
	{"arm", 2, OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM},
	{"arm", 1, OSSA_PART_CLAVICLE, OSSA_PART_UPPER_ARM},
	{"arm", 1, OSSA_PART_UPPER_ARM, OSSA_PART_NONE},
	{"arm", 2, OSSA_PART_LOWER_ARM, OSSA_PART_NONE},
	{"elbow", 0, OSSA_PART_LOWER_ARM, OSSA_PART_NONE},
	{"shoulder", 0, OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM},
	{"shoulder", 0, OSSA_PART_CLAVICLE, OSSA_PART_UPPER_ARM},
	{"wrist", 0, OSSA_PART_HAND, OSSA_PART_NONE},
	{"palm", 0, OSSA_PART_HAND, OSSA_PART_NONE},
	{"leg", 0, OSSA_PART_LOWER_LEG, OSSA_PART_UPPER_LEG},
	{"leg", 0, OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG},
	{"leg", 1, OSSA_PART_UPPER_LEG, OSSA_PART_NONE},
	{"leg", 2, OSSA_PART_LOWER_LEG, OSSA_PART_NONE},
	{"knee", 0, OSSA_PART_LOWER_LEG, OSSA_PART_NONE},
	{"hip", 0, OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG},
	{"ankle", 0, OSSA_PART_FOOT, OSSA_PART_NONE},
	{"foot", 2, OSSA_PART_TOES, OSSA_PART_FOOT},
	/* a limb of one bone */
	{"arm", 0, OSSA_PART_UPPER_ARM, OSSA_PART_NONE},
	{"leg", 0, OSSA_PART_UPPER_LEG, OSSA_PART_NONE},
};

/* say nothing of the part */
static const char *const noise[] = {"jnt", "joint", "bone", "def", "b", "bn", "bind", "sk", "j", "bip", "c", "m", "f", "finger",
	"phalanx", "proximal", "intermediate", "distal"};

static const char *const lefts[] = {"l", "left", "lf"}, *const rights[] = {"r", "right", "rt"};
static const char *const fronts[] = {"front", "fore"}, *const backs[] = {"back", "hind", "rear"};

#define IS_ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof((list)[0]))

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, list[i]) == 0) return true;
	}
	return false;
}

/* A name's words. */
typedef struct reading {
	char all[OSSAI_BONE_NAME];      /* joined, without sides, numbers and noise */
	char unpaired[OSSAI_BONE_NAME]; /* the same without what tells front from back */
	int side, number;
	int pair;  /* of legs: +1 front, -1 back, 0 not said */
	int entry; /* of the dictionary; -1 */
	ossa_body_part part;
} reading;

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* the length of the first word: "Left" of LeftArm, "L" of LArm, "01" of 01_L */
static size_t word_length(const char *text)
{
	size_t length = 1;
	if (is_digit(text[0])) return strspn(text, "0123456789");
	while (is_lower(text[length]) || is_upper(text[length])) {
		if (is_upper(text[length]) && (is_lower(text[length - 1]) || is_lower(text[length + 1]))) break;
		length++;
	}
	return length;
}

static void read_word(const char *word, reading *r)
{
	if (is_digit(word[0])) {
		r->number = 0;
		for (const char *c = word; *c && r->number < 1000; c++) r->number = 10 * r->number + (*c - '0');
		return;
	}
	if (IS_ONE_OF(word, lefts) || IS_ONE_OF(word, rights)) {
		r->side = IS_ONE_OF(word, lefts) ? 1 : -1;
		return;
	}
	if (IS_ONE_OF(word, noise)) return;
	strncat(r->all, word, sizeof r->all - strlen(r->all) - 1);
	if (IS_ONE_OF(word, fronts)) r->pair = 1;
	else if (IS_ONE_OF(word, backs)) r->pair = -1;
	else strncat(r->unpaired, word, sizeof r->unpaired - strlen(r->unpaired) - 1);
}

static int entry_of(const char *word)
{
	for (int i = 0; i < WORDS; i++) {
		if (strcmp(dictionary[i].word, word) == 0) return i;
	}
	return -1;
}

/* the part of a front or back leg that a part of an arm or leg is */
static ossa_body_part paired(ossa_body_part part, int pair)
{
	if (pair == 0) return part;
	const ossa_body_part first = pair > 0 ? OSSA_PART_FRONT_UPPER_LEG : OSSA_PART_BACK_UPPER_LEG;
	switch (part) {
	case OSSA_PART_UPPER_ARM:
	case OSSA_PART_UPPER_LEG: return first;
	case OSSA_PART_LOWER_ARM:
	case OSSA_PART_LOWER_LEG: return (ossa_body_part)(first + 1);
	case OSSA_PART_HAND:
	case OSSA_PART_FOOT: return (ossa_body_part)(first + 2);
	case OSSA_PART_TOES: return (ossa_body_part)(first + 3);
	default: return OSSA_PART_NONE;
	}
}

/* trunk and tail have no side, limbs have one */
static bool is_medial(ossa_body_part part)
{
	return part == OSSA_PART_HIPS || part == OSSA_PART_SPINE || part == OSSA_PART_NECK || part == OSSA_PART_HEAD ||
		part == OSSA_PART_TAIL;
}

static reading read_name(const char *text)
{
	reading r = {.entry = -1};
	while (*text) {
		if (!is_digit(*text) && !is_lower(*text) && !is_upper(*text)) {
			text++;
			continue;
		}
		char word[OSSAI_BONE_NAME];
		const size_t length = word_length(text);
		for (size_t i = 0; i < length; i++) word[i] = (char)(is_upper(text[i]) ? text[i] - 'A' + 'a' : text[i]);
		word[length] = 0;
		read_word(word, &r);
		text += length;
	}
	r.entry = entry_of(r.all);
	if (r.entry >= 0) r.pair = 0;
	else r.entry = entry_of(r.unpaired);
	if (r.entry < 0) return r;
	r.part = paired(dictionary[r.entry].part, r.pair);
	if (strcmp(r.all, "hip") == 0 && r.side == 0) r.part = OSSA_PART_HIPS;
	return r;
}

/* whether the bone is the meaning's word; a second foot is the one word that says a part itself */
static bool is_meant(const reading *r, const meaning *m, int shift)
{
	if (r->entry < 0 || strcmp(dictionary[r->entry].word, m->word) != 0) return false;
	if (m->number != 0 && r->number + shift != m->number) return false;
	return r->part == OSSA_PART_NONE || dictionary[r->entry].part != OSSA_PART_NONE;
}

/* 1 where the first of several bones of a word has no number: arm, arm_1 or arm.001 */
static int number_shift(const meaning *m, const reading *readings, size_t count)
{
	bool has_first = false, has_number = false;
	for (size_t b = 0; b < count; b++) {
		if (readings[b].entry < 0 || strcmp(dictionary[readings[b].entry].word, m->word) != 0) continue;
		has_first = has_first || readings[b].number == 0;
		has_number = has_number || readings[b].number == 1;
	}
	return has_first && has_number;
}

/* of front legs, back legs, and what is neither each for itself */
static void apply(const meaning *m, reading *readings, size_t count)
{
	const int shift = number_shift(m, readings, count);
	bool has[3] = {false, false, false}, has_needed[3] = {false, false, false};
	for (size_t b = 0; b < count; b++) {
		for (int pair = -1; pair <= 1 && readings[b].part != OSSA_PART_NONE; pair++) {
			has[pair + 1] = has[pair + 1] || readings[b].part == paired(m->becomes, pair);
			has_needed[pair + 1] = has_needed[pair + 1] || readings[b].part == paired(m->needs, pair);
		}
	}
	for (size_t b = 0; b < count; b++) {
		const int pair = readings[b].pair + 1;
		if (!is_meant(&readings[b], m, shift) || has[pair] || (m->needs != OSSA_PART_NONE && !has_needed[pair])) continue;
		readings[b].part = paired(m->becomes, readings[b].pair);
	}
}

static bool is_finger(ossa_body_part part) { return part >= OSSA_PART_THUMB && part <= OSSA_PART_LITTLE; }

/* a hand alone needs no side, nor do its fingers */
static bool is_hand_alone(const reading *readings, size_t count)
{
	for (size_t b = 0; b < count; b++) {
		if (readings[b].part == OSSA_PART_HAND && readings[b].side == 0) return true;
	}
	return false;
}

static bool is_named(const reading *r, bool hand_alone)
{
	if (r->part == OSSA_PART_NONE) return false;
	const bool is_free = hand_alone && (r->part == OSSA_PART_HAND || is_finger(r->part));
	return is_free || is_medial(r->part) == (r->side == 0);
}

ossa_status ossai_plain_bones(ossa_context *context, size_t bone_count, const ossai_bone_word *words, ossai_named_bone *named)
{
	reading *readings = ossai_new(context, bone_count, sizeof *readings);
	if (!readings) return ossa_context_error(context)->status;
	for (size_t b = 0; b < bone_count; b++) readings[b] = read_name(words[b].text);
	for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) apply(&meanings[i], readings, bone_count);
	const bool hand_alone = is_hand_alone(readings, bone_count);
	for (size_t b = 0; b < bone_count; b++) {
		const reading *r = &readings[b];
		const bool is_part = is_named(r, hand_alone);
		named[b] = (ossai_named_bone){.is_known = is_part, .name = r->entry};
		if (is_part) named[b].role = (ossa_role){.part = r->part, .side = r->side};
	}
	ossa_free(context, readings);
	return OSSA_OK;
}
