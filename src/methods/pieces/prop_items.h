/* methods/pieces/prop_items.h: what may be a prop: the large pieces of a mesh, and which of them
   touch.

   Place in the path: posed surface, pieces -> here -> find_props.
   Input: a surface of several pieces.
   Output: items, and what goes with an item. */
#ifndef OSSAI_METHODS_PIECES_PROP_ITEMS_H
#define OSSAI_METHODS_PIECES_PROP_ITEMS_H

#include "methods/pieces/pieces.h"
#include "query/face_tree.h"

/* A figure of more items is not asked for props: too much would be tried. */
enum { OSSAI_PROP_ITEMS = 128 };

/* What is smaller than this share of the largest piece's size belongs to what it is nearest to. */
#define OSSAI_PROP_LEAST_SIZE 0.1

/* Pieces closer than this share of the size of the mesh touch. */
#define OSSAI_PROP_TOUCHES 0.02

typedef struct ossai_prop_items {
	const ossai_posed_surface *surface;
	ossai_pieces pieces;
	/* I, the largest first, but for grounds (pieces.h), which come last; 0: too many, or less than
	   two */
	size_t count;
	/* of the surface's pieces; small ones are of the item that they are nearest to */
	uint32_t *of_piece;
	uint32_t *copy_of; /* I: the first of those that are copies of each other, such as two arms */
	double *area;      /* I: of the large piece */
	uint8_t *touches;  /* I x I */
	ossai_face_tree tree;
	uint32_t *group; /* F: space */
	uint8_t *space;  /* 4 x I */
	uint32_t *list;  /* I: space */
	uint32_t *asked; /* V: space */
} ossai_prop_items;

/* Finds them. Arrays are the arena's, the surface must outlive them. Errors: OSSA_ERROR_MEMORY.
   Cost: n log n for each item, for each layer of what touches it. */
ossa_status ossai_prop_items_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_prop_items *items);

static inline uint32_t ossai_prop_item_of_face(const ossai_prop_items *items, size_t face)
{
	return items->of_piece[items->surface->piece_of_face[face]];
}

/* For each of some points, in the surface's lengths, the nearest item that is not out.
   is_out: I. */
void ossai_prop_items_near(
	ossai_prop_items *items, const uint8_t *is_out, size_t count, const ossai_vec3 *points, uint32_t *nearest);

/* Marks what is connected with an item, itself too, over others that are not out: reached: I.
   Returns its area. */
double ossai_prop_items_reach(const ossai_prop_items *items, const uint8_t *is_out, uint32_t from, uint8_t *reached);

/* Takes an item out, where with_copies with its copies, as nobody holds one arm, and what these
   alone connect with the largest part of what is left: a hand takes with it what it holds. Returns
   whether something of that touches what was out. */
bool ossai_prop_items_cut(const ossai_prop_items *items, uint32_t item, bool with_copies, uint8_t *is_out);

#endif
