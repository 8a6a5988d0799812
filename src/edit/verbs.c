/* edit/verbs.c: the verbs of edits as data.

   Place in the path: what lines, help, forms and the manual are made of. */
#include <ossa/edit.h>

/* by ossa_edit_kind */
static const ossa_edit_verb verbs[] = {
	{"add", "BONE X Y Z [NAME]", "a new bone from the place on BONE that is nearest to the point, to the point", false},
	{"split", "BONE [SHARE [NAME]]",
		"two bones in the place of one, parted at a share of its length; without SHARE in the middle, until solving finds "
		"where "
		"the motion parts",
		false},
	{"remove", "BONE", "takes a bone away; its skin and children go to its parent, those of the root to its first child",
		false},
	{"merge", "BONE OTHER", "makes two bones that meet one, which is called BONE", false},
	{"move", "BONE X Y Z", "puts the joint of a bone at another place", false},
	{"tail", "BONE X Y Z", "puts the end of a bone without children at another place", false},
	{"connect", "BONE PARENT", "makes a bone, with its descendants, the child of another one", false},
	{"root", "BONE", "makes BONE the root of the tree; nothing moves", false},
	{"rename", "BONE NAME", "gives a bone another name", false},
	{"mirror", "BONE", "mirrors a bone and its descendants to the other side of the shape, in place of the bones there", false},
	{"limits", "BONE XMIN XMAX YMIN YMAX ZMIN ZMAX|none",
		"sets how far a joint may rotate about its own axes, in degrees, or that nothing limits it", false},
	{"lock", "weights|joint BONE", "keeps the weights of a bone, or its joint, as they are whatever is solved", true},
	{"forbid", "BONE OTHER", "two bones are never parent and child", true},
	{"apart", "BONE OTHER", "two bones are never made one by solving", true},
	{"together", "BONE OTHER", "two bones have one motion: solving makes them one, which is called BONE", true},
	{"paint", "BONE FACES", "the triangles of these numbers, counted from 0 (12,40-55), move with BONE alone", true},
	{"relax", "N", "switches a constraint off, or on again; they are counted from 1 in the order in which they were made",
		false},
	{"solve", "[all]", "solves again what depends on the edits since the last time, or everything", false},
};

size_t ossa_edit_verb_count(void) { return sizeof verbs / sizeof verbs[0]; }

const ossa_edit_verb *ossa_edit_verb_at(size_t index) { return index < ossa_edit_verb_count() ? &verbs[index] : NULL; }
