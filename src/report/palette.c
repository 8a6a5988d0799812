/* report/palette.c: bone colours and sRGB.

   Place in the path: pictures.
   Input: a skeleton, or regions that touch.
   Output: OKLab colours.
   Source of OKLab: B. Ottosson, A perceptual color space for image processing, 2020. */
#include "report/palette.h"
#include "report/camera.h"

enum {
	/* hues on three levels of lightness; with more bones than that, colours come again */
	COLORS = 48,
	LEVELS = 3,
	SIBLINGS_COMPARED = 6,
	RELATIVES_MAX = SIBLINGS_COMPARED + 2
};

/* lighter hues take less colour before they look chalky, darker ones more */
static const float level_lightness[LEVELS] = {0.73f, 0.62f, 0.83f};
static const float level_chroma[LEVELS] = {0.125f, 0.14f, 0.095f};

static void fill_candidates(ossai_color *colors)
{
	/* the golden section of the circle: any run of candidates is spread evenly over the hues */
	const double golden = 0.61803398874989485, start = 0.69;
	for (int i = 0; i < COLORS; i++) {
		double cosine, sine;
		ossai_turn(start + golden * i, &cosine, &sine);
		/* dark yellow is mud and light blue is chalk: yellows are lifted, blues lowered */
		const float yellow = (float)(sine - 0.2 * cosine), lift = 0.05f * yellow + (yellow > 0 ? 0.07f * yellow * yellow : 0);
		const float chroma = level_chroma[i % LEVELS];
		colors[i] = (ossai_color){level_lightness[i % LEVELS] + lift, chroma * (float)cosine, chroma * (float)sine};
	}
}

/* squared difference, lightness at half weight: shading changes it too */
static float difference(ossai_color x, ossai_color y)
{
	const float l = x.l - y.l, a = x.a - y.a, b = x.b - y.b;
	return 0.25f * l * l + a * a + b * b;
}

/* The colour for one bone: among those used least the one least like any relative's. */
static int pick(const ossai_color *candidates, const uint32_t *uses, const ossai_color *relatives, int relative_count)
{
	int best = 0;
	float best_score = -1;
	uint32_t least = UINT32_MAX;
	for (int i = 0; i < COLORS; i++) least = uses[i] < least ? uses[i] : least;
	for (int i = 0; i < COLORS; i++) {
		if (uses[i] > least) continue;
		float score = 1;
		for (int r = 0; r < relative_count; r++) {
			/* the parent counts most, then its parent, then the siblings */
			const float importance = r == 0 ? 1.0f : r == 1 ? 1.4f : 1.2f;
			const float d = importance * difference(candidates[i], relatives[r]);
			score = d < score ? d : score;
		}
		/* past a clear difference the order of the candidates decides, which keeps the whole spread
		   out */
		score = score > 0.02f ? 0.02f : score;
		if (score > best_score) {
			best = i;
			best_score = score;
		}
	}
	return best;
}

void ossai_palette_bones(const ossa_skeleton *skeleton, ossai_color *bone_colors)
{
	ossai_color candidates[COLORS];
	uint32_t uses[COLORS] = {0};
	fill_candidates(candidates);
	for (size_t bone = 0; bone < skeleton->bone_count; bone++) {
		ossai_color relatives[RELATIVES_MAX];
		int count = 0;
		const int32_t parent = skeleton->bones[bone].parent;
		if (parent >= 0) relatives[count++] = bone_colors[parent];
		if (parent >= 0 && skeleton->bones[parent].parent >= 0) {
			relatives[count++] = bone_colors[skeleton->bones[parent].parent];
		}
		/* siblings are close to each other in the list; a distant one may have a similar colour */
		for (size_t back = 1; parent >= 0 && back <= 4 * SIBLINGS_COMPARED && back <= bone && count < RELATIVES_MAX; back++) {
			if (skeleton->bones[bone - back].parent == parent) relatives[count++] = bone_colors[bone - back];
		}
		const int color = pick(candidates, uses, relatives, count);
		uses[color]++;
		bone_colors[bone] = candidates[color];
	}
}

/* touches (N x N): which regions have a vertex in common */
static void mark_touching(
	const ossai_vertex_faces *around, size_t vertex, const uint32_t *region_of_face, size_t region_count, uint8_t *touches)
{
	for (uint32_t i = around->start[vertex]; i < around->start[vertex + 1]; i++) {
		const uint32_t region = region_of_face[around->faces[i]];
		for (uint32_t j = around->start[vertex]; j < i; j++) {
			const uint32_t other = region_of_face[around->faces[j]];
			touches[region * region_count + other] = touches[other * region_count + region] = 1;
		}
	}
}

ossa_status ossai_palette_regions(ossai_arena *arena, size_t vertex_count, const ossai_vertex_faces *around,
	const uint32_t *region_of_face, size_t region_count, ossai_color *region_colors)
{
	ossai_color candidates[COLORS];
	uint32_t uses[COLORS] = {0};
	uint8_t *touches = ossai_arena_zero(arena, region_count, region_count);
	if (!touches) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < vertex_count; v++) mark_touching(around, v, region_of_face, region_count, touches);
	fill_candidates(candidates);
	for (size_t region = 0; region < region_count; region++) {
		ossai_color relatives[RELATIVES_MAX];
		int count = 0;
		for (size_t other = 0; other < region && count < RELATIVES_MAX; other++) {
			if (touches[region * region_count + other]) relatives[count++] = region_colors[other];
		}
		const int color = pick(candidates, uses, relatives, count);
		uses[color]++;
		region_colors[region] = candidates[color];
	}
	return OSSA_OK;
}

static float cut(float light) { return light < 0 ? 0 : light > 1 ? 1 : light; }

ossai_light ossai_color_light(ossai_color c)
{
	float l = c.l + 0.3963377774f * c.a + 0.2158037573f * c.b;
	float m = c.l - 0.1055613458f * c.a - 0.0638541728f * c.b;
	float s = c.l - 0.0894841775f * c.a - 1.2914855480f * c.b;
	l = l * l * l;
	m = m * m * m;
	s = s * s * s;
	return (ossai_light){cut(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
		cut(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
		cut(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s)};
}

void ossai_encoding_fill(ossai_encoding *encoding)
{
	for (int i = 0; i < OSSAI_ENCODING_STEPS; i++) {
		const double light = i / (OSSAI_ENCODING_STEPS - 1.0);
		const double code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
		/* quantised, so that the last bit of pow does not matter */
		encoding->code[i] = (uint8_t)floor(round(code * 255 * 65536) / 65536 + 0.5);
	}
}

uint8_t ossai_encode(const ossai_encoding *encoding, double light)
{
	if (!(light > 0)) return encoding->code[0];
	if (light >= 1) return encoding->code[OSSAI_ENCODING_STEPS - 1];
	return encoding->code[(int)(light * (OSSAI_ENCODING_STEPS - 1) + 0.5)];
}
