/* ossa/stages.h: stages that methods share and a user may exchange. */
#ifndef OSSA_STAGES_H
#define OSSA_STAGES_H

/* How parts that move together are found. The order is that of the option tables' choices. */
typedef enum ossa_parts_kind {
	OSSA_PARTS_CLUSTERS, /* faces merged by how rigidly they move (Schaefer & Yuksel 2007) */
	OSSA_PARTS_SPECTRAL  /* spectral clusters of seed vertices (de Aguiar et al. 2008) */
} ossa_parts_kind;

/* How vertices are tied to bones. */
typedef enum ossa_weights_kind {
	OSSA_WEIGHTS_AUTO,          /* what the method is best with: see its table */
	OSSA_WEIGHTS_LEAST_SQUARES, /* as the poses are repeated best (Schaefer & Yuksel 2007) */
	OSSA_WEIGHTS_HEAT,          /* heat that flows from the bones over the skin (Baran & Popovic 2007) */
	OSSA_WEIGHTS_GEODESIC,      /* by distance over the surface */
	OSSA_WEIGHTS_COVERAGE       /* by the voxels that bones cover (Wade & Parent 2002) */
} ossa_weights_kind;

#define OSSA_PARTS_CHOICES "clusters|spectral"
#define OSSA_WEIGHTS_CHOICES "auto|least-squares|heat|geodesic|coverage"

#endif
