/* tests/skeleton/naming/test_names_characters.c: ossa's names of bones that it finds in game
   characters' frames, against the artists': a bone corresponds to the artist's body part that
   moves most of its skin. Skipped without the characters. */
#include "support/support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of the named bones so many must be right; and so many of all must be named, or no body is
   recognized any more */
static const double precision_least = 0.92, recall_least = 0.95;
/* of the bones of a side so many must be of the artist's side: one file exchanges its thumbs */
static const double sides_least = 0.9;

/* artists' words, in lower case, in the order in which they are looked for */
typedef struct word {
	const char *text, *part;
} word;

static const word artists_words[] = {{"middlehand", "hand"}, {"thumb", "thumb"}, {"index", "index"}, {"middle", "middle"},
	{"ring-f", "ring"}, {"ring1", "ring"}, {"ring2", "ring"}, {"pinky", "pinky"}, {"head", "head"}, {"vent", "head"},
	{"ear1", "head"}, {"ear2", "head"}, {"ear3", "head"}, {"ear4", "head"}, {"neck", "neck"}, {"tail", "tail"},
	{"finger", "hand"}, {"palm", "hand"}, {"hand", "hand"}, {"wrist", "hand"}, {"lowerarm", "lowerarm"},
	{"forearm", "lowerarm"}, {"upperarm", "upperarm"}, {"-arm", "upperarm"}, {"frontshoulder", "trunk"},
	{"backshoulder", "trunk"}, {"shoulder", "upperarm"}, {"toes", "foot"}, {"foot", "foot"}, {"ff", "foot"},
	{"ikfront", "foot"}, {"ikback", "foot"}, {"lowerleg", "calf"}, {"-leg", "calf"}, {"upperleg", "thigh"},
	{"backleg", "thigh"}, {"thigh", "thigh"}, {"hip", "trunk"}, {"body", "trunk"}, {"back", "trunk"}, {"torso", "trunk"},
	{"spine", "trunk"}, {"chest", "trunk"}, {"abdomen", "trunk"}, {"waist", "trunk"}};
/* the horse's legs are named from the elbow and the stifle on, where they leave the trunk: its
   front upper leg is the forearm, its lower legs are the cannons */
static const word horse_words[] = {{"head", "head"}, {"ear", "head"}, {"neck", "neck"}, {"tail", "tail"}, {"ff", "foot"},
	{"ikfront", "foot"}, {"ikback", "foot"}, {"frontupperleg", "calf"}, {"frontlowerleg", "foot"}, {"backupperleg", "calf"},
	{"backlowerleg", "foot"}, {"backleg", "thigh"}, {"shoulder", "trunk"}, {"foot", "foot"}, {"body", "trunk"},
	{"back", "trunk"}, {"torso", "trunk"}};
/* the fox is rigged with a person's words */
static const word fox_words[] = {{"upperarm", "thigh"}, {"forearm", "calf"}, {"hand", "foot"}, {"leg01", "thigh"},
	{"leg02", "calf"}, {"foot", "foot"}, {"tail", "tail"}, {"neck", "neck"}, {"head", "head"}, {"hip", "trunk"},
	{"spine", "trunk"}};
/* artists' shoulders are clavicles, and count as upper arms */
static const word ossa_words[] = {{"upperleg", "thigh"}, {"lowerleg", "calf"}, {"thigh", "thigh"}, {"calf", "calf"},
	{"foot", "foot"}, {"toe", "foot"}, {"clavicle", "upperarm"}, {"upperarm", "upperarm"}, {"lowerarm", "lowerarm"},
	{"hand", "hand"}, {"spine", "trunk"}, {"torso", "trunk"}, {"pelvis", "trunk"}, {"neck", "neck"}, {"head", "head"},
	{"tail", "tail"}, {"thumb", "thumb"}, {"index", "index"}, {"middle", "middle"}, {"ring", "ring"}, {"pinky", "pinky"}};

typedef struct character {
	const char *folder, *file;
	/* whose first frame shows which vertices are the same; NULL: the rest poses do */
	const char *clip;
	const word *words;
	size_t word_count;
	bool is_human;   /* has hips, which are the root */
	bool is_swapped; /* what the file calls left is the right */
} character;

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define ARTISTS artists_words, COUNT(artists_words)

static const character characters[] = {{"fox_khr", "Fox.glb", NULL, fox_words, COUNT(fox_words), false, false},
	{"godot_player", "player.glb", NULL, ARTISTS, true, true}, {"kaykit_knight", "Knight.glb", NULL, ARTISTS, true, false},
	{"q_horse", "Horse.glb", NULL, horse_words, COUNT(horse_words), false, false},
	{"q_knight", "KnightCharacter.glb", "HumanArmature|Run", ARTISTS, true, false},
	{"raylib_robot", "robot.glb", NULL, ARTISTS, true, false}, {"webxr_hand_left", "left.glb", NULL, ARTISTS, false, false}};

static const char *part_of(const char *name, const word *words, size_t count)
{
	char lower[64] = "";
	for (size_t i = 0; i + 1 < sizeof lower && name[i]; i++) lower[i] = (char)tolower((unsigned char)name[i]);
	for (size_t i = 0; i < count; i++) {
		if (strstr(lower, words[i].text)) return words[i].part;
	}
	return "?";
}

/* ---- whose skin is it ---- */

static size_t nearest_vertex(size_t count, const float *positions, const float *p)
{
	size_t best = 0;
	double least = INFINITY;
	for (size_t v = 0; v < count; v++) {
		const float *q = positions + 3 * v;
		const double away = pow((double)p[0] - q[0], 2) + pow((double)p[1] - q[1], 2) + pow((double)p[2] - q[2], 2);
		if (away < least) best = v;
		least = fmin(least, away);
	}
	return best;
}

/* surface that follows both a bone of ours and an artist's, B x A; the positions are of one pose */
static double *measure_overlap(
	const ossa_rig *ours, const float *positions, const ossa_rig *artists, const float *artists_positions)
{
	const size_t count = artists->skeleton.bone_count;
	const ossa_weights *w = &ours->weights, *a = &artists->weights;
	double *overlap = calloc(ours->skeleton.bone_count * count, sizeof *overlap),
		   *surface = calloc(w->vertex_count, sizeof *surface);
	assert_true(overlap && surface);
	for (size_t t = 0; t < ours->mesh->triangle_count; t++) {
		const uint32_t *v = ours->mesh->triangles + 3 * t;
		const float *p = ours->mesh->positions + 3 * v[0], *q = ours->mesh->positions + 3 * v[1],
					*r = ours->mesh->positions + 3 * v[2];
		const double x = (double)(q[1] - p[1]) * (r[2] - p[2]) - (double)(q[2] - p[2]) * (r[1] - p[1]);
		const double y = (double)(q[2] - p[2]) * (r[0] - p[0]) - (double)(q[0] - p[0]) * (r[2] - p[2]);
		const double z = (double)(q[0] - p[0]) * (r[1] - p[1]) - (double)(q[1] - p[1]) * (r[0] - p[0]);
		for (int k = 0; k < 3; k++) surface[v[k]] += sqrt(x * x + y * y + z * z);
	}
	for (size_t v = 0; v < w->vertex_count; v++) {
		const size_t other = nearest_vertex(a->vertex_count, artists_positions, positions + 3 * v);
		for (size_t i = v * (size_t)w->influences; i < (v + 1) * (size_t)w->influences; i++) {
			for (size_t j = other * (size_t)a->influences; j < (other + 1) * (size_t)a->influences; j++) {
				overlap[w->bones[i] * count + a->bones[j]] += (double)w->values[i] * a->values[j] * surface[v];
			}
		}
	}
	free(surface);
	return overlap;
}

/* the part that has most of a bone's skin */
static const char *largest_part(const character *c, const ossa_rig *artists, const double *overlap)
{
	const char *best = "?";
	double most = 0;
	for (size_t a = 0; a < artists->skeleton.bone_count; a++) {
		const char *part = part_of(artists->skeleton.bones[a].name, c->words, c->word_count);
		double sum = 0;
		for (size_t b = 0; b < artists->skeleton.bone_count; b++) {
			if (strcmp(part, part_of(artists->skeleton.bones[b].name, c->words, c->word_count)) == 0) sum += overlap[b];
		}
		if (sum > most) best = part;
		most = fmax(most, sum);
	}
	return best;
}

/* 1 left, -1 right, 0 neither, by the artist's name */
static int artists_side(const character *c, const char *name)
{
	const size_t length = strlen(name);
	const char *end = name + length - (length > 2 ? 2 : length);
	const bool left = strncmp(name, "l-", 2) == 0 || strncmp(name, "l_", 2) == 0 || strstr(name, "Left") ||
		strcmp(end, ".L") == 0 || strcmp(end, "_L") == 0 || strcmp(end, ".l") == 0 || strcmp(end, "_l") == 0;
	const bool right = strncmp(name, "r-", 2) == 0 || strncmp(name, "r_", 2) == 0 || strstr(name, "Right") ||
		strcmp(end, ".R") == 0 || strcmp(end, "_R") == 0 || strcmp(end, ".r") == 0 || strcmp(end, "_r") == 0;
	return (left - right) * (c->is_swapped ? -1 : 1);
}

/* the side that has most of a bone's skin */
static int largest_side(const character *c, const ossa_rig *artists, const double *overlap)
{
	double sum = 0;
	for (size_t a = 0; a < artists->skeleton.bone_count; a++)
		sum += overlap[a] * artists_side(c, artists->skeleton.bones[a].name);
	return (sum > 0) - (sum < 0);
}

static int side_of(const char *name)
{
	const size_t length = strlen(name);
	const char *end = name + length - (length > 2 ? 2 : length);
	return (strcmp(end, "_L") == 0) - (strcmp(end, "_R") == 0);
}

/* ---- characters ---- */

/* what is compared, with the vertices of both in one pose */
typedef struct pair {
	ossa_rig *ours, *artists;
	float *positions, *artists_positions;
} pair;

static float *copy_positions(const float *from, size_t vertex_count)
{
	float *to = malloc(3 * vertex_count * sizeof *to);
	assert_non_null(to);
	memcpy(to, from, 3 * vertex_count * sizeof *to);
	return to;
}

static void rig_character(ossa_context *context, const char *folder, const character *c, pair *p)
{
	char path[1024];
	ossa_mesh *rest;
	ossa_frames *frames;
	snprintf(path, sizeof path, "%s/rest.obj", folder);
	assert_ok(context, ossa_read_mesh(context, path, NULL, &rest));
	snprintf(path, sizeof path, "%s/frame_#.obj", folder);
	assert_ok(context, ossa_read_frames(context, rest, 1, &(const char *){path}, false, NULL, &frames));
	ossa_rig_result made;
	ossa_frame_stream *stream;
	/* names of the bones that the motion shows */
	ossa_rig_options options = ossa_rig_default();
	options.articulation = OSSA_ARTICULATION_LIMBS;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){.mesh = rest, .frames = stream}, &options, &made));
	p->ours = made.rig;
	made.rig = NULL;
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	p->positions = copy_positions(c->clip ? frames->positions : rest->positions, rest->vertex_count);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
}

static void read_artists(ossa_context *context, const char *folder, const character *c, pair *p)
{
	char path[1024];
	ossa_read_options options = ossa_read_default();
	if (c->clip) snprintf(options.clip, sizeof options.clip, "%s", c->clip);
	snprintf(path, sizeof path, "%s/%s", folder, c->file);
	assert_ok(context, ossa_read_rig(context, path, &options, &p->artists));
	p->artists_positions = copy_positions(p->artists->mesh->positions, p->artists->mesh->vertex_count);
	if (c->clip) assert_ok(context, ossa_rig_pose(context, p->artists, NULL, p->artists->clip, 0, p->artists_positions));
}

static bool has_number(const char *name) { return strncmp(name, "bone_", 5) == 0 || strcmp(name, "root") == 0; }

typedef struct score {
	size_t bones, named, right;
	size_t sided, on_side; /* bones with a side, and on the artist's */
} score;

/* a hand without bones for its fingers has the skin of both */
static bool is_right(const char *found, const char *expected)
{
	static const char *const fingers[] = {"thumb", "index", "middle", "ring", "pinky"};
	bool is_finger = false;
	for (size_t i = 0; i < COUNT(fingers); i++) is_finger |= strcmp(expected, fingers[i]) == 0;
	return strcmp(found, expected) == 0 || (strcmp(found, "hand") == 0 && is_finger);
}

/* what bears an arm is trunk, although the head that moves with it has more skin */
static bool is_chest(const ossa_rig *rig, size_t bone, const char *found, const char *expected)
{
	bool bears_arm = false;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_body_part part = rig->skeleton.bones[b].role.part;
		const bool is_arm = part == OSSA_PART_UPPER_ARM || part == OSSA_PART_CLAVICLE;
		bears_arm = bears_arm || (is_arm && rig->skeleton.bones[b].parent == (int32_t)bone);
	}
	return bears_arm && strcmp(found, "trunk") == 0 && strcmp(expected, "head") == 0;
}

static void judge_character(ossa_context *context, const char *corpus, const character *c, score *sum)
{
	char folder[512];
	pair p;
	snprintf(folder, sizeof folder, "%s/%s", corpus, c->folder);
	rig_character(context, folder, c, &p);
	read_artists(context, folder, c, &p);
	double *overlap = measure_overlap(p.ours, p.positions, p.artists, p.artists_positions);
	score own = {.bones = p.ours->skeleton.bone_count};
	if (c->is_human) assert_string_equal(p.ours->skeleton.bones[0].name, "pelvis");
	for (size_t b = 0; b < own.bones; b++) {
		const char *name = p.ours->skeleton.bones[b].name;
		if (has_number(name)) continue;
		const char *found = part_of(name, ossa_words, COUNT(ossa_words));
		const char *expected = largest_part(c, p.artists, overlap + b * p.artists->skeleton.bone_count);
		own.named++;
		own.sided += side_of(name) != 0;
		own.on_side += side_of(name) != 0 &&
			side_of(name) == largest_side(c, p.artists, overlap + b * p.artists->skeleton.bone_count);
		if (is_right(found, expected) || is_chest(p.ours, b, found, expected)) own.right++;
		else print_message("%s: %s is the artist's %s\n", c->folder, name, expected);
	}
	print_message("%s: %zu bones, %zu named, %zu right; %zu of %zu on their side\n", c->folder, own.bones, own.named, own.right,
		own.on_side, own.sided);
	assert_true((double)own.on_side >= sides_least * (double)own.sided);
	*sum = (score){.bones = sum->bones + own.bones, .named = sum->named + own.named, .right = sum->right + own.right};
	free(overlap);
	free(p.positions);
	free(p.artists_positions);
	ossa_rig_free(context, p.artists);
	ossa_rig_free(context, p.ours);
}

static void most_names_are_the_artists(void **state)
{
	(void)state;
	const char *corpus = test_corpus("characters");
	if (!corpus) return;
	ossa_context *context = test_context(0);
	score sum = {.bones = 0};
	for (size_t i = 0; i < COUNT(characters); i++) judge_character(context, corpus, &characters[i], &sum);
	print_message("all: %zu bones, %zu named, %zu right\n", sum.bones, sum.named, sum.right);
	assert_true((double)sum.right >= precision_least * (double)sum.named);
	assert_true((double)sum.named >= recall_least * (double)sum.bones);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(most_names_are_the_artists)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
