/* import/collada/collada_primitives.c: the faces of Collada's six ways of listing them: see
   collada.h.

   Place in the path: called by collada_geometry.c for each primitive of a mesh.
   Input: <p>, <ph>, <vcount>.
   Output: polygons in a builder. */
#include "import/collada/collada.h"

#include <math.h>
#include <string.h>

/* colours of a vertex's corners that differ by more than this are counted */
static const double color_tolerance = 1.0 / 512;

/* Passed along while the faces of one primitive are read. */
typedef struct reader {
	ossai_dae *c;
	ossai_builder *builder;
	const ossai_corner_map *map;
	uint32_t primitive;
	int64_t skipped; /* faces of one or two corners */
} reader;

typedef struct corner {
	uint32_t vertex, texcoord[OSSA_SETS_MAX], normal; /* UVs and colours by set */
	int64_t color[OSSA_SETS_MAX];
} corner;

/* ---- corners ---- */

static uint32_t attribute_index(int64_t index, size_t count, uint32_t first)
{
	if (index < 0) return OSSA_NONE;
	/* beyond the source: beyond all in the builder, which counts and drops it */
	return (uint64_t)index < count ? first + (uint32_t)index : UINT32_MAX - 1;
}

/* all indices of the next corner; `there` is false at the end of the text */
static ossa_status read_corner(const reader *r, ossai_text *text, corner *next, bool *there)
{
	const ossai_corner_map *map = r->map;
	*next = (corner){.texcoord = {OSSA_NONE}, .normal = OSSA_NONE};
	for (size_t i = 0; i < map->stride; i++) {
		int64_t index;
		OSSAI_TRY(ossai_dae_integer(r->c, text, &index, there));
		if (!*there) {
			if (i == 0) return OSSA_OK;
			return ossai_text_fail(text, "the indices of a <%s> end in the middle of a corner: is the file cut off?",
				r->c->xml.elements[r->primitive].name);
		}
		if (i == map->vertex) {
			if (index < 0 || (uint64_t)index >= map->vertex_count) {
				return ossai_text_fail(text,
					"a face asks for vertex %lld, and the mesh has %zu (counted from 0): export the file again",
					(long long)index, map->vertex_count);
			}
			next->vertex = (uint32_t)index;
		}
		for (size_t set = 0; set < map->uv_count; set++) {
			if (i == map->texcoord[set])
				next->texcoord[set] = attribute_index(index, map->texcoord_count[set], map->first_texcoord[set]);
		}
		if (i == map->normal) next->normal = attribute_index(index, map->normal_count, map->first_normal);
		for (size_t set = 0; set < map->color_count; set++) {
			if (i == map->color[set]) next->color[set] = index;
		}
	}
	return OSSA_OK;
}

/* colours belong to corners in the file and to vertices in the mesh: those of a vertex are
   averaged */
static void add_color(const reader *r, const corner *at, size_t set)
{
	const ossai_accessor *colors = &r->map->colors[set];
	float *sum = r->map->color_sum[set] + 5 * (size_t)at->vertex;
	double value[4] = {1, 1, 1, 1};
	for (size_t k = 0; k < 4 && k < colors->width; k++) value[k] = ossai_accessor_get(colors, (size_t)at->color[set], k);
	for (size_t k = 0; k < 4; k++) {
		if (!isfinite(value[k])) value[k] = 0;
		const bool differs = sum[4] > 0 && fabs((double)(sum[k] / sum[4]) - value[k]) > color_tolerance;
		if (differs) r->map->color_differs[at->vertex] = true;
		sum[k] += (float)value[k];
	}
	sum[4]++;
}

static ossa_status add_corner(const reader *r, const corner *at)
{
	const ossai_corner_map *map = r->map;
	for (size_t set = 0; set < map->color_count; set++) {
		if (at->color[set] >= 0 && (uint64_t)at->color[set] < map->colors[set].count) add_color(r, at, set);
	}
	OSSAI_TRY(ossai_builder_corner(r->builder, at->vertex, at->texcoord[0], at->normal));
	/* also where only other primitives have a set */
	for (size_t set = 1; set <= r->builder->mesh->more_uv_count; set++)
		OSSAI_TRY(ossai_builder_corner_uv(r->builder, set, set < map->uv_count ? at->texcoord[set] : OSSA_NONE));
	return OSSA_OK;
}

/* a face of one or two corners is skipped */
static ossa_status end_face(reader *r)
{
	const size_t corners = ossai_builder_open_corners(r->builder);
	if (corners >= 3) return ossai_builder_polygon(r->builder);
	r->builder->mesh->corner_count -= corners;
	r->skipped += corners > 0;
	return OSSA_OK;
}

/* ---- the ways of listing faces ---- */

/* faces of `size` corners each up to the text's end; 0: one face of all corners */
static ossa_status read_faces(reader *r, uint32_t p, size_t size)
{
	ossai_text text = ossai_xml_cursor(&r->c->xml, p);
	for (;;) {
		corner next;
		bool there;
		OSSAI_TRY(read_corner(r, &text, &next, &there));
		if (!there) break;
		OSSAI_TRY(add_corner(r, &next));
		if (ossai_builder_open_corners(r->builder) == size) OSSAI_TRY(ossai_builder_polygon(r->builder));
	}
	if (size > 0 && ossai_builder_open_corners(r->builder) > 0) {
		return ossai_text_fail(&text, "the indices end in the middle of a triangle: is the file cut off?");
	}
	return end_face(r);
}

static ossa_status read_polylist(reader *r)
{
	const uint32_t p = ossai_xml_child(&r->c->xml, r->primitive, "p");
	const uint32_t vcount = ossai_xml_child(&r->c->xml, r->primitive, "vcount");
	ossai_text sizes = ossai_xml_cursor(&r->c->xml, vcount), text = ossai_xml_cursor(&r->c->xml, p);
	for (;;) {
		int64_t size;
		bool there;
		OSSAI_TRY(ossai_dae_integer(r->c, &sizes, &size, &there));
		if (!there) return OSSA_OK;
		for (int64_t i = 0; i < size; i++) {
			corner next;
			OSSAI_TRY(read_corner(r, &text, &next, &there));
			if (!there)
				return ossai_text_fail(&text, "<p> ends before all faces of <vcount> have corners: is the file cut off?");
			OSSAI_TRY(add_corner(r, &next));
		}
		OSSAI_TRY(end_face(r));
	}
}

static ossa_status add_triangle(reader *r, const corner *a, const corner *b, const corner *c)
{
	/* strips repeat corners to continue elsewhere: no faces */
	if (a->vertex == b->vertex || b->vertex == c->vertex || a->vertex == c->vertex) return OSSA_OK;
	OSSAI_TRY(add_corner(r, a));
	OSSAI_TRY(add_corner(r, b));
	OSSAI_TRY(add_corner(r, c));
	return ossai_builder_polygon(r->builder);
}

static ossa_status read_strip(reader *r, uint32_t p, bool fan)
{
	ossai_text text = ossai_xml_cursor(&r->c->xml, p);
	corner older = {0}, before = {0}, next;
	for (size_t i = 0;; i++) {
		bool there;
		OSSAI_TRY(read_corner(r, &text, &next, &there));
		if (!there) return OSSA_OK;
		/* every other triangle of a strip has the opposite winding */
		const bool turned = !fan && i % 2 == 1;
		if (i >= 2) OSSAI_TRY(add_triangle(r, turned ? &before : &older, turned ? &older : &before, &next));
		if (i == 0) older = next;
		else if (i >= 2 && !fan) older = before;
		before = next;
	}
}

static ossa_status read_polygons(reader *r)
{
	const ossai_xml *xml = &r->c->xml;
	int64_t holes = 0;
	for (uint32_t e = ossai_xml_child(xml, r->primitive, NULL); e != OSSA_NONE; e = ossai_xml_next(xml, e, NULL)) {
		if (ossai_xml_is(xml, e, "p")) OSSAI_TRY(read_faces(r, e, 0));
		if (!ossai_xml_is(xml, e, "ph")) continue;
		const uint32_t ring = ossai_xml_child(xml, e, "p");
		holes += ossai_xml_child(xml, e, "h") != OSSA_NONE;
		if (ring != OSSA_NONE) OSSAI_TRY(read_faces(r, ring, 0));
	}
	if (holes) {
		ossai_warn(r->c->context, "filled-holes", holes, "%s, line %u: polygons have holes, which ossa fills",
			r->c->source->path, xml->elements[r->primitive].line);
	}
	return OSSA_OK;
}

static ossa_status read_primitive(reader *r)
{
	const ossai_xml *xml = &r->c->xml;
	if (ossai_xml_is(xml, r->primitive, "polylist")) return read_polylist(r);
	if (ossai_xml_is(xml, r->primitive, "polygons")) return read_polygons(r);
	const bool fan = ossai_xml_is(xml, r->primitive, "trifans"), triangles = ossai_xml_is(xml, r->primitive, "triangles");
	for (uint32_t p = ossai_xml_child(xml, r->primitive, "p"); p != OSSA_NONE; p = ossai_xml_next(xml, p, "p")) {
		OSSAI_TRY(triangles ? read_faces(r, p, 3) : read_strip(r, p, fan));
	}
	return OSSA_OK;
}

bool ossai_dae_has_faces(const ossai_dae *c, uint32_t primitive)
{
	static const char *const names[] = {"triangles", "polylist", "polygons", "trifans", "tristrips"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (ossai_xml_is(&c->xml, primitive, names[i])) return true;
	}
	return false;
}

ossa_status ossai_dae_primitive(ossai_dae *c, ossai_builder *builder, uint32_t primitive, const ossai_corner_map *map)
{
	reader r = {.c = c, .builder = builder, .map = map, .primitive = primitive};
	OSSAI_TRY(read_primitive(&r));
	if (r.skipped) {
		ossai_warn(c->context, "skipped-faces", r.skipped, "%s, line %u: faces of one or two corners are left out",
			c->source->path, c->xml.elements[primitive].line);
	}
	return OSSA_OK;
}
