/* tools/ossa/rig_shapes.c: see rig_shapes.h.

   Place in the path: the top, behind `ossa rig`.
   Input: a rig with its motion, its frames.
   Output: the same rig with morph targets that follow joints. */
#include "rig_shapes.h"

static const ossa_shape_options *options_of(const command_run *run) { return run->options[RIG_SHAPES]; }

bool rig_shapes_are_asked(const command_run *run) { return options_of(run)->add_shapes > 0; }

ossa_status rig_shapes_check(command_run *run)
{
	const ossa_write_options *write = run->options[RIG_WRITE];
	if (!rig_shapes_are_asked(run) || !write->free_bones) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--add-shapes makes shapes for the bones of a hierarchy, and --free-bones writes others: leave out one of them");
}

ossa_status rig_shapes_add(command_run *run, rig_work *work)
{
	const size_t bones = work->rig->skeleton.bone_count;
	if (!rig_shapes_are_asked(run)) return OSSA_OK;
	if (!work->stream || !work->rig->clip) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--add-shapes finds shapes in what bones leave of a motion, and nothing moves: give poses or an animation");
	}
	COMMAND_TRY(command_check(run));
	work->shape_bone_rms = ossa_alloc(run->context, bones, sizeof *work->shape_bone_rms);
	if (!work->shape_bone_rms) return ossa_context_error(run->context)->status;
	COMMAND_TRY(
		ossa_rig_add_shapes(run->context, work->rig, work->stream, options_of(run), work->shape_bone_rms, &work->shapes));
	work->report.hierarchy = work->shapes.metrics;
	work->report.bone_rms = work->shape_bone_rms;
	return OSSA_OK;
}

void rig_shapes_print(const rig_work *work)
{
	const ossa_shape_facts *facts = &work->shapes;
	printf("%-10s %zu corrective, on %zu vertices: RMS %.4g to %.4g %%; of frames left out %.4g %%\n", "shapes",
		facts->shape_count, facts->vertex_count, facts->before_percent, facts->rms_percent, facts->held_percent);
}

static json_t *shape_json(const ossa_morph *shape)
{
	const ossa_driver *driver = &shape->driver;
	return json_pack("{s:s, s:s, s:[fff], s:f, s:f, s:I}", "name", shape->name, "bone", driver->bone, "axis", driver->axis[0],
		driver->axis[1], driver->axis[2], "from", driver->from, "to", driver->to, "vertices", (json_int_t)shape->count);
}

json_t *rig_shapes_json(const rig_work *work)
{
	const ossa_shape_facts *facts = &work->shapes;
	const ossa_mesh *mesh = work->rig->mesh;
	json_t *list = json_array();
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (mesh->morphs[m].driver.bone[0]) json_array_append_new(list, shape_json(&mesh->morphs[m]));
	}
	return json_pack("{s:o, s:I, s:o, s:o, s:o}", "list", list, "vertices", (json_int_t)facts->vertex_count,
		"before_rms_percent", command_json_real(facts->before_percent), "rms_percent", command_json_real(facts->rms_percent),
		"held_rms_percent", command_json_real(facts->held_percent));
}
