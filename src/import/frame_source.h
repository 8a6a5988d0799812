/* import/frame_source.h: one file of a stream of frames: a mesh, a point cache, an animated
   scene. */
#ifndef OSSAI_IMPORT_FRAME_SOURCE_H
#define OSSAI_IMPORT_FRAME_SOURCE_H

#include "import/orient.h"
#include "import/registry.h"

/* A scene while it is open. */
typedef struct ossai_scene_source ossai_scene_source;

/* One path: a mesh (one frame), a cache, or a file of scenes. */
typedef struct ossai_frame_source {
	ossai_source source;
	ossai_file file; /* held for caches, open scenes, and for what cannot be opened twice */
	const ossai_read_entry *entry;
	ossai_cache cache; /* where the entry is a cache's */
	/* of the source's own frames, from 0 on; NULL: one pose without a time */
	double *times;
	/* frames per second at which the cache is sampled */
	bool is_sampled;
	ossai_scene_source *scene; /* while it is open */
	ossa_frames *held;         /* a scene's frames in memory */
	bool is_looked_at;         /* its axes have been compared with the rest's */
	bool has_order;            /* so has the order of its vertices */
	size_t frame_count;
	bool morphs_at_rest; /* see ossa_frames */
	/* of a single animation, its own frames x morph_count: the weights of the mesh's morph targets,
	   which its frames leave at rest; the arena's, or NULL */
	size_t morph_count;
	double *morph_weights;
	char motion[64];   /* the name of its animation, or "" */
	size_t take_count; /* 0: its frames are one take */
	ossa_take *takes;  /* of several animations, of the source's own frames; the arena's */
} ossai_frame_source;

/* What the sources of a stream share. */
typedef struct ossai_frame_sources {
	ossa_context *context;
	ossai_arena arena;     /* lives as long as the sources */
	const ossa_mesh *rest; /* NULL: caches alone */
	size_t vertex_count;   /* of every frame; 0 until the first cache is open */
	ossa_read_options options;
	double rate; /* frames per second of sources without times */
	ossai_orientation orientation;
	ossai_frame_source *items; /* in the order of the frames */
	size_t count;              /* opened so far */
	bool is_single;            /* there is one source: a scene's range of frames is its own */
	size_t open_scene;         /* the one that is open, or SIZE_MAX: scenes are large */
	size_t held_bytes;         /* of frames of scenes that are kept */
	/* frame_meshes.c: of a mesh file that was compared with the rest, which stays open */
	ossai_file faces_file;
	ossai_face_text faces;
	bool faces_looked_for, faces_known;
} ossai_frame_sources;

/* Opens source `index`, whose path is set: its format, its count of frames, whether it is of the
   rest mesh. Errors: as ossa_read_frames. ossai_frame_source_close releases what is open
   afterwards, also after a failure. */
ossa_status ossai_frame_source_open(ossai_frame_sources *all, size_t index);
/* The same for source 0 as the only one, without a rest: the mesh at rest is the file's own, with
   its vertices welded unless the options keep them, and must live as long. No frames: nothing
   moves. Ownership: ossa_mesh_free. */
ossa_status ossai_frame_source_open_animation(ossai_frame_sources *all, ossa_mesh **mesh);

void ossai_frame_source_close(ossai_frame_sources *all, size_t index);

/* The bytes of its file. Errors: as ossai_file_open. */
ossa_status ossai_frame_source_open_file(ossai_frame_sources *all, ossai_frame_source *source);
void ossai_frame_source_close_file(ossai_frame_sources *all, ossai_frame_source *source);

/* The positions of frame `frame` of source `index`, in ossa's axes and units. Errors: as
   ossa_read_frames. */
ossa_status ossai_frame_source_read(ossai_frame_sources *all, size_t index, size_t frame, float *positions);

/* It is a mesh file of one frame, for frame_meshes.c. */
static inline bool ossai_frame_source_is_mesh(const ossai_frame_source *source)
{
	return !source->entry->open_cache && !source->entry->read_asset;
}

/* Seconds of a frame, from the source's first on; 0 of a pose without a time. */
double ossai_frame_source_time(const ossai_frame_sources *all, const ossai_frame_source *source, size_t frame);

#endif
