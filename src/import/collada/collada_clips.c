/* import/collada/collada_clips.c: channels and their targets; clips: see collada.h.

   Place in the path: after nodes and meshes.
   Input: <animation>s, nested or flat, and <animation_clip>s.
   Output: the asset's clips. collada_targets.c reads what a channel moves. */
#include "import/collada/collada.h"

#include "base/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A channel of the file with what it became for one node or mesh. */
typedef struct moved {
	uint32_t element;   /* the <channel>; ascending */
	uint32_t animation; /* the outermost one around it */
	ossai_asset_channel channel;
} moved;

typedef struct mover {
	ossai_dae *c;
	size_t count, capacity;
	moved *list;
	int64_t skipped, broken;              /* channels without a target, without keys */
	uint32_t first_skipped, first_broken; /* <channel> */
} mover;

/* ---- channels ---- */

static uint32_t outermost(const ossai_xml *xml, uint32_t element)
{
	while (ossai_xml_is(xml, xml->elements[element].parent, "animation")) element = xml->elements[element].parent;
	return element;
}

static ossa_status add_channel(mover *m, uint32_t element, const ossai_asset_channel *channel)
{
	ossai_dae *c = m->c;
	if (c->left.channels == 0) {
		return ossai_dae_fail(c, element, "its instances have more channels than ossa takes from a file of this size");
	}
	c->left.channels--;
	OSSAI_TRY(ossai_reserve(c->context, &m->list, &m->capacity, m->count, sizeof *m->list));
	m->list[m->count++] = (moved){element, outermost(&c->xml, element), *channel};
	return OSSA_OK;
}

/* the last row of matrices carries no information */
static ossa_status assign_matrices(const ossai_dae *c, uint32_t element, ossai_asset_channel *channel)
{
	for (size_t i = 0; i < channel->key_count; i++) {
		double m[16];
		for (size_t k = 0; k < 16; k++) m[k] = (double)channel->values[16 * i + k];
		OSSAI_TRY(ossai_dae_affine(c, element, m));
		for (size_t k = 0; k < 16; k++) channel->values[16 * i + k] = (float)m[k];
	}
	return OSSA_OK;
}

static ossa_status spread(mover *m, uint32_t element, const ossai_channel_target *to, ossai_asset_channel *channel)
{
	ossai_dae *c = m->c;
	channel->first = to->first;
	if (to->morph) {
		channel->node = OSSA_NONE;
		for (uint32_t mesh = c->elements.first_of[to->element]; mesh != OSSA_NONE; mesh = c->mesh_next[mesh]) {
			channel->mesh = mesh;
			OSSAI_TRY(add_channel(m, element, channel));
		}
		return OSSA_OK;
	}
	/* nothing moves the last row */
	if (to->kind == OSSAI_OP_MATRIX && to->first >= 12) return OSSA_OK;
	if (to->kind == OSSAI_OP_MATRIX && to->width == 16) OSSAI_TRY(assign_matrices(c, element, channel));
	for (uint32_t node = c->elements.first_of[c->xml.elements[to->element].parent]; node != OSSA_NONE;
		 node = c->nodes.next[node]) {
		channel->node = node;
		if (ossai_dae_op(c, to->element, node, &channel->op)) OSSAI_TRY(add_channel(m, element, channel));
	}
	return OSSA_OK;
}

static ossa_status read_channel(mover *m, uint32_t element)
{
	ossai_dae *c = m->c;
	ossai_channel_target to;
	size_t width;
	if (!ossai_dae_find_target(c, element, &to)) {
		if (m->skipped++ == 0) m->first_skipped = element;
		return OSSA_OK;
	}
	/* ids of assimp's samplers come again in every animation */
	const ossai_word source = ossai_xml_attribute_of(&c->xml, element, "source");
	const uint32_t sampler = ossai_dae_resolve(c, source, "sampler", c->xml.elements[element].parent);
	OSSAI_TRY(ossai_dae_sampler_width(c, sampler, &width));
	if (width == 0) {
		if (m->broken++ == 0) m->first_broken = element;
		return OSSA_OK;
	}
	/* "node/rotate" for its angle alone */
	if (width == 1 && to.kind == OSSAI_OP_TURN && to.width == 4 && !to.morph) {
		to.first = 3;
		to.width = 1;
	}
	if (width < to.width) {
		return ossai_dae_fail(
			c, sampler, "<sampler> has %zu numbers for a target of %u: export the file again", width, to.width);
	}
	ossai_asset_channel channel = {.interpolation = OSSAI_LINEAR};
	OSSAI_TRY(ossai_dae_sampler(c, sampler, to.width, &channel));
	return channel.key_count ? spread(m, element, &to, &channel) : OSSA_OK;
}

static void warn_channels(const ossai_dae *c, const char *code, int64_t count, uint32_t first, const char *what)
{
	char shown[64];
	if (count == 0) return;
	ossai_warn(c->context, code, count, "%s, line %u: channels %s are left out, the first \"%s\"", c->source->path,
		c->xml.elements[first].line, what, ossai_word_show(ossai_xml_attribute_of(&c->xml, first, "target"), shown));
}

static ossa_status read_channels(mover *m)
{
	ossai_dae *c = m->c;
	for (size_t i = 0; i < c->xml.element_count; i++) {
		const uint32_t element = (uint32_t)i, parent = c->xml.elements[i].parent;
		if (!ossai_xml_is(&c->xml, element, "channel") || !ossai_xml_is(&c->xml, parent, "animation")) continue;
		OSSAI_TRY(read_channel(m, element));
	}
	warn_channels(c, "skipped-channels", m->skipped, m->first_skipped, "that move no node and no morph");
	warn_channels(c, "missing-keys", m->broken, m->first_broken, "whose times or values are not in the file");
	return OSSA_OK;
}

/* ---- clips ---- */

static int by_element(const void *left, const void *right)
{
	const moved *a = left, *b = right;
	return (a->element > b->element) - (a->element < b->element);
}

/* the first channel at or after an element */
static size_t channel_at(const mover *m, uint32_t element)
{
	return ossai_search(&(moved){.element = element}, m->list, m->count, sizeof *m->list, by_element);
}

static ossa_status name_clip(ossai_dae *c, uint32_t element, ossai_asset_clip *clip)
{
	const ossai_word name = ossai_dae_name_of(c, element);
	if (name.size == 0) return OSSA_OK;
	clip->name = ossai_dae_copy(c, name);
	return clip->name ? OSSA_OK : ossai_dae_lost(c);
}

static void take(const mover *m, size_t from, size_t to, ossai_asset_clip *clip)
{
	for (size_t i = from; i < to; i++) clip->channels[clip->channel_count++] = m->list[i].channel;
}

static double last_time(const ossai_asset_clip *clip)
{
	double last = 0;
	for (size_t i = 0; i < clip->channel_count; i++) {
		const ossai_asset_channel *channel = &clip->channels[i];
		last = fmax(last, channel->times[channel->key_count - 1]);
	}
	return last;
}

/* the channels of the animations that an <animation_clip> names */
static ossa_status read_clip(mover *m, uint32_t element, ossai_asset_clip *clip)
{
	ossai_dae *c = m->c;
	const ossai_xml *xml = &c->xml;
	size_t count = 0;
	*clip = (ossai_asset_clip){0};
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = ossai_xml_child(xml, element, "instance_animation"); i != OSSA_NONE;
			 i = ossai_xml_next(xml, i, "instance_animation")) {
			const uint32_t animation = ossai_dae_target(c, i, "url", "animation");
			if (animation == OSSA_NONE) continue;
			const size_t from = channel_at(m, animation), to = channel_at(m, xml->elements[animation].end);
			if (pass == 0) count += to - from;
			else take(m, from, to, clip);
		}
		if (pass == 1) break;
		if (count > c->left.channels) {
			return ossai_dae_fail(c, element, "its clips have more channels than ossa takes from a file of this size");
		}
		c->left.channels -= count;
		clip->channels = ossai_arena_new(&c->asset->arena, count, sizeof *clip->channels);
		if (!clip->channels) return ossai_dae_lost(c);
	}
	if (count == 0) return OSSA_OK;
	const double begin = ossai_dae_number(c, element, "start", 0);
	const double end = ossai_dae_number(c, element, "end", last_time(clip));
	const bool part = ossai_xml_attribute_of(xml, element, "start").size + ossai_xml_attribute_of(xml, element, "end").size > 0;
	/* ossa's own clips begin at 0 for other programs and are nothing but their keys */
	if (part && begin < end && ossai_dae_own(c, element, "whole") == OSSA_NONE) {
		clip->begin = begin;
		clip->end = end;
	}
	return name_clip(c, element, clip);
}

/* ---- files without <animation_clip>s ---- */

static int compare_targets(const void *left, const void *right)
{
	const moved *a = *(const moved *const *)left, *b = *(const moved *const *)right;
	const uint32_t p[] = {a->channel.node, a->channel.mesh, a->channel.op, a->channel.first, a->animation};
	const uint32_t q[] = {b->channel.node, b->channel.mesh, b->channel.op, b->channel.first, b->animation};
	for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
		if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
	}
	return 0;
}

static bool same_target(const moved *a, const moved *b)
{
	return a->channel.node == b->channel.node && a->channel.mesh == b->channel.mesh && a->channel.op == b->channel.op &&
		a->channel.first == b->channel.first;
}

/* Outermost animations that move the same things cannot play together: where most do, each is a
   motion of its own (assimp writes clips so). `shares` is of each element. */
static ossa_status find_rivals(const mover *m, uint8_t *shares, bool *several)
{
	const moved **order = ossai_arena_new(&m->c->arena, m->count, sizeof *order);
	if (!order) return ossai_dae_lost(m->c);
	for (size_t i = 0; i < m->count; i++) order[i] = &m->list[i];
	qsort(order, m->count, sizeof *order, compare_targets);
	for (size_t i = 1; i < m->count; i++) {
		if (!same_target(order[i - 1], order[i]) || order[i - 1]->animation == order[i]->animation) continue;
		shares[order[i - 1]->animation] = shares[order[i]->animation] = 1;
	}
	size_t sharing = 0, all = 0;
	for (size_t i = 0; i < m->count; i++) {
		if (i > 0 && m->list[i].animation == m->list[i - 1].animation) continue;
		all++;
		sharing += shares[m->list[i].animation];
	}
	*several = 2 * sharing > all;
	return OSSA_OK;
}

static ossa_status add_clip(mover *m, size_t from, size_t to, uint32_t animation)
{
	ossai_dae *c = m->c;
	ossai_asset_clip *clip = &c->asset->clips[c->asset->clip_count++];
	clip->channels = ossai_arena_new(&c->asset->arena, to - from, sizeof *clip->channels);
	if (!clip->channels) return ossai_dae_lost(c);
	take(m, from, to, clip);
	return animation == OSSA_NONE ? OSSA_OK : name_clip(c, animation, clip);
}

/* all as one clip, named as the one animation is where there is one; or each outermost animation by
   itself */
static ossa_status bare_clips(mover *m)
{
	ossai_dae *c = m->c;
	bool several = false;
	uint8_t *shares = ossai_arena_zero(&c->arena, c->xml.element_count, 1);
	if (!shares) return ossai_dae_lost(c);
	OSSAI_TRY(find_rivals(m, shares, &several));
	size_t count = 1;
	for (size_t i = 1; i < m->count; i++) count += m->list[i].animation != m->list[i - 1].animation;
	c->asset->clips = ossai_arena_zero(&c->asset->arena, several ? count : 1, sizeof *c->asset->clips);
	if (!c->asset->clips) return ossai_dae_lost(c);
	if (!several) return add_clip(m, 0, m->count, count == 1 ? m->list[0].animation : OSSA_NONE);
	for (size_t from = 0, to; from < m->count; from = to) {
		for (to = from + 1; to < m->count && m->list[to].animation == m->list[from].animation; to++) {
		}
		OSSAI_TRY(add_clip(m, from, to, m->list[from].animation));
	}
	return OSSA_OK;
}

static ossa_status read_clips(mover *m)
{
	ossai_dae *c = m->c;
	const ossai_xml *xml = &c->xml;
	size_t most = 0;
	for (size_t i = 0; i < xml->element_count; i++) most += ossai_xml_is(xml, (uint32_t)i, "animation_clip");
	c->asset->clips = ossai_arena_zero(&c->asset->arena, most, sizeof *c->asset->clips);
	if (!c->asset->clips) return ossai_dae_lost(c);
	for (size_t i = 0; i < xml->element_count; i++) {
		if (!ossai_xml_is(xml, (uint32_t)i, "animation_clip")) continue;
		ossai_asset_clip *clip = &c->asset->clips[c->asset->clip_count];
		OSSAI_TRY(read_clip(m, (uint32_t)i, clip));
		c->asset->clip_count += clip->channel_count > 0;
	}
	return c->asset->clip_count > 0 ? OSSA_OK : bare_clips(m);
}

ossa_status ossai_dae_clips(ossai_dae *c)
{
	mover m = {.c = c};
	ossa_status status = read_channels(&m);
	if (status == OSSA_OK && m.count > 0) status = read_clips(&m);
	ossa_free(c->context, m.list);
	return status;
}
