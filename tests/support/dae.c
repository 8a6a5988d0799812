/* tests/support/dae.c: see dae.h. */
#include "support/dae.h"

#include "support/support.h"

ossa_mesh *dae_mesh(ossa_context *context, const char *text)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("a.dae", text, 0), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

ossa_status dae_fails(ossa_context *context, const char *text)
{
	ossa_mesh *mesh;
	const ossa_status status = ossa_read_mesh(context, test_file("bad.dae", text, 0), NULL, &mesh);
	assert_null(mesh);
	return status;
}

ossa_rig *dae_rig(ossa_context *context, const char *text)
{
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, test_file("rig.dae", text, 0), NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

ossa_status dae_rig_fails(ossa_context *context, const char *text)
{
	ossa_rig *rig;
	const ossa_status status = ossa_read_rig(context, test_file("bad.dae", text, 0), NULL, &rig);
	assert_null(rig);
	return status;
}
