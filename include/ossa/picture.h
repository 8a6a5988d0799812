/* ossa/picture.h: pictures of rigs by a small software rasteriser: no GPU, the same bytes
   everywhere. */
#ifndef OSSA_PICTURE_H
#define OSSA_PICTURE_H

#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ossa_picture_color {
	OSSA_PICTURE_BONES = 0, /* the mix of the bones' colours by weight */
	OSSA_PICTURE_PLAIN,
	OSSA_PICTURE_WEIGHTS, /* those of one bone, as a ramp from 0 to 1 */
	/* the error of each vertex against the frame, as a ramp from 0 on */
	OSSA_PICTURE_ERROR,
	OSSA_PICTURE_CLUSTERS, /* each set of faces that moved together its own: ossa_rig_clusters */
	/* by part and side of a body (ossa_role), with rings of the deviations of joints */
	OSSA_PICTURE_ROLES,
	/* the mesh's own: its materials and the colours of its vertices; plain where it has none.
	   Textures that cannot be shown are left out with the warning "textures-not-shown" */
	OSSA_PICTURE_MATERIALS,
	/* materials where the mesh has more than one grey, else bones: the default */
	OSSA_PICTURE_AUTO
} ossa_picture_color;

/* How a picture is made. Start from ossa_picture_default(). */
typedef struct ossa_picture_options {
	uint32_t cookie;   /* set by the default function; do not touch */
	int width, height; /* pixels of one view */
	double azimuth;    /* degrees about the up axis; 0 looks at the front (from +Z for Y up) */
	double elevation;  /* degrees above the horizon */
	int views;         /* views side by side, evenly turned about the up axis */
	ossa_axis up;
	ossa_picture_color color;
	bool skeleton;    /* draw joints and bones over the surface */
	bool transparent; /* no background */
	int columns;      /* views on one row of the sheet; 0: all frames of a view on one row */
	bool legend;      /* of ramps and roles */
	/* of errors: % of the diagonal at the ramp's end; 0: the largest of the frames shown */
	double error_top;
	int clusters; /* OSSA_PICTURE_CLUSTERS: how many; 0: as many as the rig has bones */
} ossa_picture_options;

/* What a picture shows. */
typedef struct ossa_picture_subject {
	const ossa_rig *rig;
	const ossa_clip *clip; /* the motion whose frames are drawn; NULL: the rig's */
	size_t bone;           /* OSSA_PICTURE_WEIGHTS: the bone whose weights are shown */
	/* OSSA_PICTURE_ERROR: the frames that the motion should reproduce, as many and of the mesh's
	   vertices; else NULL */
	ossa_frame_stream *frames;
} ossa_picture_subject;

/* An image, rows from the top, 8 bits RGBA. Pixels are the context's. */
typedef struct ossa_picture {
	size_t width, height;
	uint8_t *pixels; /* height x width x 4 */
	/* the value of the ramp's last colour, 0 where there is no ramp: a weight, or % of the
	   diagonal */
	double ramp_top;
	double largest; /* weight or error of any vertex in a face that is shown */
} ossa_picture;

OSSA_API ossa_picture_options ossa_picture_default(void);
OSSA_API const ossa_option_table *ossa_picture_option_table(void);

/* Draws the frames `frames` (`frame_count` numbers from 0 on, -1 is the rest pose) of the motion on
   one sheet: all views of all frames, framed alike. Captions count from 1.
   Errors: OSSA_ERROR_ARGUMENT (a frame or bone that is not there, errors of the rest pose),
   OSSA_ERROR_INPUT, those of reading frames, OSSA_ERROR_MEMORY.
   Ownership: ossa_picture_free. */
OSSA_API ossa_status ossa_picture_draw(ossa_context *context, const ossa_picture_subject *subject, const int *frames,
	size_t frame_count, const ossa_picture_options *options, ossa_picture **picture);

/* The same of a rig and its own motion. */
OSSA_API ossa_status ossa_picture_rig(ossa_context *context, const ossa_rig *rig, const int *frames, size_t frame_count,
	const ossa_picture_options *options, ossa_picture **picture);

/* Writes a PNG.
   Errors: OSSA_ERROR_WRITE. */
OSSA_API ossa_status ossa_picture_write(ossa_context *context, const ossa_picture *picture, const char *path);

/* The same as bytes in memory, which are the context's: ossa_free.
   Errors: OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_picture_png(ossa_context *context, const ossa_picture *picture, uint8_t **bytes, size_t *size);

OSSA_API void ossa_picture_free(ossa_context *context, ossa_picture *picture);

#ifdef __cplusplus
}
#endif
#endif
