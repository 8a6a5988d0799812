/* conventions/named_bones.h: which part each bone's name stands for by one convention or by plain
   words, before bones of the same part are told apart.

   Place in the path: bone_words, plain_words -> here -> roles_by_name. */
#ifndef OSSAI_CONVENTIONS_NAMED_BONES_H
#define OSSAI_CONVENTIONS_NAMED_BONES_H

#include "conventions/bone_words.h"

/* What a name says. */
typedef struct ossai_named_bone {
	ossa_role role; /* number: of fingers whose joints are named; else 0 */
	/* which of several names of the part it is: the first one is the best, and only bones of the
	   same name are segments of one split part */
	int name;
	bool is_exact; /* written as the convention does */
	bool is_known; /* a bone of the convention, though it may have no role */
} ossai_named_bone;

/* Fills named (B) with what plain words say ("upper arm", "shin", "paw"), with sides before, behind
   or between the words. Words that several parts are called by ("leg", "shoulder") are what the
   other names leave: a leg below a thigh is the lower leg.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_plain_bones(ossa_context *context, size_t bone_count, const ossai_bone_word *words, ossai_named_bone *named);

/* Fills named (B) with what a convention says. Cost: bones x names of the convention. */
void ossai_named_bones(
	const ossai_convention *convention, size_t bone_count, const ossai_bone_word *words, ossai_named_bone *named);

#endif
