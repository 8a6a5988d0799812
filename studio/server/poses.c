/* studio/server/poses.c: requests about poses: the surface as the library poses it, and inverse
   kinematics.

   Place in the path: called by routes.c, over the session's scene.  The page computes both by
   itself; this is its reference in tests, and for scripts. */
#include "routes.h"

#include <stdlib.h>
#include <string.h>

ossa_context *studio_answer_context(const studio_session *session, studio_answer *answer)
{
	ossa_context *context = NULL;
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.memory_limit = session->studio->options.memory_limit;
	if (ossa_context_create(&options, &context) != OSSA_OK) studio_no_memory(answer);
	return context;
}

static void refuse_failed(const ossa_context *context, ossa_status status, studio_answer *answer)
{
	int code = status == OSSA_ERROR_ARGUMENT ? 400 : 422;
	if (status == OSSA_ERROR_MEMORY || status == OSSA_ERROR_LIMIT) code = 507;
	studio_refuse(answer, code, studio_status_code(status), "%s", ossa_context_error(context)->message);
}

float *studio_pose(const studio_session *session, const ossa_rig *rig, const ossa_clip *clip, size_t frame, ossa_blend blend,
	studio_answer *answer)
{
	ossa_context *context = studio_answer_context(session, answer);
	if (!context) return NULL;
	float *positions = malloc((rig->mesh->vertex_count + 1) * 3 * sizeof *positions);
	ossa_status status = OSSA_OK;
	if (!positions) studio_no_memory(answer);
	else status = ossa_rig_pose_by(context, rig, NULL, clip, frame, blend, positions);
	if (status != OSSA_OK) {
		refuse_failed(context, status, answer);
		free(positions);
		positions = NULL;
	}
	ossa_context_free(context);
	return positions;
}

/* the pose of a body into the only frame of `clip`; false, and an answer, where it is none */
static bool get_pose(const ossa_rig *rig, const json_t *body, ossa_clip *clip, studio_answer *answer)
{
	char message[STUDIO_MESSAGE_SIZE];
	const bool good = studio_read_pose(rig, body, clip, 0, message);
	if (!good) studio_refuse(answer, 400, "argument", "%s", message);
	return good;
}

/* a clip of one frame with the pose of a body, in a context of its own; false, and an answer,
   where it is none */
static bool make_pose(const studio_session *session, const ossa_rig *rig, const json_t *body, ossa_context **context,
	ossa_clip **clip, studio_answer *answer)
{
	*clip = NULL;
	*context = studio_answer_context(session, answer);
	if (!*context) return false;
	const ossa_status status = ossa_clip_create(*context, 1, rig->skeleton.bone_count, false, clip);
	if (status != OSSA_OK) refuse_failed(*context, status, answer);
	return status == OSSA_OK && get_pose(rig, body, *clip, answer);
}

static bool get_blend(const json_t *body, ossa_blend *blend, studio_answer *answer)
{
	const json_t *wanted = json_object_get(body, "blend");
	const char *name = wanted ? json_string_value(wanted) : "linear";
	*blend = name && strcmp(name, "dual") == 0 ? OSSA_BLEND_DUAL_QUATERNIONS : OSSA_BLEND_LINEAR;
	if (name && (*blend == OSSA_BLEND_DUAL_QUATERNIONS || strcmp(name, "linear") == 0)) return true;
	studio_refuse(answer, 400, "argument", "blend: give \"linear\" or \"dual\"");
	return false;
}

static void put_positions(const studio_session *session, const studio_scene *scene, const json_t *body, studio_answer *answer)
{
	const ossa_rig *rig = scene->rig;
	ossa_context *context = NULL;
	ossa_clip *clip = NULL;
	ossa_blend blend;
	if (get_blend(body, &blend, answer) && make_pose(session, rig, body, &context, &clip, answer)) {
		float *positions = studio_pose(session, rig, clip, 0, blend, answer);
		if (positions) studio_send_array(answer, positions, rig->mesh->vertex_count * 3 * sizeof *positions, scene->revision);
	}
	if (context) ossa_clip_free(context, clip);
	ossa_context_free(context);
}

/* ---- inverse kinematics ---- */

static bool get_goal(const ossa_rig *rig, const json_t *body, ossa_ik_goal *goal, studio_answer *answer)
{
	const json_t *bone = json_object_get(body, "bone"), *chain = json_object_get(body, "chain");
	const char *name = json_string_value(bone);
	const json_int_t index = name ? ossa_rig_bone(rig, name) : json_is_integer(bone) ? json_integer_value(bone) : -1;
	*goal = (ossa_ik_goal){.of_joint = json_is_true(json_object_get(body, "of_joint"))};
	if (index < 0 || (size_t)index >= rig->skeleton.bone_count) {
		studio_refuse(answer, 400, "argument", "bone: give the name or the number of one");
		return false;
	}
	goal->bone = (size_t)index;
	if (!studio_numbers(json_object_get(body, "target"), goal->position, 3)) {
		studio_refuse(answer, 400, "argument", "target: give a position as three numbers");
		return false;
	}
	const json_int_t most = json_integer_value(chain);
	goal->chain = (int)most;
	if (!chain || (json_is_integer(chain) && most >= 0 && most <= 65535)) return true;
	studio_refuse(answer, 400, "argument", "chain: give how many bones turn at most; 0: all below the root");
	return false;
}

static json_t *reached_json(const ossa_clip *clip, const ossa_ik_facts *facts)
{
	json_t *rotations = json_array();
	for (size_t b = 0; b < clip->bone_count; b++) json_array_append_new(rotations, studio_reals(clip->rotations + 4 * b, 4));
	return json_pack(
		"{s:o, s:o, s:b}", "rotations", rotations, "distance", studio_real(facts->distance), "reached", facts->is_reached);
}

static void put_reach(const studio_session *session, const studio_scene *scene, const json_t *body, studio_answer *answer)
{
	const ossa_rig *rig = scene->rig;
	ossa_context *context = NULL;
	ossa_clip *clip = NULL;
	ossa_ik_goal goal;
	ossa_ik_facts facts;
	if (get_goal(rig, body, &goal, answer) && make_pose(session, rig, body, &context, &clip, answer)) {
		const ossa_status status = ossa_rig_reach(context, rig, &goal, clip, 0, &facts);
		if (status != OSSA_OK) refuse_failed(context, status, answer);
		else {
			studio_answer_json(answer, 200, reached_json(clip, &facts));
			answer->revision = scene->revision;
		}
	}
	if (context) ossa_clip_free(context, clip);
	ossa_context_free(context);
}

static void with_scene(studio_request *request, studio_answer *answer,
	void (*put)(const studio_session *session, const studio_scene *scene, const json_t *body, studio_answer *answer))
{
	json_t *body = studio_body_json(request, answer);
	studio_scene *scene = body ? studio_scene_take(request->session, answer) : NULL;
	if (scene && studio_has_bones(scene, answer)) put(request->session, scene, body, answer);
	studio_scene_drop(request->session, scene);
	json_decref(body);
}

void studio_post_positions(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	with_scene(request, answer, put_positions);
}

void studio_post_ik(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	with_scene(request, answer, put_reach);
}
