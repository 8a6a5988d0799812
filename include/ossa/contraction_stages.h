/* ossa/contraction_stages.h: intermediate results of the contraction method as published, for
   inspection. Not needed to make rigs, and not part of ossa/ossa.h: it changes with the method's
   stages. */
#ifndef OSSA_CONTRACTION_STAGES_H
#define OSSA_CONTRACTION_STAGES_H

#include <ossa/contraction.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The options of graph, contraction and control points alone: fields of
   ossa_contraction_options. */
OSSA_API const ossa_option_table *ossa_contraction_stage_option_table(void);

/* Results of the stages up to the curve. Positions and lengths are in the mesh's units. */
typedef struct ossa_contraction_stages {
	size_t vertex_count;      /* N: of the mesh graph, which is the welded mesh */
	size_t face_count;        /* F */
	uint32_t *triangles;      /* F x 3 */
	uint32_t *graph_vertices; /* of each vertex of the mesh; OSSA_NONE where no face uses it */
	size_t mesh_vertex_count;
	size_t piece_count;     /* before they are joined */
	size_t join_count;      /* J: edges that join pieces */
	uint32_t *joins;        /* J x 2 */
	double split_distance;  /* edges shorter than this were removed */
	size_t split_count;     /* X: of these edges */
	uint32_t *splits;       /* X x 2 */
	size_t step_count;      /* S: of the contraction */
	double *positions;      /* (S + 1) x N x 3: of the graph, then what each step leaves */
	double *pulls;          /* S + 1: W_L of the step; 0 first */
	double *least_heights;  /* S + 1: of triangles in the step, in longest sides; 0: as they are */
	double *volume_shares;  /* S + 1: of the first volume */
	double *area_shares;    /* S + 1: of the first area */
	size_t point_count;     /* P: control points */
	double *points;         /* P x 3: as the collapse leaves them */
	double *centers;        /* P x 3: moved to the centers of their areas */
	double *volumes;        /* P: of their regions */
	uint32_t *graph_points; /* N: the point that a vertex is merged into */
	size_t curve_count;     /* E: edges of the curve */
	uint32_t *curve;        /* E x 2: points */
	size_t cut_count;       /* X: edges left out, so that the curve is a tree */
	uint32_t *cuts;         /* X x 2: points */
	size_t root;            /* a point */
} ossa_contraction_stages;

/* Runs the stages as published, whatever `refine` is, pieces linked.
   Errors: as of ossa_rig_from_contraction.
   Ownership: ossa_contraction_stages_free. */
OSSA_API ossa_status ossa_contraction_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_contraction_stages *stages);
OSSA_API void ossa_contraction_stages_free(ossa_context *context, ossa_contraction_stages *stages);

/* Writes into a folder that is there: graph.obj (faces, and lines that join or were split),
   step-01.obj and so on (the same graph after each step), points.ply (control points with volumes
   and numbers of vertices), curve.obj (lines).
   Errors: OSSA_ERROR_WRITE; then none of them is written. */
OSSA_API ossa_status ossa_contraction_stages_write(
	ossa_context *context, const ossa_contraction_stages *stages, const char *folder);

#ifdef __cplusplus
}
#endif
#endif
