/* import/alembic/alembic_archive.h: what an Alembic file's groups mean: objects, their properties,
   and samples of these over time. */
#ifndef OSSAI_IMPORT_ALEMBIC_ARCHIVE_H
#define OSSAI_IMPORT_ALEMBIC_ARCHIVE_H

#include "import/alembic/alembic_ogawa.h"

/* Times of samples: one number: evenly from it; several: a cycle that repeats, or all times there
   are. */
typedef struct ossai_alembic_sampling {
	double seconds_per_cycle;
	bool is_acyclic;
	size_t count;
	const uint8_t *times; /* count doubles */
} ossai_alembic_sampling;

typedef struct ossai_alembic_archive {
	ossai_ogawa file;
	size_t sampling_count;
	ossai_alembic_sampling *samplings; /* in the arena it was opened with */
	size_t metadata_count;
	ossai_word *metadata; /* "key=value;key=value" that headers name by number; 0 is empty */
	ossai_ogawa_group top;
} ossai_alembic_archive;

/* Errors: OSSA_ERROR_INPUT. */
ossa_status ossai_alembic_open(ossai_arena *arena, const ossai_source *source, ossai_alembic_archive *archive);

/* Whether `metadata` has that key with that value. */
bool ossai_alembic_says(ossai_word metadata, const char *key, const char *value);
/* The value of a key; empty where it is missing. */
ossai_word ossai_alembic_value(ossai_word metadata, const char *key);

/* ---- objects ---- */

/* An object: its group is its properties, its children, and their headers. */
typedef struct ossai_alembic_object {
	ossai_word name, metadata;
	ossai_ogawa_group group;
} ossai_alembic_object;

/* The children of an object, one after the other. */
typedef struct ossai_alembic_children {
	ossai_ogawa_group group;
	const uint8_t *at, *end; /* headers still to come */
	size_t index;
} ossai_alembic_children;

ossa_status ossai_alembic_children_begin(
	ossai_alembic_archive *archive, const ossai_ogawa_group *group, ossai_alembic_children *children);
/* `found` is false after the last one. */
ossa_status ossai_alembic_children_next(
	ossai_alembic_archive *archive, ossai_alembic_children *children, ossai_alembic_object *object, bool *found);

/* ---- properties ---- */

typedef enum ossai_alembic_pod {
	OSSAI_POD_BOOL,
	OSSAI_POD_U8,
	OSSAI_POD_I8,
	OSSAI_POD_U16,
	OSSAI_POD_I16,
	OSSAI_POD_U32,
	OSSAI_POD_I32,
	OSSAI_POD_U64,
	OSSAI_POD_I64,
	OSSAI_POD_F16,
	OSSAI_POD_F32,
	OSSAI_POD_F64,
	OSSAI_POD_STRING,
	OSSAI_POD_WSTRING
} ossai_alembic_pod;

typedef enum ossai_alembic_kind {
	OSSAI_ALEMBIC_NONE, /* there is no such property */
	OSSAI_ALEMBIC_COMPOUND,
	OSSAI_ALEMBIC_SCALAR,
	OSSAI_ALEMBIC_ARRAY
} ossai_alembic_kind;

/* A property: a folder of others, one value, or an array of values, over time. */
typedef struct ossai_alembic_property {
	ossai_alembic_kind kind;
	ossai_word name, metadata;
	ossai_alembic_pod pod;
	size_t extent; /* numbers of one value */
	size_t sample_count;
	/* samples before and after these are as those at them; both 0: all are alike */
	size_t first_change, last_change;
	size_t sampling;
	ossai_ogawa_group group; /* the samples, or the properties of a compound */
} ossai_alembic_property;

/* The property of that name in a compound's group (an object's own: child 0 of its group); its kind
   is NONE where there is none. */
ossa_status ossai_alembic_find(
	ossai_alembic_archive *archive, const ossai_ogawa_group *compound, const char *name, ossai_alembic_property *property);

/* The group of an object's properties. */
ossa_status ossai_alembic_properties(
	const ossai_alembic_archive *archive, const ossai_alembic_object *object, ossai_ogawa_group *properties);

/* Whether all samples are stored as one. */
static inline bool ossai_alembic_is_constant(const ossai_alembic_property *property)
{
	return property->sample_count <= 1 || (property->first_change == 0 && property->last_change == 0);
}

/* OSSA_ERROR_INPUT naming the property, at a place of the file or NULL. */
ossa_status ossai_alembic_fail(const ossai_alembic_archive *archive, const ossai_alembic_property *property, const uint8_t *at,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* One sample: values in a row, `count` numbers of the property's type (for text: bytes). */
typedef struct ossai_alembic_sample {
	const uint8_t *bytes;
	size_t count;
} ossai_alembic_sample;

ossa_status ossai_alembic_sample_at(
	const ossai_alembic_archive *archive, const ossai_alembic_property *property, size_t index, ossai_alembic_sample *sample);

/* Whether the numbers of the type are whole, or floating. */
static inline bool ossai_pod_is_whole(ossai_alembic_pod pod) { return pod <= OSSAI_POD_I64; }
static inline bool ossai_pod_is_real(ossai_alembic_pod pod) { return pod >= OSSAI_POD_F16 && pod <= OSSAI_POD_F64; }

/* A number of a sample: index < count. Whole ones too large for the result are the largest it
   holds. */
double ossai_alembic_real(ossai_alembic_pod pod, const ossai_alembic_sample *sample, size_t index);
int64_t ossai_alembic_whole(ossai_alembic_pod pod, const ossai_alembic_sample *sample, size_t index);

/* ---- times ---- */

/* OSSA_ERROR_INPUT where a property declares far more samples than it holds. */
ossa_status ossai_alembic_check_count(const ossai_alembic_archive *archive, const ossai_alembic_property *property);

/* The seconds of all samples, increasing; where the file's do not increase, 24 a second with the
   warning "alembic-times". */
ossa_status ossai_alembic_times(const ossai_alembic_archive *archive, const ossai_alembic_property *property, double *times);

#endif
