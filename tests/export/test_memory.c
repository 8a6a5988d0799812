/* tests/export/test_memory.c: every format of both registries, in memory and on disk: the same
   bytes; truncated files; failing memory. */
#include "support/alembic_scene.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 800, FORMATS_MAX = 32 };

/* ---- bytes of the disk ---- */

/* the caller's, of malloc, exactly as long as the file */
static uint8_t *load(const char *path, size_t *size)
{
	FILE *stream = fopen(path, "rb");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	*size = (size_t)ftell(stream);
	rewind(stream);
	uint8_t *bytes = malloc(*size + (*size == 0));
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, stream), *size);
	fclose(stream);
	return bytes;
}

static size_t count_entries(const char *folder)
{
	size_t count = 0;
	DIR *stream = opendir(folder);
	assert_non_null(stream);
	for (struct dirent *entry; (entry = readdir(stream));) count += entry->d_name[0] != '.';
	closedir(stream);
	return count;
}

static ossa_files *begin_memory(ossa_context *context)
{
	ossa_files *files;
	assert_ok(context, ossa_files_create(context, &files));
	ossa_context_use_files(context, files);
	return files;
}

/* ---- writing ---- */

typedef struct content {
	ossa_rig *rig;
	ossa_frames *frames;
} content;

static content make_content(ossa_context *context)
{
	content c;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &c.rig));
	test_rich_rig_roles(c.rig);
	assert_ok(context, ossa_rig_frames(context, c.rig, NULL, &c.frames));
	return c;
}

static void free_content(ossa_context *context, content *c)
{
	ossa_frames_free(context, c->frames);
	ossa_rig_free(context, c->rig);
}

enum { RIG, MESH, FRAMES, KINDS };

static bool writes(const ossa_write_format *format, int kind)
{
	return kind == RIG ? format->writes_rig : kind == MESH ? format->writes_mesh : format->writes_frames;
}

static ossa_status write_kind(ossa_context *context, const content *c, int kind, const char *path)
{
	if (kind == RIG) return ossa_write_rig(context, c->rig, path, NULL);
	if (kind == MESH) return ossa_write_mesh(context, c->rig->mesh, NULL, path, NULL);
	return ossa_write_frames(context, c->rig->mesh, c->frames, path, NULL);
}

/* "FOLDER/kind0.glb" */
static void name_file(const ossa_write_format *format, int kind, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%s/kind%d%.*s", test_folder(), kind, (int)strcspn(format->endings, "|"), format->endings);
}

/* each file in memory is one on the disk */
static void assert_as_on_disk(const ossa_files *files)
{
	for (size_t i = 0; i < ossa_files_count(files); i++) {
		const ossa_file *file = ossa_files_at(files, i);
		size_t size;
		uint8_t *bytes = load(file->name, &size);
		assert_int_equal(file->size, size);
		assert_memory_equal(file->bytes, bytes, size);
		assert_int_equal(file->bytes[size], 0);
		free(bytes);
	}
}

static void every_format_is_written_as_to_the_disk(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	content c = make_content(context);
	ossa_files *files = begin_memory(context);
	for (int on_disk = 0; on_disk < 2; on_disk++) {
		ossa_context_use_files(context, on_disk ? NULL : files);
		for (size_t i = 0; i < ossa_write_format_count(); i++) {
			for (int kind = 0; kind < KINDS; kind++) {
				const ossa_write_format *format = ossa_write_format_at(i);
				char name[NAME_SIZE];
				name_file(format, kind, name);
				if (writes(format, kind)) assert_ok(context, write_kind(context, &c, kind, name));
			}
		}
		/* files that belong together */
		assert_ok(context, write_kind(context, &c, FRAMES, test_path("walk_##.obj")));
		if (!on_disk) assert_int_equal(count_entries(test_folder()), 0);
	}
	assert_int_equal(count_entries(test_folder()), ossa_files_count(files));
	assert_non_null(ossa_files_find(files, test_path("kind0.bin")));
	assert_non_null(ossa_files_find(files, test_path("walk_04.obj")));
	assert_as_on_disk(files);
	ossa_files_free(files);
	free_content(context, &c);
	test_context_end(context);
}

/* ---- a file of every format that is read ---- */

typedef struct readable {
	size_t count;
	char names[FORMATS_MAX][NAME_SIZE];
} readable;

static void put_number(ogawa_bytes *to, uint32_t number)
{
	for (int shift = 24; shift >= 0; shift -= 8) ogawa_append(to, &(uint8_t){(uint8_t)(number >> shift)}, 1);
}

static void put_chunk(ogawa_bytes *to, const char *tag, const void *bytes, size_t size)
{
	ogawa_append(to, tag, 4);
	put_number(to, (uint32_t)size);
	ogawa_append(to, bytes, size);
	ogawa_append(to, "\0\0\0", (4 - size % 4) % 4);
}

/* a Maya cache of one frame of two vertices */
static const char *make_maya_cache(void)
{
	static const uint8_t values[24] = {0x3f, 0x80}, two[4] = {0, 0, 0, 2}, time[4] = {0, 0, 0, 250};
	ogawa_bytes head = {0}, body = {0}, file = {0};
	ogawa_append(&head, "CACH", 4);
	put_chunk(&head, "VRSN", "0.1", 4);
	put_chunk(&head, "STIM", time, 4);
	put_chunk(&head, "ETIM", time, 4);
	ogawa_append(&body, "MYCH", 4);
	put_chunk(&body, "TIME", time, 4);
	put_chunk(&body, "CHNM", "skin", 5);
	put_chunk(&body, "SIZE", two, 4);
	put_chunk(&body, "FVCA", values, sizeof values);
	put_chunk(&file, "FOR4", head.bytes, head.size);
	put_chunk(&file, "FOR4", body.bytes, body.size);
	const char *path = test_file("cache.mc", file.bytes, file.size);
	ogawa_free(&head);
	ogawa_free(&body);
	ogawa_free(&file);
	return path;
}

static void keep(readable *r, const char *path)
{
	assert_true(r->count < FORMATS_MAX);
	snprintf(r->names[r->count++], NAME_SIZE, "%s", path);
}

/* those that ossa does not write are made by hand, the others are on the disk already */
static void make_readable(ossa_context *context, const content *c, readable *r)
{
	ogawa_bytes alembic = alembic_make_scene(&(alembic_form){0});
	*r = (readable){0};
	keep(r, test_file("shape.abc", alembic.bytes, alembic.size));
	ogawa_free(&alembic);
	keep(r, make_maya_cache());
	keep(r, test_file("t.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", 0));
	keep(r,
		test_file("t.stl",
			"solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid "
			"t\n",
			0));
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const ossa_write_format *format = ossa_write_format_at(i);
		for (int kind = 0; kind < KINDS; kind++) {
			char name[NAME_SIZE];
			name_file(format, kind, name);
			if (!writes(format, kind) || ossa_read_detect(context, name, NULL) != OSSA_OK) continue;
			assert_ok(context, write_kind(context, c, kind, name));
			keep(r, name);
		}
	}
	/* every format there is */
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		bool is_there = false;
		for (size_t k = 0; k < r->count; k++) {
			const ossa_read_format *format;
			assert_ok(context, ossa_read_detect(context, r->names[k], &format));
			is_there = is_there || format == ossa_read_format_at(i);
		}
		if (!is_there) print_error("no file of %s\n", ossa_read_format_at(i)->name);
		assert_true(is_there);
	}
}

/* ---- reading ---- */

/* All that the calls say of a file, as text: statuses, messages, and a hash of what they gave. */
typedef struct account {
	char text[6000];
	size_t used;
} account;

static uint64_t hash_of(uint64_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3U;
	return hash;
}

static void note(account *a, ossa_context *context, const char *call, ossa_status status, uint64_t hash)
{
	const char *message = status == OSSA_OK ? "" : ossa_context_error(context)->message;
	a->used += (size_t)snprintf(a->text + a->used, sizeof a->text - a->used, "%s: %s %s %llx\n", call, ossa_status_name(status),
		message, (unsigned long long)hash);
	assert_true(a->used < sizeof a->text);
}

static uint64_t hash_of_mesh(const ossa_mesh *mesh)
{
	if (!mesh) return 0;
	const uint64_t hash = hash_of(1, mesh->positions, 3 * mesh->vertex_count * sizeof *mesh->positions);
	return hash_of(hash, mesh->triangles, 3 * mesh->triangle_count * sizeof *mesh->triangles);
}

static uint64_t hash_of_frames(const ossa_frames *frames)
{
	if (!frames) return 0;
	const uint64_t hash = hash_of(2, frames->times, frames->frame_count * sizeof *frames->times);
	return hash_of(hash, frames->positions, 3 * frames->frame_count * frames->vertex_count * sizeof *frames->positions);
}

static uint64_t hash_of_rig(const ossa_rig *rig)
{
	if (!rig) return 0;
	uint64_t hash = hash_of_mesh(rig->mesh);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		hash = hash_of(hash, rig->skeleton.bones[b].name, strlen(rig->skeleton.bones[b].name));
		hash = hash_of(hash, rig->skeleton.bones[b].joint, sizeof rig->skeleton.bones[b].joint);
	}
	const size_t pairs = rig->weights.vertex_count * (size_t)rig->weights.influences;
	hash = hash_of(hash, rig->weights.values, pairs * sizeof *rig->weights.values);
	if (!rig->clip) return hash;
	return hash_of(hash, rig->clip->rotations, 4 * rig->clip->frame_count * rig->clip->bone_count * sizeof(double));
}

static void note_stream(account *a, ossa_context *context, const char *path)
{
	ossa_frame_stream *stream;
	ossa_mesh *mesh;
	ossa_status status = ossa_frame_stream_open_animation(context, path, NULL, &mesh, &stream);
	note(a, context, "stream", status, hash_of_mesh(mesh));
	if (status == OSSA_OK && stream) {
		ossa_frames *frames;
		status = ossa_frame_stream_frames(context, stream, 0, NULL, &frames);
		note(a, context, "stream's frames", status, hash_of_frames(frames));
		ossa_frames_free(context, frames);
	}
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, mesh);
}

/* everything that reads, of one file */
static void read_all(ossa_context *context, const char *path, account *a)
{
	const ossa_read_format *format;
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_rig *rig;
	ossa_clip_facts *clips;
	size_t count;
	bool has_rig;
	*a = (account){.used = 0};
	ossa_status status = ossa_read_detect(context, path, &format);
	note(a, context, format ? format->name : "", status, 0);
	status = ossa_read_contents(context, path, &has_rig, &count, &clips);
	note(a, context, "contents", status, count + 100 * has_rig);
	ossa_free(context, clips);
	status = ossa_read_mesh(context, path, NULL, &mesh);
	note(a, context, "mesh", status, hash_of_mesh(mesh));
	ossa_mesh_free(context, mesh);
	status = ossa_read_animation(context, path, NULL, &mesh, &frames);
	note(a, context, "animation", status, hash_of_mesh(mesh) ^ hash_of_frames(frames));
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	status = ossa_read_frames(context, NULL, 1, &path, false, NULL, &frames);
	note(a, context, "frames", status, hash_of_frames(frames));
	ossa_frames_free(context, frames);
	status = ossa_read_rig(context, path, NULL, &rig);
	note(a, context, "rig", status, hash_of_rig(rig));
	ossa_rig_free(context, rig);
	note_stream(a, context, path);
}

/* a set with all files of the test's folder but hidden ones; `bytes` are to be freed after it */
static ossa_files *put_into_memory(ossa_context *context, size_t *count, uint8_t *bytes[64])
{
	ossa_files *files = begin_memory(context);
	DIR *stream = opendir(test_folder());
	assert_non_null(stream);
	*count = 0;
	for (struct dirent *entry; (entry = readdir(stream));) {
		size_t size;
		if (entry->d_name[0] == '.') continue;
		assert_true(*count < 64);
		bytes[*count] = load(test_path(entry->d_name), &size);
		assert_ok(context, ossa_files_add(files, test_path(entry->d_name), bytes[(*count)++], size));
	}
	closedir(stream);
	return files;
}

static void every_format_is_read_as_from_the_disk(void **state)
{
	(void)state;
	static account there, here;
	static readable r;
	uint8_t *bytes[64];
	size_t count;
	ossa_context *context = test_context(0);
	content c = make_content(context);
	make_readable(context, &c, &r);
	ossa_files *files = put_into_memory(context, &count, bytes);
	for (size_t i = 0; i < r.count; i++) {
		ossa_context_use_files(context, NULL);
		read_all(context, r.names[i], &there);
		ossa_context_use_files(context, files);
		read_all(context, r.names[i], &here);
		assert_string_equal(here.text, there.text);
	}
	/* motion and limits from other files than the rig's */
	ossa_clip *clip;
	ossa_limits *limits;
	assert_ok(context, ossa_read_motion(context, c.rig, test_path("kind0.bvh"), NULL, &clip));
	assert_ok(context, ossa_read_limits(context, test_path("kind0.skeleton.csv"), &limits));
	ossa_limits_free(context, limits);
	ossa_clip_free(context, clip);
	ossa_files_free(files);
	for (size_t i = 0; i < count; i++) free(bytes[i]);
	free_content(context, &c);
	test_context_end(context);
}

/* a file cut short anywhere is refused or read, as it would be on the disk, without a look behind
   its end */
static void files_cut_short_are_refused(void **state)
{
	(void)state;
	static account a;
	static readable r;
	ossa_context *context = test_context(0);
	content c = make_content(context);
	make_readable(context, &c, &r);
	ossa_files *files = begin_memory(context);
	for (size_t i = 0; i < r.count; i++) {
		size_t size;
		uint8_t *whole = load(r.names[i], &size);
		const char *name = strrchr(r.names[i], '/') + 1;
		for (size_t part = 0; part < 6; part++) {
			const size_t kept = part < 5 ? size * part / 5 : size - 1;
			uint8_t *cut = malloc(kept + (kept == 0));
			assert_non_null(cut);
			memcpy(cut, whole, kept);
			assert_ok(context, ossa_files_add(files, name, cut, kept));
			read_all(context, name, &a);
			assert_null(strstr(a.text, "out of memory"));
			if (kept == 0) assert_non_null(strstr(a.text, "is empty"));
			assert_ok(context, ossa_files_add(files, name, NULL, 0));
			free(cut);
		}
		free(whole);
	}
	ossa_files_free(files);
	free_content(context, &c);
	test_context_end(context);
}

/* ---- what is not there ---- */

static void files_that_are_not_in_memory_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	content c = make_content(context);
	ossa_mesh *mesh;
	ossa_rig *rig;
	const char *on_disk = test_file("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0);
	ossa_files *files = begin_memory(context), *other;
	assert_ok(context, ossa_files_create(context, &other));
	assert_fails(context, ossa_read_mesh(context, on_disk, NULL, &mesh), OSSA_ERROR_READ, "is not among the files in memory");
	/* of two files one alone */
	uint8_t *bytes;
	size_t size;
	assert_ok(context, ossa_write_rig(context, c.rig, "a.gltf", NULL));
	assert_ok(context, ossa_read_rig(context, "a.gltf", NULL, &rig));
	ossa_rig_free(context, rig);
	assert_ok(context, ossa_files_take(files, "a.bin", &bytes, &size));
	assert_fails(context, ossa_read_rig(context, "a.gltf", NULL, &rig), OSSA_ERROR_READ, "\"a.bin\", which must lie beside it");
	ossa_context_use_files(context, other);
	assert_fails(context, ossa_read_rig(context, "a.gltf", NULL, &rig), OSSA_ERROR_READ, "is not among the files in memory");
	assert_fails(context, ossa_write_rig(context, c.rig, "a.xyz", NULL), OSSA_ERROR_ARGUMENT, ".glb");
	assert_int_equal(ossa_files_count(other), 0);
	/* and back to the disk, by freeing too */
	ossa_files_free(other);
	assert_ok(context, ossa_read_mesh(context, on_disk, NULL, &mesh));
	ossa_mesh_free(context, mesh);
	ossa_free(context, bytes);
	ossa_files_free(files);
	free_content(context, &c);
	test_context_end(context);
}

/* ---- memory that fails ---- */

static ossa_status round_trip(ossa_context *context, void *arg)
{
	const content *c = arg;
	ossa_files *files;
	ossa_rig *rig = NULL;
	ossa_frames *frames = NULL;
	const char *const numbered = "walk_#.obj";
	OSSAI_TRY(ossa_files_create(context, &files));
	ossa_context_use_files(context, files);
	ossa_status status = ossa_write_rig(context, c->rig, "a.gltf", NULL);
	/* both files or none */
	assert_int_equal(ossa_files_count(files), status == OSSA_OK ? 2 : 0);
	if (status == OSSA_OK) status = ossa_read_rig(context, "a.gltf", NULL, &rig);
	if (status == OSSA_OK) status = ossa_write_frames(context, c->rig->mesh, c->frames, numbered, NULL);
	assert_int_equal(ossa_files_find(files, "walk_4.obj") != NULL, status == OSSA_OK);
	if (status == OSSA_OK) status = ossa_read_frames(context, c->rig->mesh, 1, &numbered, false, NULL, &frames);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	ossa_files_free(files);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	content c = make_content(context);
	assert_true(test_allocation_sweep(round_trip, &c, 120, 17) >= 100);
	free_content(context, &c);
	test_context_end(context);
}

/* the limit of the context holds for what is written */
static void the_limit_of_memory_holds(void **state)
{
	(void)state;
	ossa_context *context = test_context(1), *small;
	content c = make_content(context);
	ossa_context_options options = ossa_context_default();
	options.memory_limit = 60000;
	assert_int_equal(ossa_context_create(&options, &small), OSSA_OK);
	ossa_files *files = begin_memory(small);
	assert_fails(small, ossa_write_mesh(small, c.rig->mesh, NULL, "a.obj", NULL), OSSA_ERROR_LIMIT, NULL);
	assert_int_equal(ossa_files_count(files), 0);
	ossa_files_free(files);
	assert_int_equal(ossa_context_bytes(small), 0);
	ossa_context_free(small);
	free_content(context, &c);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_written_as_to_the_disk),
		cmocka_unit_test(every_format_is_read_as_from_the_disk),
		cmocka_unit_test(files_cut_short_are_refused),
		cmocka_unit_test(files_that_are_not_in_memory_are_named),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(the_limit_of_memory_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
