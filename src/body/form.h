/* body/form.h: forms of bodies as data: where the tips of the limbs of a kind of body are.

   Place in the path: below body/recognize. Adding a kind of body is adding a table.

   Lengths are in units of the shape: 1 is the RMS distance of the surface from its centroid, which
   is the origin. The axes are the body's own: across (its left), up, ahead. One kind may have
   several forms: a bird stands or flies, a fish's tail is upright and a whale's is flat. */
#ifndef OSSAI_BODY_FORM_H
#define OSSAI_BODY_FORM_H

#include "math/vec.h"

#include <ossa/body.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct ossai_range {
	double mean, deviation;
} ossai_range;

/* The normal density. */
static inline double ossai_range_density(ossai_range range, double value)
{
	const double z = (value - range.mean) / range.deviation;
	return exp(-z * z / 2) / (range.deviation * sqrt(2 * OSSAI_PI));
}

/* Its logarithm: at the mean, which is its peak; and anywhere, with the peak given or not. */
static inline double ossai_range_peak(ossai_range range) { return -log(range.deviation * sqrt(2 * OSSAI_PI)); }

static inline double ossai_range_log_density_of(ossai_range range, double peak, double value)
{
	const double z = (value - range.mean) / range.deviation;
	return -z * z / 2 + peak;
}

static inline double ossai_range_log_density(ossai_range range, double value)
{
	return ossai_range_log_density_of(range, ossai_range_peak(range), value);
}

/* The share of limbs and measures that are not as they should be: posed, clothed, or a fault of the
   curve. */
static const double ossai_astray = 0.03;

/* The logarithm of the density of a measure that may fail, over the uniform one on a range of the
   length `anywhere`. */
static inline double ossai_range_evidence(ossai_range range, double value, double anywhere)
{
	return log((1 - ossai_astray) * exp(ossai_range_log_density(range, value)) * anywhere + ossai_astray);
}

typedef enum ossai_limb_kind {
	OSSAI_LIMB_HEAD,
	OSSAI_LIMB_LEG, /* the hind ones where there are two pairs */
	OSSAI_LIMB_ARM, /* the front legs of a quadruped */
	OSSAI_LIMB_WING,
	OSSAI_LIMB_TAIL,
	OSSAI_LIMB_EAR,
	OSSAI_LIMB_FIN,    /* of a pair; a medial one is dorsal or below */
	OSSAI_LIMB_FINGER, /* number: 1 the thumb .. 5 the little one */
	OSSAI_LIMB_WRIST,
	OSSAI_LIMB_ANTENNA /* or another feeler before the mouth */
} ossai_limb_kind;

/* One limb, or a pair that is left and right alike. */
typedef struct ossai_limb {
	ossai_limb_kind kind;
	int number;              /* 1, 2 ... of several of that kind, from the front; 0: there is one */
	bool is_pair;            /* `at[0]` is of the left one */
	bool from_ground;        /* `at[1]` is above the lowest point, not above the centroid */
	double share;            /* of such bodies that show an end of the curve there */
	ossai_range at[3];       /* of the tip: across, up, ahead */
	ossai_range persistence; /* of the tip, the logarithm */
} ossai_limb;

typedef struct ossai_form {
	const char *name;
	ossa_body_kind kind;
	double odds;           /* logarithm, before anything is measured: of this form to no body */
	ossai_range spread[3]; /* logarithms of the surface's standard deviation across, up, ahead */
	ossai_range slimness;  /* logarithm of the longest path over the mean radius on it */
	size_t limb_count;
	const ossai_limb *limb;
} ossai_form;

/* The most limbs of a form; pairs count as one. */
enum { OSSAI_FORM_LIMBS = 6 };

extern const ossai_form ossai_forms[];
extern const size_t ossai_form_count;

#endif
