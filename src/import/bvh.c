/* import/bvh.c: see bvh.h.

   Place in the path: file -> asset.  A joint is moved by its OFFSET, which its position channels
   replace, and then turned about the axes of its rotation channels, the first of the file
   outermost. An End Site is the tail of the joint around it. Names take the whole line, so that
   they may contain blanks; keywords may be in either case; braces may be on the line of the name.
   Source: M. Meredith, S. Maddock, Motion Capture File Formats Explained, University of Sheffield
   CS-01-11, 2001. The format has no units and axes. */
#include "import/bvh.h"

#include "import/bvh_parts.h"
#include "import/registry.h"

#include <string.h>
#include <strings.h>

/* a joint takes part in at most three positions and as many turns as there are columns for it */
enum { CHANNELS_MAX = 6 };

/* ---- words ---- */

static bool is_keyword(ossai_word word, const char *keyword)
{
	return word.size == strlen(keyword) && strncasecmp(word.bytes, keyword, word.size) == 0;
}

/* the next word, over line ends; a brace is a word of its own; size 0 at the file's end */
ossai_word ossai_bvh_next_word(ossai_text *text)
{
	ossai_text_space(text, 0);
	const char *first = text->at;
	while (!ossai_text_ended(text) && !ossai_is_blank(*text->at) && !ossai_is_line_end(*text->at)) {
		const bool brace = *text->at == '{' || *text->at == '}';
		if (brace && text->at > first) break;
		text->at++;
		if (brace) break;
	}
	return (ossai_word){first, (size_t)(text->at - first)};
}

/* fails at the word just read */
ossa_status ossai_bvh_unexpected(const ossai_bvh_reader *reader, ossai_word word, const char *wanted)
{
	ossai_text at = reader->text;
	char shown[32];
	if (word.size == 0) return ossai_text_fail(&at, "the hierarchy ends where %s must be: is the file cut off?", wanted);
	at.at = word.bytes;
	return ossai_text_fail(&at, "\"%s\" stands where %s must be", ossai_text_show(&at, shown), wanted);
}

static ossa_status expect(ossai_bvh_reader *reader, const char *keyword)
{
	const ossai_word word = ossai_bvh_next_word(&reader->text);
	return is_keyword(word, keyword) ? OSSA_OK : ossai_bvh_unexpected(reader, word, keyword);
}

/* the rest of the line up to a brace */
static ossai_word read_name(ossai_text *text)
{
	ossai_text_blanks(text);
	const char *first = text->at;
	while (!ossai_text_ended(text) && !ossai_is_line_end(*text->at) && *text->at != '{') text->at++;
	const char *last = text->at;
	while (last > first && ossai_is_blank(last[-1])) last--;
	return (ossai_word){first, (size_t)(last - first)};
}

static ossa_status read_offset(ossai_bvh_reader *reader, ossai_vec3 *offset)
{
	float values[3];
	OSSAI_TRY(ossai_text_numbers(&reader->text, "OFFSET", 3, values));
	*offset = ossai_v3_of_float(values);
	return OSSA_OK;
}

/* ---- the hierarchy ---- */

static ossa_status add_joint(ossai_bvh_reader *reader, uint32_t parent)
{
	ossa_context *context = reader->text.context;
	const size_t index = reader->node_count;
	const ossai_word name = read_name(&reader->text);
	OSSAI_TRY(ossai_reserve(context, &reader->nodes, &reader->node_capacity, index, sizeof *reader->nodes));
	OSSAI_TRY(ossai_reserve(context, &reader->places, &reader->place_capacity, index, sizeof *reader->places));
	OSSAI_TRY(ossai_reserve(context, &reader->has_child, &reader->child_capacity, index, sizeof *reader->has_child));
	ossai_asset_node *node = &reader->nodes[index];
	*node = (ossai_asset_node){.parent = parent, .is_joint = true};
	if (name.size > 0) {
		node->name = ossai_asset_text(reader->asset, name.bytes, name.size);
		if (!node->name) return ossa_context_error(context)->status;
	}
	reader->places[index] = parent == OSSA_NONE ? ossai_v3(0, 0, 0) : reader->places[parent];
	reader->has_child[index] = false;
	if (parent != OSSA_NONE) reader->has_child[parent] = true;
	reader->node_count++;
	return OSSA_OK;
}

static ossa_status no_memory(const ossai_bvh_reader *reader) { return ossa_context_error(reader->text.context)->status; }

/* the node's first op; again where a file gives the OFFSET twice */
static ossa_status set_offset(ossai_bvh_reader *reader, uint32_t index)
{
	ossai_asset_node *node = &reader->nodes[index];
	ossai_vec3 offset;
	if (node->op_count > 0) return ossai_text_fail(&reader->text, "a joint has a second OFFSET, or one behind its CHANNELS");
	OSSAI_TRY(read_offset(reader, &offset));
	node->ops = ossai_arena_zero(&reader->asset->arena, 1, sizeof *node->ops);
	if (!node->ops) return no_memory(reader);
	node->ops[0].kind = OSSAI_OP_TRANSLATE;
	ossai_v3_store(offset, node->ops[0].values);
	node->op_count = 1;
	reader->places[index] = ossai_add(reader->places[index], offset);
	return OSSA_OK;
}

/* one word of CHANNELS: an op of the node or its position, and a column of the motion */
static ossa_status add_channel(ossai_bvh_reader *reader, uint32_t index, ossai_word word)
{
	static const char *const names[2][3] = {{"Xposition", "Yposition", "Zposition"}, {"Xrotation", "Yrotation", "Zrotation"}};
	ossai_asset_node *node = &reader->nodes[index];
	int which = 0;
	while (which < 6 && !is_keyword(word, names[which / 3][which % 3])) which++;
	if (which == 6) return ossai_bvh_unexpected(reader, word, "a channel (Xposition ... Zrotation)");
	ossai_bvh_column column = {index, 0, which % 3};
	if (which >= 3) {
		column.op = (uint32_t)node->op_count++;
		node->ops[column.op].kind = OSSAI_OP_TURN;
		node->ops[column.op].values[column.axis] = 1;
	}
	OSSAI_TRY(ossai_reserve(
		reader->text.context, &reader->columns, &reader->column_capacity, reader->column_count, sizeof *reader->columns));
	reader->columns[reader->column_count++] = column;
	return OSSA_OK;
}

static ossa_status read_channels(ossai_bvh_reader *reader, uint32_t index)
{
	ossai_text *text = &reader->text;
	ossai_asset_node *node = &reader->nodes[index];
	int64_t count;
	ossai_text_blanks(text);
	if (!ossai_text_integer(text, &count) || count < 0 || count > CHANNELS_MAX) {
		return ossai_text_fail(text, "CHANNELS needs a number from 0 to %d behind it", CHANNELS_MAX);
	}
	if (node->op_count != 1) {
		return ossai_text_fail(text, "a joint has %s", node->op_count == 0 ? "CHANNELS before its OFFSET" : "CHANNELS twice");
	}
	/* capacity for the position and a rotation for each channel */
	ossai_op *ops = ossai_arena_zero(&reader->asset->arena, 1 + (size_t)count, sizeof *ops);
	if (!ops) return no_memory(reader);
	ops[0] = node->ops[0];
	node->ops = ops;
	for (int64_t i = 0; i < count; i++) OSSAI_TRY(add_channel(reader, index, ossai_bvh_next_word(text)));
	return OSSA_OK;
}

/* { OFFSET x y z }: where the joint around it ends */
static ossa_status read_end_site(ossai_bvh_reader *reader, uint32_t index)
{
	ossai_vec3 offset = {0, 0, 0};
	/* the rest of the line after "End Site" names it; it is ignored */
	read_name(&reader->text);
	OSSAI_TRY(expect(reader, "{"));
	ossai_word word = ossai_bvh_next_word(&reader->text);
	if (is_keyword(word, "OFFSET")) {
		OSSAI_TRY(read_offset(reader, &offset));
		word = ossai_bvh_next_word(&reader->text);
	}
	if (is_keyword(word, "CHANNELS")) {
		OSSAI_TRY(expect(reader, "0"));
		word = ossai_bvh_next_word(&reader->text);
	}
	if (!is_keyword(word, "}")) return ossai_bvh_unexpected(reader, word, "} after the OFFSET of an End Site");
	ossai_asset_node *node = &reader->nodes[index];
	if (node->bone || ossai_length2(offset) == 0) return OSSA_OK;
	node->bone = ossai_arena_zero(&reader->asset->arena, 1, sizeof *node->bone);
	if (!node->bone) return no_memory(reader);
	node->bone->has_tail = true;
	ossai_v3_store(ossai_add(reader->places[index], offset), node->bone->tail);
	return OSSA_OK;
}

/* one statement inside a joint's braces; `open` is that joint, and the one around it after } */
static ossa_status read_statement(ossai_bvh_reader *reader, uint32_t *open)
{
	const ossai_word word = ossai_bvh_next_word(&reader->text);
	if (is_keyword(word, "OFFSET")) return set_offset(reader, *open);
	if (is_keyword(word, "CHANNELS")) return read_channels(reader, *open);
	if (is_keyword(word, "End")) {
		OSSAI_TRY(expect(reader, "Site"));
		return read_end_site(reader, *open);
	}
	if (is_keyword(word, "JOINT")) {
		if (reader->nodes[*open].op_count == 0)
			return ossai_text_fail(&reader->text, "a joint has no OFFSET before its children");
		OSSAI_TRY(add_joint(reader, *open));
		*open = (uint32_t)reader->node_count - 1;
		return expect(reader, "{");
	}
	if (!is_keyword(word, "}")) return ossai_bvh_unexpected(reader, word, "OFFSET, CHANNELS, JOINT, End Site or }");
	if (reader->nodes[*open].op_count == 0) return ossai_text_fail(&reader->text, "a joint has no OFFSET");
	*open = reader->nodes[*open].parent;
	return OSSA_OK;
}

/* all ROOTs; stops after the word MOTION, or at the file's end (`has_motion` false) */
static ossa_status read_hierarchy(ossai_bvh_reader *reader, bool *has_motion)
{
	*has_motion = false;
	OSSAI_TRY(expect(reader, "HIERARCHY"));
	for (;;) {
		const ossai_word word = ossai_bvh_next_word(&reader->text);
		const bool at_end = word.size == 0;
		*has_motion = is_keyword(word, "MOTION");
		if ((at_end || *has_motion) && reader->node_count > 0) return OSSA_OK;
		if (!is_keyword(word, "ROOT"))
			return ossai_bvh_unexpected(reader, word, reader->node_count ? "ROOT or MOTION" : "ROOT");
		OSSAI_TRY(add_joint(reader, OSSA_NONE));
		OSSAI_TRY(expect(reader, "{"));
		for (uint32_t open = (uint32_t)reader->node_count - 1; open != OSSA_NONE;) OSSAI_TRY(read_statement(reader, &open));
	}
}

/* passes the nodes on; joints with children end at these, whatever an End Site beside them says */
static ossa_status finish_nodes(ossai_bvh_reader *reader)
{
	ossai_asset *asset = reader->asset;
	asset->nodes = ossai_arena_new(&asset->arena, reader->node_count, sizeof *asset->nodes);
	if (!asset->nodes) return no_memory(reader);
	memcpy(asset->nodes, reader->nodes, reader->node_count * sizeof *asset->nodes);
	asset->node_count = reader->node_count;
	for (size_t n = 0; n < asset->node_count; n++) {
		if (reader->has_child[n] && asset->nodes[n].bone) asset->nodes[n].bone->has_tail = false;
	}
	return OSSA_OK;
}

/* ---- the file ---- */

bool ossai_bvh_detect(const uint8_t *bytes, size_t size)
{
	ossai_text text = ossai_text_begin(NULL, "", bytes, size < 4096 ? size : 4096);
	return is_keyword(ossai_bvh_next_word(&text), "HIERARCHY");
}

static ossa_status read_all(ossai_bvh_reader *reader)
{
	bool has_motion;
	OSSAI_TRY(read_hierarchy(reader, &has_motion));
	OSSAI_TRY(finish_nodes(reader));
	return has_motion ? ossai_bvh_read_motion(reader) : OSSA_OK;
}

ossa_status ossai_bvh_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	ossai_bvh_reader reader = {.text = ossai_text_of_file(context, source->path, source->bytes, source->size), .asset = asset};
	const ossa_status status = read_all(&reader);
	ossa_free(context, reader.nodes);
	ossa_free(context, reader.places);
	ossa_free(context, reader.has_child);
	ossa_free(context, reader.columns);
	return status;
}
