/* tools/ossa/inspect_body.c: the body that was recognized in a rig's shape, and what its bones are.

   Place in the path: the top. */
#include "inspect.h"

void inspect_print_body(const ossa_body *body)
{
	char text[OSSA_BODY_TEXT];
	if (!ossa_body_is_known(body)) return;
	printf("%-12s %s\n", "body", ossa_body_print(body, text, sizeof text));
	printf("%-12s %s\n", "faces", ossa_body_front_print(body, text, sizeof text));
}

void inspect_print_role(const ossa_bone *bone)
{
	char text[OSSA_BODY_TEXT];
	if (bone->role.part != OSSA_PART_NONE) printf("   %s", ossa_role_print(bone->role, text, sizeof text));
	if (bone->deviation > 0) printf("   sure within %.3g", bone->deviation);
}

static json_t *vector(const double *v)
{
	return json_pack("[o, o, o]", command_json_real(v[0]), command_json_real(v[1]), command_json_real(v[2]));
}

/* null where nothing is known */
json_t *inspect_body_as_json(const ossa_body *body)
{
	if (!ossa_body_is_known(body)) return json_null();
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o}", "kind", ossa_body_kind_name(body->kind), "score",
		command_json_real(body->score), "runner_up", ossa_body_kind_name(body->runner_up), "runner_up_score",
		command_json_real(body->runner_up_score), "front_odds", command_json_real(body->front_odds), "up", vector(body->up),
		"front", vector(body->front));
}

void inspect_add_role(json_t *value, const ossa_bone *bone)
{
	if (bone->deviation > 0) json_object_set_new(value, "deviation", command_json_real(bone->deviation));
	if (bone->role.part == OSSA_PART_NONE) return;
	json_object_update_new(value,
		json_pack("{s:s, s:s, s:i, s:i}", "part", ossa_body_part_name(bone->role.part), "side",
			ossa_body_side_name(bone->role.side), "number", bone->role.number, "limb", bone->role.limb));
}
