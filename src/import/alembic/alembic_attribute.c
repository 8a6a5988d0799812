/* import/alembic/alembic_attribute.c: texture coordinates and normals: see alembic_attribute.h. */
#include "import/alembic/alembic_attribute.h"

static ossai_scope scope_of(const ossai_alembic_mesh *w, ossai_word metadata, size_t element_count)
{
	static const struct {
		const char *name;
		ossai_scope scope;
	} names[] = {{"con", OSSAI_SCOPE_CONSTANT}, {"uni", OSSAI_SCOPE_FACE}, {"var", OSSAI_SCOPE_VERTEX},
		{"vtx", OSSAI_SCOPE_VERTEX}, {"fvr", OSSAI_SCOPE_CORNER}};
	const size_t counts[] = {[OSSAI_SCOPE_CONSTANT] = 1,
		[OSSAI_SCOPE_FACE] = w->face_sizes.count,
		[OSSAI_SCOPE_VERTEX] = w->vertex_count,
		[OSSAI_SCOPE_CORNER] = w->corner_vertices.count};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!ossai_alembic_says(metadata, "geoScope", names[i].name)) continue;
		return counts[names[i].scope] == element_count ? names[i].scope : OSSAI_SCOPE_NONE;
	}
	/* some writers do not say; their number decides */
	if (element_count == w->corner_vertices.count) return OSSAI_SCOPE_CORNER;
	return element_count == w->vertex_count ? OSSAI_SCOPE_VERTEX : OSSAI_SCOPE_NONE;
}

ossa_status ossai_attribute_sample(
	ossai_alembic_mesh *w, const ossai_alembic_property *property, bool whole, size_t extent, ossai_alembic_sample *sample)
{
	*sample = (ossai_alembic_sample){NULL, 0};
	const bool fits = property->kind == OSSAI_ALEMBIC_ARRAY && property->extent == extent && property->sample_count > 0 &&
		(whole ? ossai_pod_is_whole(property->pod) : ossai_pod_is_real(property->pod));
	return fits ? ossai_alembic_sample_at(&w->reader->archive, property, 0, sample) : OSSA_OK;
}

ossa_status ossai_attribute_find(ossai_alembic_mesh *w, const char *name, size_t extent, ossai_attribute *found)
{
	*found = (ossai_attribute){.scope = OSSAI_SCOPE_NONE};
	ossai_alembic_archive *archive = &w->reader->archive;
	ossai_alembic_property property, values, indices = {.kind = OSSAI_ALEMBIC_NONE};
	OSSAI_TRY(ossai_alembic_find(archive, &w->geometry, name, &property));
	if (property.kind == OSSAI_ALEMBIC_NONE) return OSSA_OK;
	values = property;
	found->is_indexed = property.kind == OSSAI_ALEMBIC_COMPOUND;
	if (found->is_indexed) {
		OSSAI_TRY(ossai_alembic_find(archive, &property.group, ".vals", &values));
		OSSAI_TRY(ossai_alembic_find(archive, &property.group, ".indices", &indices));
	}
	OSSAI_TRY(ossai_attribute_sample(w, &values, false, extent, &found->values));
	OSSAI_TRY(ossai_attribute_sample(w, &indices, true, 1, &found->indices));
	found->pod = values.pod;
	found->index_pod = indices.pod;
	found->value_count = found->values.count / extent;
	found->element_count = found->is_indexed ? found->indices.count : found->value_count;
	const ossai_word own = ossai_alembic_value(property.metadata, "geoScope");
	found->scope = scope_of(w, own.size > 0 ? property.metadata : values.metadata, found->element_count);
	if (found->value_count == 0) found->scope = OSSAI_SCOPE_NONE;
	if (found->scope == OSSAI_SCOPE_NONE) {
		ossai_warn(archive->file.context, "alembic-attribute", 1,
			"%s: texture coordinates or normals (%s) are of a number or type that does not fit their mesh; it goes without",
			archive->file.source->path, name);
	}
	return OSSA_OK;
}

uint32_t ossai_attribute_at(const ossai_attribute *a, size_t face, size_t vertex, size_t corner)
{
	size_t element = 0;
	switch (a->scope) {
	case OSSAI_SCOPE_NONE: return OSSA_NONE;
	case OSSAI_SCOPE_CONSTANT: break;
	case OSSAI_SCOPE_FACE: element = face; break;
	case OSSAI_SCOPE_VERTEX: element = vertex; break;
	case OSSAI_SCOPE_CORNER: element = corner; break;
	}
	if (!a->is_indexed) return (uint32_t)element;
	const int64_t index = ossai_alembic_whole(a->index_pod, &a->indices, element);
	return index >= 0 && index < OSSA_NONE - 1 ? (uint32_t)index : OSSA_NONE - 1;
}
