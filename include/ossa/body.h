/* ossa/body.h: bodies that are recognized, and which part of one a bone is. */
#ifndef OSSA_BODY_H
#define OSSA_BODY_H

#include <ossa/api.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of body: which bones it has, in which order, is known. */
typedef enum ossa_body_kind {
	OSSA_BODY_AUTO, /* the kind that the shape is most likely to be, or none */
	OSSA_BODY_NONE, /* joints follow from the shape alone */
	OSSA_BODY_HUMAN,
	OSSA_BODY_QUADRUPED,
	OSSA_BODY_BIRD,     /* standing or flying */
	OSSA_BODY_THEROPOD, /* on two legs, with a tail that balances the trunk */
	OSSA_BODY_FISH,     /* whales and rays, too */
	OSSA_BODY_SNAKE,
	OSSA_BODY_HAND,
	OSSA_BODY_INSECT, /* on six legs */
	OSSA_BODY_SPIDER, /* on eight legs */
	OSSA_BODY_OCTOPUS /* eight arms around a mantle */
} ossa_body_kind;

/* What was recognized, and by how much. Scores are logarithms of the likelihood of the shape under
   the kind over that under no kind: 0 where it is as likely to be none. */
typedef struct ossa_body {
	ossa_body_kind kind;      /* NONE: nothing was, or nobody looked */
	double score;             /* of the kind; of NONE 0 */
	ossa_body_kind runner_up; /* the most likely other kind; NONE where no other can be measured */
	double runner_up_score;
	/* logarithm of the odds of the kind against all others and none together; files do not hold
	   it */
	double kind_odds;
	/* logarithm: of this front, and so of left and right, against the opposite */
	double front_odds;
	double up[3], front[3]; /* unit, in the mesh's axes; 0 where kind is NONE */
} ossa_body;

/* The choices of an option `body`, in the order of ossa_body_kind. */
#define OSSA_BODY_CHOICES "auto|none|human|quadruped|bird|theropod|fish|snake|hand|insect|spider|octopus"

/* A kind's word in options, files and reports: "human", "none"; AUTO and what is no kind are
   "none". */
OSSA_API const char *ossa_body_kind_name(ossa_body_kind kind);

/* The kind of that word; OSSA_BODY_NONE where there is none (NULL included). */
OSSA_API ossa_body_kind ossa_body_kind_of_name(const char *name);

/* Whether a body was recognized: its kind is neither AUTO nor NONE. */
OSSA_API bool ossa_body_is_known(const ossa_body *body);

/* Space for what ossa_body_print and ossa_body_front_print write. */
#define OSSA_BODY_TEXT 192

/* Writes odds, given by their logarithm, in words: "3.2 to 1", "1e6 to 1", "1 to 40". Returns
   `text`. */
OSSA_API const char *ossa_odds_print(double logarithm, char *text, size_t size);

/* Writes what was recognized and how sure that is: "human, score 13.8: 1e6 to 1 against no body,
   3e4 to 1 against quadruped"; "none" where nothing was. Returns `text`. */
OSSA_API const char *ossa_body_print(const ossa_body *body, char *text, size_t size);

/* Writes where a body faces: "+z, up +y; 50 to 1 that left and right are not exchanged"; an empty
   text where there is none. Returns `text`. */
OSSA_API const char *ossa_body_front_print(const ossa_body *body, char *text, size_t size);

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
	OSSA_PART_TOES,
	/* of quadrupeds */
	OSSA_PART_FRONT_UPPER_LEG,
	OSSA_PART_FRONT_LOWER_LEG,
	OSSA_PART_FRONT_FOOT,
	OSSA_PART_FRONT_TOES,
	OSSA_PART_BACK_UPPER_LEG,
	OSSA_PART_BACK_LOWER_LEG,
	OSSA_PART_BACK_FOOT,
	OSSA_PART_BACK_TOES,
	/* numbered from the trunk outward */
	OSSA_PART_TAIL,
	OSSA_PART_EAR,
	OSSA_PART_WING,
	OSSA_PART_FIN,
	OSSA_PART_LEG, /* of insects and spiders */
	OSSA_PART_ARM, /* of octopuses */
	OSSA_PART_ANTENNA,
	/* what the limbs of fish, insects, spiders and octopuses are on */
	OSSA_PART_BODY
} ossa_body_part;

/* What a bone is in a body. */
typedef struct ossa_role {
	ossa_body_part part;
	int side;   /* +1 left, -1 right, 0 medial */
	int number; /* 1, 2 ... of several bones of a part, from the trunk outward; 0: there is one */
	int limb;   /* 1, 2 ... of several limbs of a kind, from the front; 0: there is one */
} ossa_role;

/* A part's word in files, reports and names of bones: "thigh", "spine"; "none" of NONE. */
OSSA_API const char *ossa_body_part_name(ossa_body_part part);

/* The part of that word; OSSA_PART_NONE where there is none (NULL included). */
OSSA_API ossa_body_part ossa_body_part_of_name(const char *name);

/* A side's word: "left", "right", "middle". */
OSSA_API const char *ossa_body_side_name(int side);

/* Writes a role as people say it: "left thigh", "spine 2"; an empty text where it is not known.
   Returns `text`. */
OSSA_API const char *ossa_role_print(ossa_role role, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
