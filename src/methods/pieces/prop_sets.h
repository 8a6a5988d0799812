/* methods/pieces/prop_sets.h: what a shape without some of its pieces is.

   Place in the path: prop_items, still -> here -> find_props.
   Input: items that are left out.
   Output: the likelihood that the rest is a body, and which of its limbs are explained. */
#ifndef OSSAI_METHODS_PIECES_PROP_SETS_H
#define OSSAI_METHODS_PIECES_PROP_SETS_H

#include "methods/contraction.h"
#include "methods/pieces/prop_items.h"

/* So many sets are tried at most, and so many beside each other. */
enum { OSSAI_PROP_TRIES = 24, OSSAI_PROP_BESIDE = 16 };

typedef struct ossai_prop_trial ossai_prop_trial;

/* A shape without some items. */
typedef struct ossai_prop_set {
	uint8_t is_out[OSSAI_PROP_ITEMS];
	/* the likelihood that it is a body, less what its limbs lack of strong evidence; where it is
	   none 0 of the whole, of others -INFINITY */
	double score;
	bool is_body, is_sure;             /* it is some body; hardly another one */
	bool is_explained;                 /* sure, and all its limbs are */
	uint8_t is_limb[OSSAI_PROP_ITEMS]; /* an end that is explained is on it */
	/* items with ends of the figure, those first that explain least; of no body all others, too,
	   the largest first; one may be there twice */
	size_t count;
	uint32_t item[OSSAI_FIGURE_ENDS + OSSAI_PROP_ITEMS];
} ossai_prop_set;

typedef struct ossai_prop_search {
	ossai_still_work *work;
	const ossa_contraction_options *options;
	ossai_prop_items items;
	size_t tries;             /* sets that were evaluated */
	ossai_prop_set *tried;    /* OSSAI_PROP_TRIES */
	ossai_prop_trial *trials; /* OSSAI_PROP_BESIDE: those that run */
	bool is_blind;            /* none of them is a body yet */
	/* by item that others are copies of: the score without it, when it was last tried */
	double without[OSSAI_PROP_ITEMS];
} ossai_prop_search;

/* What the whole is, or a set: `work` of it, in its axes; is_out of `set` is given. */
void ossai_prop_set_describe(ossai_prop_search *search, const ossai_still_work *work, const ossai_mat3 *axes,
	const ossai_figure *figure, const ossai_body *body, ossai_prop_set *set);

/* Sorts items by their odds, the least first, equal ones as they are; both arrays. */
void ossai_prop_items_sort(size_t count, double *odds, uint32_t *item);

/* Space for what is tried, the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_prop_sets_new(ossai_prop_search *search);

/* The set with the same items out that was tried before; NULL: none. */
const ossai_prop_set *ossai_prop_set_find(const ossai_prop_search *search, const uint8_t *is_out);

/* Rigs the rest as far as it takes to recognize it; is_out of `set` is given. What cannot be
   contracted is no body, nor what is too much to try. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. */
ossa_status ossai_prop_set_evaluate(ossai_prop_search *search, ossai_prop_set *set);

/* Begins to evaluate one that will be asked for soon, beside what the caller does; nothing where
   too many run. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_prop_set_begin(ossai_prop_search *search, const ossai_prop_set *set);
/* Stops all that were begun and not asked for. */
void ossai_prop_sets_drop(ossai_prop_search *search);

/* The mesh with all vertices, so that they are those of the whole, and the faces that are in.
   mesh: NULL where there are none, else of the arena's context.  Errors: OSSA_ERROR_MEMORY.
   Ownership: ossa_mesh_free. */
ossa_status ossai_prop_set_mesh(const ossai_prop_search *search, const uint8_t *is_out, ossai_arena *arena, ossa_mesh **mesh);

#endif
