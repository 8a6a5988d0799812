/* ossa/stages.h: stages that methods share and a user may exchange. */
#ifndef OSSA_STAGES_H
#define OSSA_STAGES_H

/* How parts that move rigidly are found. The order is that of the option tables' choices. */
typedef enum ossa_parts_kind {
	OSSA_PARTS_CLUSTERS, /* faces merged by how rigidly they move (Schaefer & Yuksel 2007) */
	OSSA_PARTS_SPECTRAL  /* spectral clusters of seed vertices (de Aguiar et al. 2008) */
} ossa_parts_kind;

/* How vertices are weighted to bones. */
typedef enum ossa_weights_kind {
	OSSA_WEIGHTS_AUTO, /* the method's default: see its table */
	/* least-squares weights that reproduce the poses (Schaefer & Yuksel 2007) */
	OSSA_WEIGHTS_LEAST_SQUARES,
	/* bone heat (Baran & Popovic 2007) */
	OSSA_WEIGHTS_HEAT,
	OSSA_WEIGHTS_GEODESIC, /* by geodesic distance over the surface */
	OSSA_WEIGHTS_COVERAGE  /* by the voxels that the bones' balls cover (Wade & Parent 2002) */
} ossa_weights_kind;

/* The proxy that still methods work on in place of the surface. */
typedef enum ossa_proxy_kind {
	/* the surface where it is closed, manifold and of one piece, else the shell */
	OSSA_PROXY_AUTO,
	/* the surface itself, remeshed isotropically; pieces stay apart, joined by links */
	OSSA_PROXY_SURFACE,
	/* the shell: the outer boundary of the enclosed volume, on a grid; touching pieces become
	   one */
	OSSA_PROXY_SHELL,
	OSSA_PROXY_NONE /* the surface as it is, welded */
} ossa_proxy_kind;

/* How the pieces of a mesh are rigged. */
typedef enum ossa_pieces_kind {
	OSSA_PIECES_LINK,    /* joined, as one */
	OSSA_PIECES_SEPARATE /* each separately, under a common root */
} ossa_pieces_kind;

/* The linear system that a step of the contraction solves. */
typedef enum ossa_flow_kind {
	OSSA_FLOW_AUTO,          /* implicit; as published: least squares */
	OSSA_FLOW_LEAST_SQUARES, /* (L^T W_L^2 L + W_H^2) V' = W_H^2 V (Au et al. 2008) */
	OSSA_FLOW_IMPLICIT       /* (W_H M + W_L L) V' = W_H M V: a third of the fill */
} ossa_flow_kind;

/* How a shape's symmetry is used. */
typedef enum ossa_symmetry_kind {
	OSSA_SYMMETRY_OFF,    /* ignored: no plane is searched for */
	OSSA_SYMMETRY_DETECT, /* where shape and curve are symmetric, so are the bones */
	OSSA_SYMMETRY_ENFORCE /* the bones of one side are mirrored to the other, whatever the curve */
} ossa_symmetry_kind;

#define OSSA_PROXY_CHOICES "auto|surface|shell|none"
#define OSSA_PIECES_CHOICES "link|separate"
#define OSSA_FLOW_CHOICES "auto|least-squares|implicit"
#define OSSA_SYMMETRY_CHOICES "off|detect|enforce"
#define OSSA_PARTS_CHOICES "clusters|spectral"
#define OSSA_WEIGHTS_CHOICES "auto|least-squares|heat|geodesic|coverage"

#endif
