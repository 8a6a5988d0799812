/* tests/support/alembic_scene.h: Alembic files of one small mesh, in all variants of the format,
   with transforms and instances; and functions that open and check them. The bytes are written
   by ogawa.c. */
#ifndef OSSA_TEST_ALEMBIC_SCENE_H
#define OSSA_TEST_ALEMBIC_SCENE_H

#include "import/alembic/alembic.h"
#include "support/ogawa.h"

enum { ALEMBIC_VERTICES = 5, ALEMBIC_CORNERS = 7 };

/* A quad and a triangle. Corners are in ossa's order: Alembic's reversed, each face beginning at
   the same corner. */
extern const float alembic_rest[3 * ALEMBIC_VERTICES];
extern const uint32_t alembic_corners[ALEMBIC_CORNERS];

/* ---- making files ---- */

/* How the mesh is written: what a test varies. Zero is the plainest file. */
typedef struct alembic_form {
	int hint;         /* of all headers */
	int position_pod; /* 0: F32 */
	int stored;       /* position samples; 0: 3. Sample s is moved up by s */
	/* what its header says besides: sample_count, is_constant, has_changes, first, last,
	   sampling */
	ogawa_property positions;
	const float *values;           /* instead of the rest's, of the second sample */
	bool other_faces, other_count; /* in its second sample */
	/* 1: the faces have a second sample of the same data, 2: of data that is the same */
	int repeats;
	const char *geometry_metadata; /* of the attributes; NULL: "geoScope=fvr" and "geoScope=vtx" */
	bool plain_attributes;         /* not indexed: vertex UVs */
	bool is_subd;
	const char *mesh_metadata; /* NULL: the schema, indexed */
	/* of positions, written although there is one alone; 0: not written */
	uint64_t dimensions;
} alembic_form;

/* A transform: its operations, and numbers for each of its samples. */
typedef struct alembic_xform {
	size_t op_count, width, samples;
	unsigned char ops[8];
	double values[40];
	int sampling;
	bool as_array, alone; /* alone: does not inherit */
} alembic_xform;

/* Objects, to be added to a list: the mesh (with face sets as its children), an instance of the
   object at `path`; and the properties that make an object a transform. */
uint64_t alembic_make_mesh(ogawa_bytes *file, const alembic_form *form, bool with_sets);
uint64_t alembic_make_instance(ogawa_bytes *file, const char *path);
uint64_t alembic_make_xform(ogawa_bytes *file, const alembic_xform *form);

/* Closes the top and the file. Metadata 1 is a mesh, 2 a transform; times 1 are 24 a second from
   frame 1 on, 2 a cycle, 3 listed (all there are), 4 do not increase. */
void alembic_finish(ogawa_bytes *file, ogawa_list *top);

/* A whole file: the mesh alone, at the top. */
ogawa_bytes alembic_make_scene(const alembic_form *form);

/* ---- reading them ---- */

ossa_status alembic_open(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset);

/* Asserts that the file is refused in these words. */
void alembic_refused(const ogawa_bytes *file, ossa_status expected, const char *words);

/* Asserts that it is the mesh from above. */
void alembic_check_shape(ossa_context *context, const ossa_mesh *mesh);

/* Opens a file of one mesh and asserts that it is the one from above. */
void alembic_open_shape(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset);

/* Asserts that a sample of the asset's first mesh is the rest, moved up. */
void alembic_check_sample(ossa_context *context, const ossai_asset *asset, size_t sample, float height);

#endif
