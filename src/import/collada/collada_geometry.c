/* import/collada/collada_geometry.c: a <geometry> as a mesh: see collada.h.

   Place in the path: called by collada_controller.c for every instance.
   Input: <mesh> with its sources, the instance's materials.
   Output: an ossa_mesh whose vertices are the file's positions, in their order. */
#include "import/collada/collada.h"
#include "scene/reverse.h"
#include "scene/sets.h"

#include <math.h>
#include <string.h>

/* Passed along while one mesh is made. */
typedef struct shape {
	ossai_dae *c;
	uint32_t mesh, instance; /* elements */
	ossai_rigid map;
	ossai_mat3 normal_map; /* inverse transpose, up to a factor */
	ossai_inputs of_vertices;
	ossai_accessor positions;
	ossai_builder builder;
	/* those put into the builder last, of UVs by set; and where */
	uint32_t texcoord_source[OSSA_SETS_MAX], normal_source;
	uint32_t first_texcoord[OSSA_SETS_MAX], first_normal;
	int64_t left_out; /* sets beyond those of a mesh, of the primitive with the most */
	float *color_sum[OSSA_SETS_MAX];
	bool *color_differs;
	uint32_t *rows; /* by material of the mesh: its row in the appearance */
} shape;

/* ---- where things are ---- */

/* the <vertices>' inputs; where a primitive names positions itself, as some old files do, its
   own */
static ossa_status vertex_inputs(ossai_dae *c, uint32_t mesh, ossai_inputs *inputs)
{
	inputs->count = 0;
	const uint32_t vertices = ossai_xml_child(&c->xml, mesh, "vertices");
	if (vertices != OSSA_NONE) OSSAI_TRY(ossai_dae_inputs(c, vertices, inputs));
	if (ossai_input_of(inputs, "POSITION")) return OSSA_OK;
	for (uint32_t p = ossai_xml_child(&c->xml, mesh, NULL); p != OSSA_NONE; p = ossai_xml_next(&c->xml, p, NULL)) {
		if (!ossai_dae_has_faces(c, p)) continue;
		OSSAI_TRY(ossai_dae_inputs(c, p, inputs));
		if (ossai_input_of(inputs, "POSITION")) return OSSA_OK;
	}
	return ossai_dae_fail(c, mesh, "<mesh> has no POSITION: export the file again");
}

static ossa_status open_positions(ossai_dae *c, uint32_t mesh, ossai_inputs *inputs, ossai_accessor *positions)
{
	OSSAI_TRY(vertex_inputs(c, mesh, inputs));
	const ossai_input *input = ossai_input_of(inputs, "POSITION");
	if (input->source == OSSA_NONE) return ossai_dae_fail(c, mesh, "the source of POSITION is not in this file");
	OSSAI_TRY(ossai_dae_accessor(c, input->source, "XYZ", positions));
	if (positions->count <= UINT32_MAX - 2) return OSSA_OK;
	return ossai_dae_fail(c, input->source, "has more than 4294967294 vertices: split the file");
}

ossa_status ossai_dae_positions(ossai_dae *c, uint32_t geometry, ossai_accessor *positions)
{
	ossai_inputs inputs;
	const uint32_t mesh = ossai_xml_child(&c->xml, geometry, "mesh");
	*positions = (ossai_accessor){.element = OSSA_NONE};
	return mesh == OSSA_NONE ? OSSA_OK : open_positions(c, mesh, &inputs, positions);
}

/* ---- vertices and their attributes ---- */

/* counts what sharing can multiply */
static ossa_status spend(const shape *s, size_t *left, size_t count)
{
	if (count > *left) {
		return ossai_dae_fail(s->c, s->mesh,
			"its instances make more vertices and corners than ossa takes from a file of this size: export it without "
			"instances");
	}
	*left -= count;
	return OSSA_OK;
}

static ossa_status add_vertices(shape *s)
{
	const ossai_accessor *a = &s->positions;
	OSSAI_TRY(spend(s, &s->c->left.vertices, a->count));
	OSSAI_TRY(ossai_builder_expect(&s->builder, a->count, 0, 0));
	for (size_t i = 0; i < a->count; i++) {
		double v[3] = {0, 0, 0};
		for (size_t k = 0; k < 3 && k < a->width; k++) v[k] = ossai_accessor_get(a, i, k);
		const ossai_vec3 p = ossai_rigid_point(&s->map, ossai_v3_of(v));
		const float position[3] = {(float)p.x, (float)p.y, (float)p.z};
		if (!isfinite(position[0]) || !isfinite(position[1]) || !isfinite(position[2])) {
			return ossai_dae_fail(s->c, a->element, "the position of vertex %zu is not finite: export the file again", i);
		}
		OSSAI_TRY(ossai_builder_vertex(&s->builder, position));
	}
	return OSSA_OK;
}

/* sources of several primitives are one set: it has the first name */
static void name_set(shape *s, size_t set, uint32_t source)
{
	const ossai_word name = ossai_xml_attribute_of(&s->c->xml, source, "name");
	char *own = ossai_uv_slot_of(s->builder.mesh, set).name;
	if (name.size > 0 && !own[0]) ossai_name_copy(own, name);
}

/* puts a source into the builder, unless it was the last */
static ossa_status add_texcoords(shape *s, size_t set, uint32_t source, size_t *count)
{
	ossai_accessor a;
	OSSAI_TRY(ossai_dae_accessor(s->c, source, NULL, &a));
	*count = a.count;
	if (source == s->texcoord_source[set]) return OSSA_OK;
	s->texcoord_source[set] = source;
	s->first_texcoord[set] = (uint32_t)*ossai_uv_slot_of(s->builder.mesh, set).count;
	OSSAI_TRY(spend(s, &s->c->left.vertices, a.count));
	name_set(s, set, source);
	for (size_t i = 0; i < a.count; i++) {
		const double u = ossai_accessor_get(&a, i, 0), v = a.width > 1 ? ossai_accessor_get(&a, i, 1) : 0;
		OSSAI_TRY(set == 0 ? ossai_builder_texcoord(&s->builder, (float)u, (float)v)
						   : ossai_builder_uv(&s->builder, set, (float)u, (float)v));
	}
	return OSSA_OK;
}

static ossa_status add_normals(shape *s, uint32_t source, size_t *count)
{
	ossai_accessor a;
	OSSAI_TRY(ossai_dae_accessor(s->c, source, "XYZ", &a));
	*count = a.width >= 3 ? a.count : 0;
	if (source == s->normal_source || a.width < 3) return OSSA_OK;
	s->normal_source = source;
	s->first_normal = (uint32_t)s->builder.mesh->normal_count;
	OSSAI_TRY(spend(s, &s->c->left.vertices, a.count));
	for (size_t i = 0; i < a.count; i++) {
		double v[3];
		for (size_t k = 0; k < 3; k++) v[k] = ossai_accessor_get(&a, i, k);
		const ossai_vec3 turned = ossai_mat3_mul_v(&s->normal_map, ossai_v3_of(v));
		const double length = ossai_length(turned), before = ossai_length(ossai_v3_of(v));
		/* its length does not change */
		const ossai_vec3 n = length > 1e-300 ? ossai_scale(turned, before / length) : turned;
		const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
		OSSAI_TRY(ossai_builder_normal(&s->builder, normal));
	}
	return OSSA_OK;
}

/* ---- primitives ---- */

/* where an attribute is in a corner's indices: its own input's offset, or the vertex's where
   <vertices> has it */
static const ossai_input *find_attribute(
	const shape *s, const ossai_inputs *own, const char *semantic, size_t rank, size_t vertex_offset, size_t *offset)
{
	const ossai_input *input = ossai_input_ranked(own, semantic, rank);
	*offset = input ? input->offset : vertex_offset;
	if (!input && !ossai_input_of(own, semantic)) input = ossai_input_ranked(&s->of_vertices, semantic, rank);
	if (input && input->source != OSSA_NONE) return input;
	*offset = SIZE_MAX;
	return NULL;
}

static ossa_status map_uvs(shape *s, const ossai_inputs *own, size_t vertex, ossai_corner_map *map)
{
	const ossai_input *input;
	for (; map->uv_count < OSSA_SETS_MAX; map->uv_count++) {
		const size_t set = map->uv_count;
		input = find_attribute(s, own, "TEXCOORD", set, vertex, &map->texcoord[set]);
		if (!input) return OSSA_OK;
		OSSAI_TRY(add_texcoords(s, set, input->source, &map->texcoord_count[set]));
		map->first_texcoord[set] = s->first_texcoord[set];
		map->uv_number[set] = input->set;
	}
	return OSSA_OK;
}

/* sets that a mesh cannot have */
static int64_t count_beyond(const shape *s, const ossai_inputs *own, const char *semantic, size_t vertex)
{
	int64_t count = 0;
	size_t offset;
	while (find_attribute(s, own, semantic, OSSA_SETS_MAX + (size_t)count, vertex, &offset)) count++;
	return count;
}

static ossa_status map_colors(shape *s, const ossai_inputs *own, size_t vertex, ossai_corner_map *map)
{
	for (; map->color_count < OSSA_SETS_MAX; map->color_count++) {
		const size_t set = map->color_count;
		const ossai_input *input = find_attribute(s, own, "COLOR", set, vertex, &map->color[set]);
		if (!input) return OSSA_OK;
		if (!s->color_sum[set]) s->color_sum[set] = ossa_alloc(s->c->context, map->vertex_count, 5 * sizeof **s->color_sum);
		if (!s->color_differs) s->color_differs = ossa_alloc(s->c->context, map->vertex_count, sizeof *s->color_differs);
		if (!s->color_sum[set] || !s->color_differs) return ossai_dae_lost(s->c);
		map->color_sum[set] = s->color_sum[set];
		map->color_differs = s->color_differs;
		OSSAI_TRY(ossai_dae_accessor(s->c, input->source, "RGBA", &map->colors[set]));
	}
	return OSSA_OK;
}

static ossa_status map_corners(shape *s, uint32_t primitive, ossai_corner_map *map)
{
	ossai_inputs own;
	OSSAI_TRY(ossai_dae_inputs(s->c, primitive, &own));
	*map = (ossai_corner_map){.stride = own.stride, .vertex_count = s->positions.count};
	const ossai_input *vertex = ossai_input_of(&own, "VERTEX");
	if (!vertex) vertex = ossai_input_of(&own, "POSITION");
	if (!vertex) {
		return ossai_dae_fail(s->c, primitive, "<%s> has no VERTEX: export the file again", s->c->xml.elements[primitive].name);
	}
	map->vertex = vertex->offset;
	OSSAI_TRY(map_uvs(s, &own, vertex->offset, map));
	const int64_t beyond = count_beyond(s, &own, "TEXCOORD", vertex->offset) + count_beyond(s, &own, "COLOR", vertex->offset);
	if (beyond > s->left_out) s->left_out = beyond;
	const ossai_input *normal = find_attribute(s, &own, "NORMAL", 0, vertex->offset, &map->normal);
	if (normal) OSSAI_TRY(add_normals(s, normal->source, &map->normal_count));
	map->first_normal = s->first_normal;
	return map_colors(s, &own, vertex->offset, map);
}

/* what the instance binds to a primitive's symbol, and where; else the symbol names a material */
static uint32_t find_material(const shape *s, ossai_word symbol, uint32_t *binding)
{
	const ossai_dae *c = s->c;
	uint32_t material = ossai_dae_resolve(c, symbol, "material", OSSA_NONE);
	const uint32_t bind = ossai_xml_at(&c->xml, s->instance, "bind_material/technique_common");
	for (uint32_t i = ossai_xml_child(&c->xml, bind, "instance_material"); i != OSSA_NONE;
		 i = ossai_xml_next(&c->xml, i, "instance_material")) {
		const ossai_word bound = ossai_xml_attribute_of(&c->xml, i, "symbol");
		if (!ossai_words_are_same(bound, symbol)) continue;
		const uint32_t target = ossai_dae_target(c, i, "target", "material");
		if (target == OSSA_NONE) continue;
		material = target;
		*binding = i;
	}
	return material;
}

/* the polygons to come have the material of a symbol, which the file knows by its id, or by the
   symbol where there is no such material; its name is the symbol where it has none */
static ossa_status set_material(shape *s, ossai_word symbol, const ossai_corner_map *map)
{
	ossai_dae *c = s->c;
	uint32_t binding = OSSA_NONE;
	const uint32_t material = find_material(s, symbol, &binding);
	const ossai_word name = ossai_dae_name_of(c, material);
	const ossai_word id = material == OSSA_NONE ? symbol : ossai_xml_attribute_of(&c->xml, material, "id");
	OSSAI_TRY(ossai_builder_material(&s->builder, id, name.size > 0 ? name : symbol));
	if (material != OSSA_NONE) s->rows[s->builder.material] = c->elements.first_of[material];
	if (binding != OSSA_NONE)
		ossai_dae_bind_channels(c, c->elements.first_of[material], binding, map->uv_count, map->uv_number);
	return OSSA_OK;
}

/* no more materials than primitives */
static ossa_status begin_rows(shape *s)
{
	const ossai_xml *xml = &s->c->xml;
	size_t count = 0;
	for (uint32_t p = ossai_xml_child(xml, s->mesh, NULL); p != OSSA_NONE; p = ossai_xml_next(xml, p, NULL)) count++;
	s->rows = ossai_arena_new(&s->c->asset->arena, count, sizeof *s->rows);
	if (!s->rows) return ossai_dae_lost(s->c);
	memset(s->rows, 0xff, count * sizeof *s->rows);
	return OSSA_OK;
}

static ossa_status add_primitives(shape *s)
{
	int64_t lines = 0;
	const ossai_xml *xml = &s->c->xml;
	for (uint32_t p = ossai_xml_child(xml, s->mesh, NULL); p != OSSA_NONE; p = ossai_xml_next(xml, p, NULL)) {
		lines += ossai_xml_is(xml, p, "lines") || ossai_xml_is(xml, p, "linestrips");
		if (!ossai_dae_has_faces(s->c, p)) continue;
		ossai_corner_map map;
		const ossai_word symbol = ossai_xml_attribute_of(xml, p, "material");
		OSSAI_TRY(map_corners(s, p, &map));
		s->builder.material = OSSA_NONE;
		/* ossa's own word for none, where other faces have materials */
		if (symbol.size > 0 && !ossai_word_is(symbol, "ossa-none")) OSSAI_TRY(set_material(s, symbol, &map));
		const size_t before = s->builder.mesh->corner_count;
		OSSAI_TRY(ossai_dae_primitive(s->c, &s->builder, p, &map));
		/* a primitive costs something even where it has no corners */
		OSSAI_TRY(spend(s, &s->c->left.corners, s->builder.mesh->corner_count - before + 1));
	}
	if (lines) {
		ossai_warn(s->c->context, "skipped-lines", lines, "%s, line %u: <lines> and <linestrips> are left out",
			s->c->source->path, xml->elements[s->mesh].line);
	}
	return OSSA_OK;
}

/* white where no face has a colour; the builder makes the values linear */
static ossa_status set_colors(shape *s)
{
	ossa_mesh *mesh = s->builder.mesh;
	const float white[4] = {1, 1, 1, 1};
	int64_t differing = 0;
	for (size_t set = 0; set < OSSA_SETS_MAX && s->color_sum[set] && mesh->vertex_count > 0; set++) {
		OSSAI_TRY(set == 0 ? ossai_builder_color(&s->builder, white) : ossai_builder_color_set(&s->builder, set, white));
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			const float *sum = s->color_sum[set] + 5 * v;
			for (size_t k = 0; k < 4 && sum[4] > 0; k++) ossai_colors_at(mesh, set)[4 * v + k] = sum[k] / sum[4];
		}
	}
	for (size_t v = 0; s->color_differs && v < mesh->vertex_count; v++) differing += s->color_differs[v];
	if (differing) {
		ossai_warn(s->c->context, "averaged-colors", differing,
			"%s, line %u: vertices have corners of different colours; they take the average", s->c->source->path,
			s->c->xml.elements[s->mesh].line);
	}
	if (s->left_out > 0) {
		ossai_warn(s->c->context, "sets-left-out", s->left_out,
			"%s, line %u: has more than %d sets of UVs or of colours; those beyond are left out", s->c->source->path,
			s->c->xml.elements[s->mesh].line, OSSA_SETS_MAX);
	}
	return OSSA_OK;
}

static ossa_status fill_shape(shape *s)
{
	OSSAI_TRY(open_positions(s->c, s->mesh, &s->of_vertices, &s->positions));
	OSSAI_TRY(add_vertices(s));
	OSSAI_TRY(begin_rows(s));
	OSSAI_TRY(add_primitives(s));
	return set_colors(s);
}

/* rows of cofactors: the inverse transpose times the determinant, which keeps the sign of mirrored
   maps */
static ossai_mat3 normal_map(const ossai_mat3 *a)
{
	ossai_mat3 n;
	const double sign = ossai_mat3_det(a) < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
		for (int j = 0; j < 3; j++) {
			const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
			n.m[i][j] = sign * (a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1]);
		}
	}
	return n;
}

ossa_status ossai_dae_geometry(
	ossai_dae *c, uint32_t geometry, uint32_t instance, const ossai_rigid *map, ossa_mesh **mesh, uint32_t **rows)
{
	shape s = {.c = c,
		.mesh = ossai_xml_child(&c->xml, geometry, "mesh"),
		.instance = instance,
		.map = *map,
		.normal_map = normal_map(&map->r),
		.normal_source = OSSA_NONE};
	for (size_t set = 0; set < OSSA_SETS_MAX; set++) s.texcoord_source[set] = OSSA_NONE;
	*mesh = NULL;
	if (s.mesh != OSSA_NONE) {
		OSSAI_TRY(ossai_builder_begin(c->context, c->source, OSSAI_PARTS_ALL, &s.builder));
		ossa_status status = fill_shape(&s);
		for (size_t set = 0; set < OSSA_SETS_MAX; set++) ossa_free(c->context, s.color_sum[set]);
		ossa_free(c->context, s.color_differs);
		if (status != OSSA_OK || s.builder.mesh->polygon_count > 0) {
			const ossai_word name = ossai_dae_name_of(c, geometry);
			if (name.size > 0) ossai_name_copy(s.builder.mesh->name, name);
			*rows = s.rows;
			OSSAI_TRY(ossai_builder_end(&s.builder, status, mesh));
			/* a mirrored shape would be inside out */
			if (ossai_mat3_det(&map->r) < 0) ossai_mesh_reverse(*mesh);
			return OSSA_OK;
		}
		ossai_builder_abort(&s.builder);
	}
	ossai_warn(c->context, "skipped-geometry", 1, "%s, line %u: geometry without faces (lines, curves ...) is left out",
		c->source->path, c->xml.elements[geometry].line);
	return OSSA_OK;
}
