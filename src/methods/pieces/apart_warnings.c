/* methods/pieces/apart_warnings.c: warnings and progress of pieces that are rigged separately:
   which piece is the subject, which pieces have no bones, and why bones are missing.

   Place in the path: contraction_pieces, apart_bones, apart_rig -> here -> warnings, progress. */
#include "methods/pieces/apart.h"
#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* pieces that a warning names one by one, at most */
enum { NAMED_PIECES = 3 };

/* ---- the subject ---- */

/* the material of the first face of a piece; NULL where there is none */
static const char *material_of(const ossai_apart *a, const ossai_piece *piece)
{
	const ossa_mesh *mesh = a->whole->still.mesh;
	if (!mesh->polygon_material || mesh->polygon_count == 0) return NULL;
	const uint32_t corner = mesh->triangle_corners[3 * (size_t)a->pieces.faces[piece->begin]];
	size_t low = 0, high = mesh->polygon_count;
	while (high - low > 1) {
		const size_t middle = (low + high) / 2;
		if (mesh->polygon_start[middle] <= corner) low = middle;
		else high = middle;
	}
	const uint32_t material = mesh->polygon_material[low];
	return material == OSSA_NONE || !mesh->materials[material][0] ? NULL : mesh->materials[material];
}

/* rounded to digits that mean something at that scale, and not -0 */
static double round_to_scale(double x, double scale)
{
	const double step = 1e-3 * scale;
	return nearbyint(x / step) * step + 0.0;
}

/* the material and the position of a piece, so that users find it */
static int print_piece(const ossai_apart *a, const ossai_piece *piece, char *text, size_t size)
{
	const ossai_posed_surface *s = &a->whole->still.surface;
	const ossai_vec3 exact = ossai_madd(s->rest_center, s->scale, piece->center);
	const ossai_vec3 at = {
		round_to_scale(exact.x, s->scale), round_to_scale(exact.y, s->scale), round_to_scale(exact.z, s->scale)};
	const char *material = material_of(a, piece);
	return ossai_format(text, size, "%s%.24s%snear (%.3g, %.3g, %.3g)", material ? "\"" : "", material ? material : "",
		material ? "\" " : "", at.x, at.y, at.z);
}

void ossai_apart_set_subject(ossai_apart *a, size_t place, double begin, double end)
{
	ossa_context *context = a->whole->still.context;
	char text[80];
	double before = 0, own = 0, all = 0;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		const double size = a->each[i].own.proxy_size;
		if (i < place) before += size;
		if (i == place) own = size;
		all += size;
	}
	print_piece(a, &a->pieces.piece[place], text, sizeof text);
	ossai_warn_about(context, "piece_%zu, %s", place + 1, text);
	ossai_progress_part(context, begin + (end - begin) * before / all, begin + (end - begin) * (before + own) / all);
}

void ossai_apart_clear_subject(ossai_apart *a, double begin)
{
	ossai_warn_about(a->whole->still.context, NULL);
	ossai_progress_part(a->whole->still.context, begin, begin > 0 && begin < 1 ? 1 : begin);
}

/* ---- pieces without bones ---- */

static void print_reasons(const ossai_apart *a, char *text, size_t size)
{
	const ossai_pieces *p = &a->pieces;
	const int bones = a->whole->own.bones;
	const size_t have = p->skeletons + p->bones;
	int used = 0;
	if (p->too_small > 0) {
		used = ossai_format(text, size,
			"%zu smaller than %.3g %% of the largest, because too many would be rigid otherwise (`along-below %.3g` does the "
			"same, `bones N` keeps more)",
			p->too_small, 100 * p->along_below, 100 * p->along_below);
	}
	if (p->too_many == 0 || used < 0 || (size_t)used >= size) return;
	const char *joint = used > 0 ? "; " : "";
	if (bones > 0 && have + (ossai_pieces_have_root(p) ? 1 : 0) >= (size_t)bones) {
		snprintf(text + used, size - (size_t)used, "%s%zu, the smallest of the others, because %d bone%s asked for", joint,
			p->too_many, bones, bones == 1 ? " is" : "s are");
		return;
	}
	snprintf(text + used, size - (size_t)used, "%s%zu, the smallest of the others, because at most %zu get some%s", joint,
		p->too_many, have, bones > 0 ? "" : " (`bones N`: 256)");
}

void ossai_apart_warn_of_roles(const ossai_apart *a)
{
	const ossai_pieces *p = &a->pieces;
	const size_t count = p->too_small + p->too_many, first = p->skeletons + p->bones;
	char which[200] = "", reasons[260] = "";
	int used = 0;
	if (count == 0) return;
	for (size_t i = 0; i < count && i < NAMED_PIECES && used >= 0 && (size_t)used < sizeof which; i++) {
		char one[80];
		print_piece(a, &p->piece[first + i], one, sizeof one);
		used += snprintf(which + used, sizeof which - (size_t)used, "%s%s", i > 0 ? ", " : "", one);
	}
	print_reasons(a, reasons, sizeof reasons);
	const char *begin = count == 1 ? "It is " : count <= NAMED_PIECES ? "They are " : "The largest of them are ";
	ossai_warn(a->whole->still.context, "pieces-along", (int64_t)count,
		"%zu of %zu pieces %s own and %s with the nearest piece: %s. %s%s", count, p->count,
		count == 1 ? "gets no bones of its" : "get no bones of their", count == 1 ? "moves" : "move", reasons, begin, which);
}

/* ---- how many bones ---- */

static void warn_of_wanted(const ossai_apart *a, size_t made)
{
	const ossai_pieces *p = &a->pieces;
	ossa_context *context = a->whole->still.context;
	const size_t wanted = (size_t)a->whole->own.bones, have = p->skeletons + p->bones;
	if (made > wanted) {
		ossai_warn(context, "more-bones", (int64_t)(made - wanted),
			"%zu bone%s wanted and %zu made: no piece, or no pair of mirror images, can have fewer", wanted,
			wanted == 1 ? " was" : "s were", made);
	} else if (made < wanted && have < p->count) {
		ossai_warn(context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: of %zu pieces %zu have bones, and neither they nor pairs of mirror images "
			"can have more; %zu move with them",
			wanted, made, p->count, have, p->count - have);
	} else if (made < wanted) {
		ossai_warn(context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: no piece, or no pair of mirror images, can have more", wanted, made);
	}
}

/* appends a reason and how many bones are missing because of it */
static void add_reason(size_t count, const char *words, char *text, size_t size)
{
	const size_t used = strlen(text);
	if (count > 0) snprintf(text + used, size - used, "%s%zu %s", used > 0 ? "; " : "", count, words);
}

void ossai_apart_warn_of_bone_count(const ossai_apart *a, size_t made)
{
	char reasons[300] = "", words[160], piece[80];
	if (a->whole->own.bones > 0) {
		warn_of_wanted(a, made);
		return;
	}
	if (made >= a->suggested) return;
	snprintf(
		words, sizeof words, "would be more than %d in all, and small pieces lose theirs first (`bones N`)", OSSAI_APART_BONES);
	add_reason(a->over, words, reasons, sizeof reasons);
	if (a->unfit > 0) print_piece(a, &a->pieces.piece[a->coarse], piece, sizeof piece);
	if (a->unfit > 0)
		snprintf(words, sizeof words, "because pieces have too few vertices, first piece_%zu, %s", a->coarse + 1, piece);
	add_reason(a->unfit, words, reasons, sizeof reasons);
	add_reason(a->idle, "would move no vertex", reasons, sizeof reasons);
	ossai_warn(a->whole->still.context, "fewer-bones", (int64_t)(a->suggested - made),
		"the shapes of the pieces suggest %zu bones, and %zu %s made: %s", a->suggested, made, made == 1 ? "is" : "are",
		reasons);
}
