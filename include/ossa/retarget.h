/* ossa/retarget.h: the motion of one body on another. */
#ifndef OSSA_RETARGET_H
#define OSSA_RETARGET_H

#include <ossa/options.h>
#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How bones of two skeletons are matched. */
typedef enum ossa_retarget_match {
	/* the same skeleton, but for its size, by name; else bodies by role; else by name */
	OSSA_RETARGET_AUTO,
	OSSA_RETARGET_ROLES, /* what the bones of two bodies are; other bones by name */
	OSSA_RETARGET_NAMES  /* names only, with the rest poses as they are */
} ossa_retarget_match;

/* What a line of a map says. */
typedef enum ossa_map_kind {
	OSSA_MAP_RIG_ROLE,    /* what a bone of the rig is */
	OSSA_MAP_SOURCE_ROLE, /* what a bone of the source is */
	OSSA_MAP_PAIR         /* which bone of the source a bone of the rig follows */
} ossa_map_kind;

typedef struct ossa_map_entry {
	ossa_map_kind kind;
	char bone[64];
	ossa_role role;  /* of roles; PART_NONE: the bone has none */
	char source[64]; /* of pairs; "": none, the bone keeps its rest rotation */
} ossa_map_entry;

/* What a person knows better about the bones of two skeletons. */
typedef struct ossa_retarget_map {
	size_t count;
	ossa_map_entry *entries;
} ossa_retarget_map;

/* Reads a map from JSON: {"rig": {"Bone.003": "left thigh"}, "motion": {"Bip01 Tail": null},
   "pairs": {"jaw": "Jaw_M", "cape_01": null}}; each of the three may be missing. Roles are words as
   ossa_role_print writes them: "hips", "spine 2", "left upperarm".
   Errors: OSSA_ERROR_INPUT naming what is wrong, OSSA_ERROR_READ, OSSA_ERROR_MEMORY.
   Ownership: ossa_retarget_map_free. */
OSSA_API ossa_status ossa_retarget_map_read(ossa_context *context, const char *path, ossa_retarget_map **map);

/* NULL is allowed. */
OSSA_API void ossa_retarget_map_free(ossa_context *context, ossa_retarget_map *map);

/* Gives the bones of a rig the roles of the map's "rig", all others those that are found by the
   roles that they have, by names or by the tree: names, rest poses and files of other programs then
   follow them. A map without such entries changes nothing.
   Errors: OSSA_ERROR_ARGUMENT (a bone that is not there), OSSA_ERROR_MEMORY; the rig is then as it
   was. */
OSSA_API ossa_status ossa_rig_set_roles(ossa_context *context, ossa_rig *rig, const ossa_retarget_map *map);

/* How a motion is retargeted. Start from ossa_retarget_default(). */
typedef struct ossa_retarget_options {
	uint32_t cookie; /* set by the default function; do not touch */
	ossa_retarget_match match;
	bool plant_feet;  /* feet stand where the source's stand, and on the ground */
	bool clear_hands; /* hands do not go into the body */
	/* NULL: what bones are is found. Names of bones are those of the rigs as they were read */
	const ossa_retarget_map *map;
} ossa_retarget_options;

OSSA_API ossa_retarget_options ossa_retarget_default(void);
OSSA_API const ossa_option_table *ossa_retarget_option_table(void);

enum { OSSA_RETARGET_SEGMENTS = 12, OSSA_RETARGET_TEXT = 128 };

/* How well the direction of a segment of the body was kept. */
typedef struct ossa_retarget_segment {
	ossa_role from, to; /* from the first joint of one part to that of another */
	/* degrees between the directions in both bodies' own axes: mean, the 95th of 100 frames, and
	   at rest */
	double mean, p95, rest;
} ossa_retarget_segment;

/* "trunk", "left thigh". */
OSSA_API const char *ossa_retarget_segment_print(const ossa_retarget_segment *segment, char *text, size_t size);

/* What was matched, and how the motion came over. */
typedef struct ossa_retarget_facts {
	ossa_retarget_match match;             /* which way was gone; never AUTO */
	char rig_names[OSSA_RETARGET_TEXT];    /* how the rig's bones are known: "names of Mixamo" */
	char source_names[OSSA_RETARGET_TEXT]; /* how the source's are */
	size_t matched;                        /* bones of the rig that follow bones of the source */
	size_t unmatched;                      /* that keep their rest rotation against their parent */
	size_t source_unused;                  /* bones of the source with a role that the rig lacks */
	/* by roles only, else 0 */
	double scale;  /* the rig's legs over the source's */
	double stride; /* the rig's path over the source's */
	/* in which limits of joints, set by a person or a file, stopped some */
	size_t limited_frames;
	size_t segment_count;
	ossa_retarget_segment segments[OSSA_RETARGET_SEGMENTS];
	double mean_degrees, p95_degrees; /* of all segments */
	/* lowest point of the feet, % of the height, below (negative) or above the ground */
	double lowest_percent, source_lowest_percent;
	/* mean level speed of a foot that stands, in leg lengths per second */
	double slide, source_slide;
	/* steps: times that a foot of the source stands; kept: where the rig's stands within 5 % of the
	   leg as high */
	size_t steps, steps_kept;
} ossa_retarget_facts;

/* Makes a clip for `rig` of the source's clip (its mesh may be empty, as of motion capture). By
   roles, limbs of the rig have the directions of the source's, each relative to its body's own up
   and front, whatever poses both rest in; the hips go the source's path times the ratio of the
   legs. Bones without a counterpart keep their rest rotation against their parent; warning
   "motion-unmatched". source_name: what messages call the source, such as its path. options,
   facts: may be NULL.
   Errors: OSSA_ERROR_ARGUMENT (no bones; bones of the map that are not there), OSSA_ERROR_INPUT (a
   source without motion; bodies of different kinds; nothing that matches), OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_rig_retarget(ossa_context *context, const ossa_rig *rig, const ossa_rig *source,
	const char *source_name, const ossa_retarget_options *options, ossa_clip **clip, ossa_retarget_facts *facts);

/* The same for all clips of the source: `count` clips, in a list that is freed with ossa_free once
   they are freed or given away. facts: of the one that came over worst. */
OSSA_API ossa_status ossa_rig_retarget_all(ossa_context *context, const ossa_rig *rig, const ossa_rig *source,
	const char *source_name, const ossa_retarget_options *options, size_t *count, ossa_clip ***clips,
	ossa_retarget_facts *facts);

/* Fills `follows`, one entry for each bone of the rig, with the bone of the source that it follows,
   the one with the largest share where it follows several, OSSA_NONE where it keeps its rest
   rotation. match: as the facts of the motion name it, NAMES or ROLES. options may be NULL.
   Errors: as of ossa_rig_retarget; OSSA_ERROR_ARGUMENT (another match). */
OSSA_API ossa_status ossa_rig_retarget_pairs(ossa_context *context, const ossa_rig *rig, const ossa_rig *source,
	const char *source_name, const ossa_retarget_options *options, ossa_retarget_match match, uint32_t *follows);

#ifdef __cplusplus
}
#endif
#endif
