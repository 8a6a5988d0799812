/* ossa/body.h: bodies that are recognized, and which part of one a bone is. */
#ifndef OSSA_BODY_H
#define OSSA_BODY_H

#include <ossa/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of body: which bones it has, in which order, is known. */
typedef enum ossa_body_kind {
	OSSA_BODY_AUTO, /* the kind that the shape is most likely to be, or none */
	OSSA_BODY_NONE, /* joints follow from the shape alone */
	OSSA_BODY_HUMAN,
	OSSA_BODY_QUADRUPED /* its joints follow from the shape */
} ossa_body_kind;

/* What was recognized, and by how much. Scores are logarithms of the likelihood of the shape under
   the kind over that under no kind: 0 where it is as likely to be none. */
typedef struct ossa_body {
	ossa_body_kind kind;      /* NONE: nothing was, or nobody looked */
	double score;             /* of the kind; of NONE 0 */
	ossa_body_kind runner_up; /* the most likely other kind; NONE where no other can be measured */
	double runner_up_score;
	double front_odds;      /* logarithm: this front (so left and right) against the opposite */
	double up[3], front[3]; /* unit, in the mesh's axes; 0 where kind is NONE */
} ossa_body;

/* The choices of an option `body`, in the order of ossa_body_kind. */
#define OSSA_BODY_CHOICES "auto|none|human|quadruped"

/* A part of a body that a bone moves. */
typedef enum ossa_body_part {
	OSSA_PART_NONE, /* not known */
	OSSA_PART_HIPS,
	OSSA_PART_SPINE,
	OSSA_PART_NECK,
	OSSA_PART_HEAD,
	OSSA_PART_CLAVICLE,
	OSSA_PART_UPPER_ARM,
	OSSA_PART_LOWER_ARM,
	OSSA_PART_HAND,
	OSSA_PART_THUMB,
	OSSA_PART_INDEX,
	OSSA_PART_MIDDLE,
	OSSA_PART_RING,
	OSSA_PART_LITTLE,
	OSSA_PART_UPPER_LEG,
	OSSA_PART_LOWER_LEG,
	OSSA_PART_FOOT,
	OSSA_PART_TOES
} ossa_body_part;

/* What a bone is in a body. */
typedef struct ossa_role {
	ossa_body_part part;
	int side;   /* +1 left, -1 right, 0 medial */
	int number; /* 1, 2 ... of several bones of a part, from the trunk outward; 0: there is one */
} ossa_role;

#ifdef __cplusplus
}
#endif
#endif
