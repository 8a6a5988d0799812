/* edit/verbs.c: the verbs of edits as data.

   Place in the path: what lines, help, forms and the manual are made of. */
#include <ossa/edit.h>

/* by ossa_edit_kind */
static const ossa_edit_verb verbs[] = {
	{"add", "BONE X Y Z [NAME]", "adds a bone from the nearest point on BONE to the given point", false},
	{"split", "BONE [SHARE [NAME]]",
		"splits a bone in two at a share of its length; without SHARE at its midpoint, until solving finds where the motion "
		"changes",
		false},
	{"remove", "BONE", "removes a bone; its weights and children go to its parent, those of the root to its first child",
		false},
	{"merge", "BONE OTHER", "merges two adjacent bones into one, called BONE", false},
	{"move", "BONE X Y Z", "moves the joint of a bone to a point", false},
	{"tail", "BONE X Y Z", "moves the end of a bone without children to a point", false},
	{"connect", "BONE PARENT", "makes a bone, with its descendants, the child of another one", false},
	{"root", "BONE", "makes BONE the root of the tree; nothing moves", false},
	{"rename", "BONE NAME", "renames a bone", false},
	{"mirror", "BONE", "mirrors a bone and its descendants to the other side of the shape, in place of the bones there", false},
	{"limits", "BONE XMIN XMAX YMIN YMAX ZMIN ZMAX|none",
		"sets the range in which a joint may rotate about its own axes, in degrees, or removes its limits", false},
	{"independent", "BONE", "a bone that turns as another one does turns on its own", false},
	{"lock", "weights|joint BONE", "keeps the weights of a bone, or its joint, fixed in every solve", true},
	{"forbid", "BONE OTHER", "two bones are never parent and child", true},
	{"apart", "BONE OTHER", "solving never merges the two bones", true},
	{"together", "BONE OTHER", "two bones have one motion: solving merges them into one, called BONE", true},
	{"paint", "BONE FACES", "the triangles of these numbers, counted from 0 (12,40-55), move with BONE alone", true},
	{"relax", "N", "switches a constraint off, or on again; they are counted from 1 in the order in which they were made",
		false},
	{"solve", "[all]", "updates what depends on the edits since the last solve, or everything", false},
};

size_t ossa_edit_verb_count(void) { return sizeof verbs / sizeof verbs[0]; }

const ossa_edit_verb *ossa_edit_verb_at(size_t index) { return index < ossa_edit_verb_count() ? &verbs[index] : NULL; }
