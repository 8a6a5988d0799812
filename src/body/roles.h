/* body/roles.h: which part of a recognized body each bone of a tree is.

   Place in the path: body/recognize and any bones -> here -> names.
   Input: a body, a tree of bones, the bone at the tip of each of its limbs.
   Output: roles.

   A limb is the path from its tip inward as far as no other limb joins it; the trunk is what is
   between limbs. What joins limbs of a hand, or of a body all around, is more bones of its root's
   part. Bones that lead to no limb of the body have no role. */
#ifndef OSSAI_BODY_ROLES_H
#define OSSAI_BODY_ROLES_H

#include "body/recognize.h"

/* The number of bones of a limb in such a body; 0: as many as the shape suggests. */
size_t ossai_limb_bones(const ossai_form *form, const ossai_limb *limb);

/* Fills role (B). parent: B, of a tree, OSSA_NONE at its root; leaf: of each limb of the form, left
   or medial and right, the bone of its tip; OSSA_NONE: it has none.
   Errors: OSSA_ERROR_MEMORY.  Cost: bones x limbs. */
ossa_status ossai_body_roles(ossai_arena *arena, const ossai_body *body, size_t bone_count, const uint32_t *parent,
	const uint32_t leaf[OSSAI_FORM_LIMBS][2], ossa_role *role);

#endif
