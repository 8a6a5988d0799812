/* import/mesh/ply_strips.c: see ply_strips.h. */
#include "import/mesh/ply_strips.h"

ossa_status ossai_ply_add_corner(ossai_builder *builder, const ossai_ply_corners *corners, uint32_t vertex)
{
	return ossai_builder_corner(
		builder, vertex, corners->texcoords ? vertex : OSSA_NONE, corners->normals ? vertex : OSSA_NONE);
}

/* The triangle that ends at vertex `last` of its strip, of which `ring` holds the newest three. */
static ossa_status add_triangle(ossai_builder *builder, const ossai_ply_corners *corners, const uint32_t ring[3], size_t last)
{
	/* every second triangle has the order of its first two vertices reversed, so that all have the
	   same orientation */
	const size_t odd = last & 1;
	const uint32_t a = ring[(last - 2 + odd) % 3], b = ring[(last - 1 - odd) % 3], c = ring[last % 3];
	if (a == b || b == c || c == a) return OSSA_OK;
	OSSAI_TRY(ossai_ply_add_corner(builder, corners, a));
	OSSAI_TRY(ossai_ply_add_corner(builder, corners, b));
	OSSAI_TRY(ossai_ply_add_corner(builder, corners, c));
	return ossai_builder_polygon(builder);
}

static bool is_restart(ossai_ply_type type, double value)
{
	return value == -1 || (type == OSSAI_PLY_UINT32 && value == UINT32_MAX);
}

ossa_status ossai_ply_read_strips(
	ossai_ply_cursor *cursor, const ossai_ply_property *property, const ossai_ply_corners *corners, ossai_builder *builder)
{
	size_t length, strip = 0, count = 0; /* count: vertices of the strip so far */
	uint32_t ring[3];
	OSSAI_TRY(ossai_ply_read_length(cursor, property, &length));
	for (size_t i = 0; i < length; i++) {
		double value;
		OSSAI_TRY(ossai_ply_read_value(cursor, property->type, &value));
		if (is_restart(property->type, value)) {
			strip++;
			count = 0;
			continue;
		}
		if (!(value >= 0 && value < (double)corners->vertex_count)) {
			const ossai_place place = ossai_ply_place(cursor);
			return ossai_fail(cursor->text.context, OSSA_ERROR_INPUT, &place,
				"triangle strip %zu has the vertex index %.0f, but there are only %zu vertices: is the file damaged?", strip,
				value, corners->vertex_count);
		}
		ring[count % 3] = (uint32_t)value;
		if (count >= 2) OSSAI_TRY(add_triangle(builder, corners, ring, count));
		count++;
	}
	return OSSA_OK;
}
