/* tools/ossa/inspect_contraction.c: what the method contraction finds in a mesh, as tables and as
   JSON.

   Place in the path: the top. */
#include "inspect.h"

/* a row for the graph, one for each step, one for the curve */
void inspect_print_contraction(const inspect_work *work)
{
	const ossa_contraction_stages *s = &work->contraction;
	printf("\n%-12s %zu vertices, %zu faces, %zu piece%s, %zu joining edges, %zu removed", "mesh graph", s->vertex_count,
		s->face_count, s->piece_count, s->piece_count == 1 ? "" : "s", s->join_count, s->split_count);
	if (s->split_distance > 0) printf(" that are shorter than %.6g", s->split_distance);
	printf("\n\n%6s %12s %12s %12s %12s\n", "step", "W_L", "volume", "area", "least height");
	for (size_t i = 0; i <= s->step_count; i++) {
		printf(
			"%6zu %12.6g %12.3g %12.3g %12.3g\n", i, s->pulls[i], s->volume_shares[i], s->area_shares[i], s->least_heights[i]);
	}
	printf("\n%-12s %zu control points, %zu edges, %zu cut\n", "curve", s->point_count, s->curve_count, s->cut_count);
}

static json_t *json_numbers(size_t count, const double *values)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) json_array_append_new(list, command_json_real(values[i]));
	return list;
}

json_t *inspect_contraction_as_json(const inspect_work *work)
{
	const ossa_contraction_stages *s = &work->contraction;
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:I}", "vertices",
		(json_int_t)s->vertex_count, "faces", (json_int_t)s->face_count, "pieces", (json_int_t)s->piece_count, "joined",
		(json_int_t)s->join_count, "removed", (json_int_t)s->split_count, "split_distance", s->split_distance, "steps",
		(json_int_t)s->step_count, "pulls", json_numbers(s->step_count + 1, s->pulls), "least_heights",
		json_numbers(s->step_count + 1, s->least_heights), "volume_shares", json_numbers(s->step_count + 1, s->volume_shares),
		"area_shares", json_numbers(s->step_count + 1, s->area_shares), "points", (json_int_t)s->point_count, "edges",
		(json_int_t)s->curve_count, "cut", (json_int_t)s->cut_count);
}
