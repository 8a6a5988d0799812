/* conventions/roles_by_tree.h: which part of a body each bone is, by the shape of the tree alone.

   Place in the path: tree_limbs -> here -> find_roles.
   Input: a skeleton at rest, however its bones are called.
   Output: the kind of body, and roles.

   The two longest pairs of limbs are arms and legs, or the legs of four. On a human, legs lead
   away from the trunk and arms are where the spine ends below neck and head; its feet tell the
   front. A quadruped's four legs are parallel and across its trunk; its head is the higher of the
   ends. The two longest successive bones of a limb are its upper and lower part. Whatever is not
   plainly one of these has no roles. */
#ifndef OSSAI_CONVENTIONS_ROLES_BY_TREE_H
#define OSSAI_CONVENTIONS_ROLES_BY_TREE_H

#include "base/context.h"
#include <ossa/rig.h>

/* Fills role (B), all NONE where the kind is NONE. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_roles_by_tree(
	ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, ossa_body_kind *kind, size_t *matched);

#endif
