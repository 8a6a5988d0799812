/* import/collada/collada_controller.c: the meshes of all instances, with their morph targets: see
   collada.h.

   Place in the path: after the nodes, before the animations.
   Input: the list of instances, <controller>s.
   Output: the asset's meshes; skins come from collada_skin.c.
   A skin's <bind_shape_matrix> is baked into positions and morph targets, so that a mesh is in the
   space in which it was bound. */
#include "import/collada/collada.h"

#include <math.h>
#include <string.h>

/* controllers on top of each other */
enum { CHAIN_MAX = 64 };
/* in place of a morph: more than one */
#define SEVERAL (OSSA_NONE - 1)

/* The parts of an instance: elements, or OSSA_NONE. */
typedef struct chain {
	uint32_t geometry, skin, morph;
} chain;

/* ---- what stands on what ---- */

static void note_missing(const ossai_dae *c, uint32_t element, const char *attribute)
{
	char shown[64];
	ossai_warn(c->context, "missing-geometry", 1, "%s, line %u: \"%s\" is not in this file; it is left out", c->source->path,
		c->xml.elements[element].line, ossai_word_show(ossai_xml_attribute_of(&c->xml, element, attribute), shown));
}

/* down from a controller to its geometry; programs do not agree on several skins or morphs on the
   path */
static ossa_status follow(const ossai_dae *c, uint32_t controller, chain *found)
{
	for (int i = 0; i < CHAIN_MAX; i++) {
		const uint32_t skin = ossai_xml_child(&c->xml, controller, "skin");
		const uint32_t morph = ossai_xml_child(&c->xml, controller, "morph");
		const uint32_t part = skin != OSSA_NONE ? skin : morph;
		if (part == OSSA_NONE) return ossai_dae_fail(c, controller, "<controller> has neither <skin> nor <morph>");
		uint32_t *slot = skin != OSSA_NONE ? &found->skin : &found->morph;
		if (*slot == OSSA_NONE) *slot = part;
		else {
			ossai_warn(c->context, "skipped-controllers", 1, "%s, line %u: a second skin or morph on the same mesh is left out",
				c->source->path, c->xml.elements[part].line);
		}
		found->geometry = ossai_dae_target(c, part, "source", "geometry");
		if (found->geometry != OSSA_NONE) return OSSA_OK;
		controller = ossai_dae_target(c, part, "source", "controller");
		if (controller == OSSA_NONE) {
			note_missing(c, part, "source");
			return OSSA_OK;
		}
	}
	return ossai_dae_fail(c, controller, "controllers refer to each other in a cycle: export the file again");
}

static ossa_status follow_instance(const ossai_dae *c, uint32_t instance, chain *found)
{
	if (ossai_xml_is(&c->xml, instance, "geometry")) {
		found->geometry = instance;
		return OSSA_OK;
	}
	found->geometry = ossai_dae_target(c, instance, "url", "geometry");
	if (found->geometry != OSSA_NONE && ossai_xml_is(&c->xml, instance, "instance_geometry")) return OSSA_OK;
	const uint32_t controller = ossai_dae_target(c, instance, "url", "controller");
	if (controller != OSSA_NONE) return follow(c, controller, found);
	if (found->geometry == OSSA_NONE) note_missing(c, instance, "url");
	return OSSA_OK;
}

/* marks the controllers that something refers to */
static void mark_used(const ossai_dae *c)
{
	for (size_t i = 0; i < c->xml.element_count; i++) {
		const uint32_t element = (uint32_t)i;
		uint32_t controller = OSSA_NONE;
		if (ossai_xml_is(&c->xml, element, "instance_controller")) {
			controller = ossai_dae_target(c, element, "url", "controller");
		} else if (ossai_xml_is(&c->xml, element, "skin") || ossai_xml_is(&c->xml, element, "morph")) {
			controller = ossai_dae_target(c, element, "source", "controller");
		}
		if (controller != OSSA_NONE) c->elements.first_of[controller] = 0;
	}
}

/* Blender instantiates the geometry, or the skin on it, and leaves the morph beside: a morph that
   nothing refers to belongs to its geometry wherever that is, if it is the only one */
static void place_bare_morphs(const ossai_dae *c)
{
	mark_used(c);
	for (size_t i = 0; i < c->xml.element_count; i++) {
		const uint32_t element = (uint32_t)i, controller = c->xml.elements[i].parent;
		if (!ossai_xml_is(&c->xml, element, "morph") || controller == OSSA_NONE ||
			c->elements.first_of[controller] != OSSA_NONE)
			continue;
		const uint32_t geometry = ossai_dae_target(c, element, "source", "geometry");
		if (geometry == OSSA_NONE) continue;
		c->elements.first_of[geometry] = c->elements.first_of[geometry] == OSSA_NONE ? element : SEVERAL;
	}
}

/* whether a bare morph is ossa's own, which says whose it is */
static bool is_meant(const ossai_dae *c, uint32_t bare)
{
	return bare != SEVERAL && ossai_dae_own(c, c->xml.elements[bare].parent, "of") != OSSA_NONE;
}

static ossa_status find_chain(const ossai_dae *c, uint32_t instance, chain *found)
{
	*found = (chain){OSSA_NONE, OSSA_NONE, OSSA_NONE};
	OSSAI_TRY(follow_instance(c, instance, found));
	if (found->geometry == OSSA_NONE || found->morph != OSSA_NONE) return OSSA_OK;
	const uint32_t bare = c->elements.first_of[found->geometry];
	if (bare == OSSA_NONE) return OSSA_OK;
	if (bare != SEVERAL) found->morph = bare;
	if (is_meant(c, bare)) return OSSA_OK;
	ossai_warn(c->context, "bare-morphs", 1,
		bare == SEVERAL ? "%s, line %u: several morphs of one mesh are used nowhere; they are left out"
						: "%s, line %u: a morph that is used nowhere is taken for its mesh, as Blender means it",
		c->source->path, c->xml.elements[bare == SEVERAL ? found->geometry : bare].line);
	return OSSA_OK;
}

/* ---- morph targets ---- */

/* Passed along while the targets of one mesh are made. */
typedef struct morph {
	uint32_t element;
	ossai_accessor base, weights;
	size_t word_count;
	const ossai_word *words; /* ids of geometries */
	bool relative;           /* targets are differences already */
	ossai_mat3 map;
} morph;

static ossa_status open_morph(ossai_dae *c, morph *m)
{
	ossai_inputs inputs;
	const uint32_t targets = ossai_xml_child(&c->xml, m->element, "targets");
	OSSAI_TRY(ossai_dae_inputs(c, targets == OSSA_NONE ? m->element : targets, &inputs));
	const ossai_input *target = ossai_input_of(&inputs, "MORPH_TARGET"), *weight = ossai_input_of(&inputs, "MORPH_WEIGHT");
	if (!target || target->source == OSSA_NONE || !weight || weight->source == OSSA_NONE) {
		return ossai_dae_fail(c, m->element, "<morph> has no MORPH_TARGET or no MORPH_WEIGHT: export the file again");
	}
	OSSAI_TRY(ossai_dae_words(c, target->source, &m->word_count, &m->words));
	OSSAI_TRY(ossai_dae_accessor(c, weight->source, NULL, &m->weights));
	m->relative = ossai_word_is(ossai_xml_attribute_of(&c->xml, m->element, "method"), "RELATIVE");
	return OSSA_OK;
}

static ossa_status fill_deltas(ossai_dae *c, const morph *m, uint32_t geometry, float *deltas)
{
	ossai_accessor a;
	const size_t count = m->base.count;
	OSSAI_TRY(ossai_dae_positions(c, geometry, &a));
	if (a.element == OSSA_NONE || a.count != count || a.width < 3 || m->base.width < 3) {
		return ossai_dae_fail(c, geometry, "a morph target has %zu vertices and its mesh %zu: export the file again",
			a.element == OSSA_NONE ? (size_t)0 : a.count, count);
	}
	for (size_t v = 0; v < count; v++) {
		double d[3];
		for (size_t k = 0; k < 3; k++) {
			d[k] = ossai_accessor_get(&a, v, k) - (m->relative ? 0 : ossai_accessor_get(&m->base, v, k));
		}
		const ossai_vec3 moved = ossai_mat3_mul_v(&m->map, ossai_v3_of(d));
		const double out[3] = {moved.x, moved.y, moved.z};
		for (size_t k = 0; k < 3; k++) {
			deltas[3 * v + k] = (float)out[k];
			if (!isfinite(deltas[3 * v + k])) {
				return ossai_dae_fail(c, a.element, "the position of vertex %zu is not finite: export the file again", v);
			}
		}
	}
	return OSSA_OK;
}

static ossa_status read_target(ossai_dae *c, const morph *m, size_t index, ossai_asset_target *target)
{
	char shown[64];
	const size_t count = m->base.count;
	const uint32_t geometry = ossai_dae_resolve(c, m->words[index], "geometry", OSSA_NONE);
	if (geometry == OSSA_NONE) {
		return ossai_dae_fail(c, m->element, "the morph target \"%s\" is no geometry of this file: export all in one file",
			ossai_word_show(m->words[index], shown));
	}
	if (count > c->left.vertices) {
		return ossai_dae_fail(c, m->element, "its morph targets have more vertices than ossa takes from a file of this size");
	}
	c->left.vertices -= count;
	target->name = ossai_dae_copy(c, ossai_dae_name_of(c, geometry));
	target->deltas = ossai_arena_new(&c->asset->arena, count, 3 * sizeof *target->deltas);
	if (!target->name || !target->deltas) return ossai_dae_lost(c);
	const double weight = index < m->weights.count ? ossai_accessor_get(&m->weights, index, 0) : 0;
	target->weight = isfinite(weight) ? weight : 0;
	return fill_deltas(c, m, geometry, target->deltas);
}

static ossa_status read_targets(ossai_dae *c, const chain *parts, const ossai_rigid *map, ossai_asset_mesh *mesh)
{
	morph m = {.element = parts->morph, .map = map->r};
	OSSAI_TRY(open_morph(c, &m));
	OSSAI_TRY(ossai_dae_positions(c, parts->geometry, &m.base));
	mesh->targets = ossai_arena_zero(&c->asset->arena, m.word_count, sizeof *mesh->targets);
	if (!mesh->targets) return ossai_dae_lost(c);
	for (size_t i = 0; i < m.word_count; i++) OSSAI_TRY(read_target(c, &m, i, &mesh->targets[i]));
	mesh->target_count = m.word_count;
	/* channels find meshes by the source of their weights */
	const uint32_t index = (uint32_t)(mesh - c->asset->meshes);
	c->mesh_next[index] = c->elements.first_of[m.weights.element];
	c->elements.first_of[m.weights.element] = index;
	return OSSA_OK;
}

/* ---- meshes ---- */

/* from the geometry's space to the mesh's */
static ossa_status find_map(const ossai_dae *c, const chain *parts, ossai_rigid *map)
{
	*map = (ossai_rigid){ossai_mat3_identity(), ossai_v3(0, 0, 0)};
	const uint32_t shape = ossai_xml_child(&c->xml, parts->skin, "bind_shape_matrix");
	if (shape != OSSA_NONE) {
		double m[16];
		OSSAI_TRY(ossai_dae_values(c, shape, 16, m));
		OSSAI_TRY(ossai_dae_affine(c, shape, m));
		*map = ossai_rigid_of(m);
	}
	return OSSA_OK;
}

static ossa_status read_instance(ossai_dae *c, const ossai_instance *instance)
{
	chain parts;
	ossai_rigid map;
	OSSAI_TRY(find_chain(c, instance->element, &parts));
	if (parts.geometry == OSSA_NONE) return OSSA_OK;
	ossai_asset_mesh *mesh = &c->asset->meshes[c->asset->mesh_count];
	*mesh = (ossai_asset_mesh){.node = instance->node, .skin = OSSA_NONE};
	OSSAI_TRY(find_map(c, &parts, &map));
	mesh->has_axes = parts.skin != OSSA_NONE;
	mesh->axes = map;
	OSSAI_TRY(ossai_dae_geometry(c, parts.geometry, instance->element, &map, &mesh->mesh, &mesh->material_rows));
	if (!mesh->mesh) return OSSA_OK;
	c->asset->mesh_count++;
	if (parts.morph != OSSA_NONE) OSSAI_TRY(read_targets(c, &parts, &map, mesh));
	return parts.skin == OSSA_NONE ? OSSA_OK : ossai_dae_skin(c, parts.skin, instance->element, mesh);
}

ossa_status ossai_dae_meshes(ossai_dae *c)
{
	ossai_asset *asset = c->asset;
	asset->meshes = ossai_arena_zero(&asset->arena, c->instances.count, sizeof *asset->meshes);
	asset->skins = ossai_arena_zero(&asset->arena, c->instances.count, sizeof *asset->skins);
	c->mesh_next = ossai_arena_new(&c->arena, c->instances.count, sizeof *c->mesh_next);
	if (!asset->meshes || !asset->skins || !c->mesh_next) return ossai_dae_lost(c);
	place_bare_morphs(c);
	for (size_t i = 0; i < c->instances.count; i++) {
		OSSAI_TRY(ossai_progress(c->context, (double)i / (double)c->instances.count));
		OSSAI_TRY(read_instance(c, &c->instances.items[i]));
	}
	return OSSA_OK;
}
