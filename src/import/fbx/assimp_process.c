/* import/fbx/assimp_process.c: runs assimp in a process of its own.

   Place in the path: inside the FBX reader, between the guard and the parts that read a scene.
   Input: a file's bytes.
   Output: a copy of assimp's scene, as far as it is read. A file that violates assimp's assumptions
   ends the calling process (Debian's library has its assertions on) or keeps it busy for ever. So a
   child process does the work, within a time limit, and copies the scene into memory that both
   share at one address; if it ends without a result, the file is reported as an error like any
   other. */
#include "import/fbx/assimp_library.h"
#include "import/fbx/assimp_looks.h"

#include <assimp/config.h>
#include <assimp/scene.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* address space, taken page by page as it is needed: a scene has every corner apart, each with
   weights */
enum { SCENE_BYTES_PER_BYTE = 48, SCENE_BYTES_LEAST = 16 << 20 };

/* seconds of work for any file, and for each of so many bytes */
enum { SECONDS_LEAST = 20, BYTES_PER_SECOND = 1 << 20 };

typedef enum outcome { GONE, DONE, REFUSED, TOO_LARGE } outcome;

/* the begin of the shared memory */
struct ossai_assimp_share {
	size_t size, used;
	volatile outcome outcome; /* the last thing that the child sets */
	const struct aiScene *scene;
	const ossai_assimp_look *looks;
	ossai_assimp_library library;
	char said[160];
};

typedef struct ossai_assimp_share share;

/* ---- copying, in the child ---- */

/* `used` stays beyond the size where the memory is used up */
void *ossai_share_take(share *s, size_t count, size_t size)
{
	const size_t bytes = size > 0 && count > (SIZE_MAX / 2) / size ? SIZE_MAX / 2 : (count * size + 15) & ~(size_t)15;
	const size_t at = s->used;
	if (at > s->size || bytes > s->size - at) {
		s->used = SIZE_MAX;
		return NULL;
	}
	s->used += bytes;
	return (char *)s + at;
}

static void *copy(share *s, const void *from, size_t count, size_t size)
{
	void *to = from ? ossai_share_take(s, count, size) : NULL;
	if (to) memcpy(to, from, count * size);
	return to;
}

static struct aiMetadata *copy_settings(share *s, const struct aiMetadata *from)
{
	struct aiMetadata *to = copy(s, from, 1, sizeof *to);
	if (!to) return NULL;
	to->mKeys = copy(s, from->mKeys, from->mNumProperties, sizeof *to->mKeys);
	to->mValues = copy(s, from->mValues, from->mNumProperties, sizeof *to->mValues);
	for (unsigned i = 0; to->mValues && i < to->mNumProperties; i++) {
		const enum aiMetadataType type = from->mValues[i].mType;
		const size_t size = type == AI_DOUBLE      ? sizeof(double)
			: type == AI_INT32 || type == AI_FLOAT ? 4
			: type == AI_BOOL                      ? sizeof(bool)
												   : 0;
		to->mValues[i].mData = size > 0 ? copy(s, from->mValues[i].mData, 1, size) : NULL;
	}
	return to;
}

/* whether a node is a mere group; nothing else of its settings is read */
static struct aiMetadata *copy_kind(share *s, const struct aiMetadata *from)
{
	for (unsigned i = 0; from && i < from->mNumProperties; i++) {
		if (from->mValues[i].mType != AI_BOOL || strcmp(from->mKeys[i].data, "IsNull") != 0) continue;
		return copy_settings(s, &(struct aiMetadata){1, from->mKeys + i, from->mValues + i});
	}
	return NULL;
}

static struct aiNode *copy_node(share *s, const struct aiNode *from, struct aiNode *parent)
{
	struct aiNode *to = copy(s, from, 1, sizeof *to);
	if (!to) return NULL;
	to->mParent = parent;
	to->mMetaData = copy_kind(s, from->mMetaData);
	to->mMeshes = copy(s, from->mMeshes, from->mNumMeshes, sizeof *to->mMeshes);
	/* replaced by copies of these when the node's turn comes */
	to->mChildren = copy(s, from->mChildren, from->mNumChildren, sizeof *to->mChildren);
	return to;
}

/* a copied node whose children are not */
typedef struct pending {
	struct aiNode *node;
	struct pending *next;
} pending;

static struct aiNode *copy_tree(share *s, const struct aiNode *from)
{
	struct aiNode *root = copy_node(s, from, NULL);
	pending *first = ossai_share_take(s, 1, sizeof *first), *last = first;
	if (!root || !first) return NULL;
	first->node = root;
	for (; first; first = first->next) {
		struct aiNode *node = first->node;
		for (unsigned i = 0; node->mChildren && i < node->mNumChildren; i++) {
			node->mChildren[i] = copy_node(s, node->mChildren[i], node);
			last->next = ossai_share_take(s, 1, sizeof *last);
			if (!node->mChildren[i] || !last->next) return NULL;
			last = last->next;
			last->node = node->mChildren[i];
		}
	}
	return root;
}

static struct aiBone *copy_bone(share *s, const struct aiBone *from)
{
	struct aiBone *to = copy(s, from, 1, sizeof *to);
	if (to) to->mWeights = copy(s, from->mWeights, from->mNumWeights, sizeof *to->mWeights);
	return to;
}

static struct aiAnimMesh *copy_shape(share *s, const struct aiAnimMesh *from)
{
	struct aiAnimMesh *to = ossai_share_take(s, 1, sizeof *to);
	if (!to) return NULL;
	to->mName = from->mName;
	to->mNumVertices = from->mNumVertices;
	to->mVertices = copy(s, from->mVertices, from->mNumVertices, sizeof *to->mVertices);
	return to;
}

static void copy_faces(share *s, struct aiMesh *to, const struct aiMesh *from)
{
	to->mNumFaces = from->mNumFaces;
	to->mFaces = copy(s, from->mFaces, from->mNumFaces, sizeof *to->mFaces);
	for (unsigned i = 0; to->mFaces && i < to->mNumFaces; i++) {
		to->mFaces[i].mIndices = copy(s, from->mFaces[i].mIndices, from->mFaces[i].mNumIndices, sizeof *to->mFaces[i].mIndices);
	}
}

static void copy_sets(share *s, const struct aiMesh *from, struct aiMesh *to)
{
	const size_t count = from->mNumVertices;
	for (size_t i = 0; i < OSSA_SETS_MAX && i < AI_MAX_NUMBER_OF_TEXTURECOORDS; i++)
		to->mTextureCoords[i] = copy(s, from->mTextureCoords[i], count, sizeof *to->mTextureCoords[i]);
	for (size_t i = 0; i < OSSA_SETS_MAX && i < AI_MAX_NUMBER_OF_COLOR_SETS; i++)
		to->mColors[i] = copy(s, from->mColors[i], count, sizeof *to->mColors[i]);
	to->mTextureCoordsNames = copy(s, from->mTextureCoordsNames, AI_MAX_NUMBER_OF_TEXTURECOORDS, sizeof(void *));
	for (size_t i = 0; to->mTextureCoordsNames && i < AI_MAX_NUMBER_OF_TEXTURECOORDS; i++)
		to->mTextureCoordsNames[i] = copy(s, from->mTextureCoordsNames[i], 1, sizeof(struct aiString));
}

static struct aiMesh *copy_mesh(share *s, const struct aiMesh *from)
{
	struct aiMesh *to = ossai_share_take(s, 1, sizeof *to);
	const size_t count = from->mNumVertices;
	if (!to) return NULL;
	to->mName = from->mName;
	to->mMaterialIndex = from->mMaterialIndex;
	to->mNumVertices = from->mNumVertices;
	to->mVertices = copy(s, from->mVertices, count, sizeof *to->mVertices);
	to->mNormals = copy(s, from->mNormals, count, sizeof *to->mNormals);
	/* a mark that there are some: they are not read */
	to->mTangents = from->mTangents ? to->mVertices : NULL;
	copy_sets(s, from, to);
	copy_faces(s, to, from);
	to->mNumBones = from->mNumBones;
	to->mBones = ossai_share_take(s, from->mNumBones, sizeof(void *));
	for (unsigned i = 0; to->mBones && i < to->mNumBones; i++) to->mBones[i] = copy_bone(s, from->mBones[i]);
	to->mNumAnimMeshes = from->mNumAnimMeshes;
	to->mAnimMeshes = ossai_share_take(s, from->mNumAnimMeshes, sizeof(void *));
	for (unsigned i = 0; to->mAnimMeshes && i < to->mNumAnimMeshes; i++) {
		to->mAnimMeshes[i] = copy_shape(s, from->mAnimMeshes[i]);
	}
	return to;
}

static struct aiNodeAnim *copy_channel(share *s, const struct aiNodeAnim *from)
{
	struct aiNodeAnim *to = copy(s, from, 1, sizeof *to);
	if (!to) return NULL;
	to->mPositionKeys = copy(s, from->mPositionKeys, from->mNumPositionKeys, sizeof *to->mPositionKeys);
	to->mRotationKeys = copy(s, from->mRotationKeys, from->mNumRotationKeys, sizeof *to->mRotationKeys);
	to->mScalingKeys = copy(s, from->mScalingKeys, from->mNumScalingKeys, sizeof *to->mScalingKeys);
	return to;
}

static struct aiMeshMorphAnim *copy_shape_channel(share *s, const struct aiMeshMorphAnim *from)
{
	struct aiMeshMorphAnim *to = copy(s, from, 1, sizeof *to);
	if (!to) return NULL;
	to->mKeys = copy(s, from->mKeys, from->mNumKeys, sizeof *to->mKeys);
	for (unsigned k = 0; to->mKeys && k < to->mNumKeys; k++) {
		const size_t count = from->mKeys[k].mNumValuesAndWeights;
		to->mKeys[k].mValues = copy(s, from->mKeys[k].mValues, count, sizeof *to->mKeys[k].mValues);
		to->mKeys[k].mWeights = copy(s, from->mKeys[k].mWeights, count, sizeof *to->mKeys[k].mWeights);
	}
	return to;
}

static struct aiAnimation *copy_animation(share *s, const struct aiAnimation *from)
{
	struct aiAnimation *to = ossai_share_take(s, 1, sizeof *to);
	if (!to) return NULL;
	to->mName = from->mName;
	to->mTicksPerSecond = from->mTicksPerSecond;
	to->mNumChannels = from->mNumChannels;
	to->mChannels = ossai_share_take(s, from->mNumChannels, sizeof(void *));
	for (unsigned i = 0; to->mChannels && i < to->mNumChannels; i++) to->mChannels[i] = copy_channel(s, from->mChannels[i]);
	to->mNumMorphMeshChannels = from->mNumMorphMeshChannels;
	to->mMorphMeshChannels = ossai_share_take(s, from->mNumMorphMeshChannels, sizeof(void *));
	for (unsigned i = 0; to->mMorphMeshChannels && i < to->mNumMorphMeshChannels; i++) {
		to->mMorphMeshChannels[i] = copy_shape_channel(s, from->mMorphMeshChannels[i]);
	}
	return to;
}

/* numbers; nothing else is read */
static const ossai_assimp_look *copy_looks(share *s, const struct aiScene *from)
{
	ossai_assimp_look *looks = ossai_share_take(s, from->mNumMaterials, sizeof *looks);
	for (unsigned i = 0; looks && i < from->mNumMaterials; i++)
		ossai_assimp_copy_look(s, &s->library, from->mMaterials[i], &looks[i]);
	return looks;
}

/* an image as its file has it; pixels, which FBX does not hold, are left out */
static struct aiTexture *copy_image(share *s, const struct aiTexture *from)
{
	struct aiTexture *to = ossai_share_take(s, 1, sizeof *to);
	if (!to) return NULL;
	to->mFilename = from->mFilename;
	to->mWidth = from->mWidth;
	if (from->mHeight == 0) to->pcData = copy(s, from->pcData, from->mWidth, 1);
	return to;
}

/* cameras and lights hold no other memory */
static void copy_views(share *s, struct aiScene *to, const struct aiScene *from)
{
	to->mCameras = ossai_share_take(s, from->mNumCameras, sizeof(void *));
	for (; to->mCameras && to->mNumCameras < from->mNumCameras; to->mNumCameras++)
		to->mCameras[to->mNumCameras] = copy(s, from->mCameras[to->mNumCameras], 1, sizeof(struct aiCamera));
	to->mLights = ossai_share_take(s, from->mNumLights, sizeof(void *));
	for (; to->mLights && to->mNumLights < from->mNumLights; to->mNumLights++)
		to->mLights[to->mNumLights] = copy(s, from->mLights[to->mNumLights], 1, sizeof(struct aiLight));
}

static void copy_scene(share *s, const struct aiScene *from)
{
	struct aiScene *to = ossai_share_take(s, 1, sizeof *to);
	if (!to) return;
	copy_views(s, to, from);
	to->mRootNode = copy_tree(s, from->mRootNode);
	to->mNumMeshes = from->mNumMeshes;
	to->mMeshes = ossai_share_take(s, from->mNumMeshes, sizeof(void *));
	for (unsigned i = 0; to->mMeshes && i < to->mNumMeshes; i++) to->mMeshes[i] = copy_mesh(s, from->mMeshes[i]);
	to->mNumAnimations = from->mNumAnimations;
	to->mAnimations = ossai_share_take(s, from->mNumAnimations, sizeof(void *));
	for (unsigned i = 0; to->mAnimations && i < to->mNumAnimations; i++) {
		to->mAnimations[i] = copy_animation(s, from->mAnimations[i]);
	}
	to->mMetaData = copy_settings(s, from->mMetaData);
	to->mNumMaterials = from->mNumMaterials;
	s->looks = copy_looks(s, from);
	to->mNumTextures = from->mNumTextures;
	to->mTextures = ossai_share_take(s, from->mNumTextures, sizeof(void *));
	for (unsigned i = 0; to->mTextures && i < to->mNumTextures; i++) to->mTextures[i] = copy_image(s, from->mTextures[i]);
	s->scene = to;
}

/* ---- the child ---- */

static const struct aiScene *import_scene(const ossai_assimp_library *library, const ossai_source *source)
{
	struct aiPropertyStore *settings = library->create_settings();
	if (!settings) return NULL;
	library->set_integer(settings, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
	return library->import((const char *)source->bytes, (unsigned)source->size, 0, "fbx", settings);
}

static void work(share *s, const ossai_source *source)
{
	const struct aiScene *scene = import_scene(&s->library, source);
	if (!scene || !scene->mRootNode) {
		snprintf(s->said, sizeof s->said, "%s", scene ? "it holds no scene" : s->library.error());
		s->outcome = REFUSED;
		return;
	}
	copy_scene(s, scene);
	s->outcome = s->used <= s->size ? DONE : TOO_LARGE;
}

static void limit(int resource, rlim_t most)
{
	struct rlimit own;
	if (getrlimit(resource, &own) != 0) return;
	if (own.rlim_cur == RLIM_INFINITY || own.rlim_cur > most) own.rlim_cur = most;
	setrlimit(resource, &own);
}

/* no signal handlers of the parent's, no core file, no output, no exit handlers */
static void finish(const ossai_source *source)
{
	static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU, SIGTERM, SIGINT};
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, SECONDS_LEAST + source->size / BYTES_PER_SECOND);
	const int nowhere = open("/dev/null", O_WRONLY);
	if (nowhere >= 0) {
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
	}
}

/* ---- the parent ---- */

static ossa_status fail_open(const ossai_assimp *reader, const char *what)
{
	const ossai_place place = ossai_in_file(reader->source->path);
	return ossai_fail(reader->context, OSSA_ERROR_MEMORY, &place, "%s to read FBX: %s", what, strerror(errno));
}

static ossa_status begin_share(ossai_assimp *reader)
{
	const size_t most = SIZE_MAX / 4 / SCENE_BYTES_PER_BYTE, wanted = reader->unpacked < most ? reader->unpacked : most;
	const size_t size = SCENE_BYTES_LEAST + wanted * SCENE_BYTES_PER_BYTE;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) return fail_open(reader, "no address space");
	reader->share = memory;
	*reader->share = (share){.size = size, .used = sizeof(share)};
	return OSSA_OK;
}

/* the child's result; nothing if it was killed */
static ossa_status judge(ossai_assimp *reader)
{
	share *s = reader->share;
	for (char *at = s->said; *at; at++) {
		if ((unsigned char)*at < 32) *at = ' ';
	}
	switch (s->outcome) {
	case DONE: break;
	case REFUSED:
		return ossai_asset_fail(
			reader->asset, "cannot be read as FBX (assimp: %s): export it again as binary FBX 7.4", s->said);
	case TOO_LARGE: return ossai_asset_fail(reader->asset, "makes a scene far larger than a file of its size should");
	case GONE:
		return ossai_asset_fail(reader->asset,
			"cannot be read as FBX: assimp stopped in the middle of it; the file is damaged or malicious, export it again");
	}
	/* the copy counts like the context's own memory */
	void *block = ossai_new(reader->context, s->used, 1);
	if (!block) return ossa_context_error(reader->context)->status;
	ossa_free(reader->context, block);
	reader->scene = s->scene;
	reader->looks = s->looks;
	return OSSA_OK;
}

ossa_status ossai_assimp_import(ossai_assimp *reader)
{
	OSSAI_TRY(begin_share(reader));
	/* before there are two processes: the loader has locks */
	OSSAI_TRY(ossai_assimp_load(reader->context, reader->source->path, &reader->share->library));
	const pid_t child = fork();
	if (child < 0) return fail_open(reader, "no process");
	if (child == 0) {
		finish(reader->source);
		work(reader->share, reader->source);
		/* at once, without the parent's ends of things */
		for (;;) kill(getpid(), SIGKILL);
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
	return judge(reader);
}

void ossai_assimp_release(ossai_assimp *reader)
{
	if (reader->share) munmap(reader->share, reader->share->size);
	reader->share = NULL;
}
