/* import/collada/collada.c: Collada 1.4.1 and 1.5: the outline of the reader: see collada.h.

   Place in the path: file → ossai_asset.
   Input: the file's bytes.
   Output: nodes, materials, meshes, skins, morph targets, clips, joint limits. */
#include "import/collada/collada.h"

#include "base/xml_text.h"

#include <string.h>

bool ossai_collada_detect(const uint8_t *bytes, size_t size) { return ossai_xml_root_is(bytes, size, "COLLADA"); }

static void read_up(ossai_dae *c, uint32_t element)
{
	static const struct {
		const char *word;
		int up;
	} axes[] = {{"Y_UP", OSSA_UP_Y}, {"Z_UP", OSSA_UP_Z}, {"X_UP", OSSAI_UP_X}, {"", OSSA_UP_FILE}};
	char shown[64];
	const ossai_word word = ossai_xml_trimmed(&c->xml, element);
	for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
		if (!ossai_word_is(word, axes[i].word)) continue;
		c->asset->up = axes[i].up;
		return;
	}
	c->asset->up = OSSA_UP_Y;
	ossai_warn(c->context, "unknown-axis", 1,
		"%s, line %u: <up_axis> is \"%s\", not X_UP, Y_UP or Z_UP; Y is taken to point up", c->source->path,
		c->xml.elements[element].line, ossai_word_show(word, shown));
}

/* metres of a unit, and the axis that points up */
static void read_conventions(ossai_dae *c)
{
	const uint32_t asset = ossai_xml_child(&c->xml, 0, "asset");
	const uint32_t unit = ossai_xml_child(&c->xml, asset, "unit");
	const double meter = ossai_dae_number(c, unit, "meter", 0);
	if (meter > 1e-12 && meter < 1e12) c->asset->unit = meter;
	else if (ossai_xml_attribute_of(&c->xml, unit, "meter").size > 0) {
		ossai_warn(c->context, "bad-unit", 1, "%s, line %u: the unit's length makes no sense; a unit is taken as 1 metre",
			c->source->path, c->xml.elements[unit].line);
	}
	read_up(c, ossai_xml_child(&c->xml, asset, "up_axis"));
}

static ossa_status move_nodes(ossai_dae *c)
{
	c->asset->nodes = ossai_arena_new(&c->asset->arena, c->nodes.count, sizeof *c->nodes.items);
	if (!c->asset->nodes) return ossai_dae_lost(c);
	if (c->nodes.count) memcpy(c->asset->nodes, c->nodes.items, c->nodes.count * sizeof *c->nodes.items);
	c->asset->node_count = c->nodes.count;
	return OSSA_OK;
}

static ossa_status read_all(ossai_dae *c)
{
	if (!ossai_xml_is(&c->xml, 0, "COLLADA")) {
		return ossai_dae_fail(c, 0, "is XML, but not Collada: its root is <%s>", c->xml.elements[0].name);
	}
	OSSAI_TRY(ossai_dae_index(c));
	read_conventions(c);
	OSSAI_TRY(ossai_dae_nodes(c));
	OSSAI_TRY(ossai_dae_materials(c));
	OSSAI_TRY(ossai_dae_meshes(c));
	ossai_dae_warn_of_channels(c);
	OSSAI_TRY(ossai_dae_list_scene(c));
	OSSAI_TRY(ossai_dae_bones(c));
	OSSAI_TRY(ossai_dae_clips(c));
	return move_nodes(c);
}

static void close_reader(ossai_dae *c)
{
	ossa_free(c->context, c->elements.by_id.entries);
	ossa_free(c->context, c->elements.by_sid.entries);
	ossa_free(c->context, c->arrays.items);
	ossa_free(c->context, c->nodes.items);
	ossa_free(c->context, c->nodes.element);
	ossa_free(c->context, c->nodes.end);
	ossa_free(c->context, c->nodes.next);
	ossa_free(c->context, c->nodes.by_sid.entries);
	ossa_free(c->context, c->nodes.by_id.entries);
	ossa_free(c->context, c->nodes.by_name.entries);
	ossa_free(c->context, c->instances.items);
	ossai_arena_end(&c->arena);
	ossai_xml_close(&c->xml);
}

ossa_status ossai_collada_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	ossai_dae c = {.context = context,
		.source = source,
		.asset = asset,
		.arena = ossai_arena_begin(context),
		.nodes.bind_shape = OSSA_NONE,
		/* far more than real files have */
		.left.vertices = 65536 + 16 * source->size,
		.left.corners = 65536 + 64 * source->size,
		.left.keys = 65536 + 16 * source->size,
		.left.channels = 4096 + source->size};
	OSSAI_TRY(ossai_xml_read(context, source, &c.xml));
	const ossa_status status = read_all(&c);
	close_reader(&c);
	return status;
}
