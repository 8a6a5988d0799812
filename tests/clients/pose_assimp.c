/* tests/clients/pose_assimp.c: assimp: imports files that move by a skin, evaluates every frame
   from what assimp holds and compares the vertices with FILE.pc2.

   usage: pose_assimp FILE...  Built by tests/clients/run. The rest pose and the frames of FILE.pc2
   are those of ossa; the first channel's keys say when the frames are. assimp has no skinning of
   its own: sum of weight x node's place x offset, as its documentation says. */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-4; /* of the diagonal */

/* ---- PC2: 12 bytes of name, version, points, start, rate, samples, then floats ---- */

typedef struct cache {
	int points, samples;
	float *positions;
} cache;

static int read_cache(const char *path, cache *c)
{
	FILE *stream = fopen(path, "rb");
	char head[32];
	if (!stream) return 0;
	int good = fread(head, 1, 32, stream) == 32;
	memcpy(&c->points, head + 16, 4);
	memcpy(&c->samples, head + 28, 4);
	const size_t count = good ? (size_t)c->points * (size_t)c->samples * 3 : 0;
	c->positions = malloc(count * sizeof *c->positions + 1);
	good = good && c->positions && fread(c->positions, sizeof *c->positions, count, stream) == count;
	fclose(stream);
	return good;
}

static double diagonal_of(const cache *c)
{
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		float low = INFINITY, high = -INFINITY;
		for (int i = 0; i < c->points; i++) {
			low = fminf(low, c->positions[3 * i + k]);
			high = fmaxf(high, c->positions[3 * i + k]);
		}
		sum += ((double)high - (double)low) * ((double)high - (double)low);
	}
	return sqrt(sum);
}

/* ---- nodes at a time ---- */

static const struct aiNodeAnim *channel_of(const struct aiAnimation *motion, const struct aiNode *node)
{
	for (unsigned i = 0; motion && i < motion->mNumChannels; i++) {
		if (strcmp(motion->mChannels[i]->mNodeName.data, node->mName.data) == 0) return motion->mChannels[i];
	}
	return NULL;
}

static struct aiVector3D vector_at(const struct aiVectorKey *keys, unsigned count, double ticks)
{
	unsigned i = 0;
	while (i + 1 < count && keys[i + 1].mTime <= ticks) i++;
	if (i + 1 >= count || ticks <= keys[0].mTime) return keys[i].mValue;
	const float t = (float)((ticks - keys[i].mTime) / (keys[i + 1].mTime - keys[i].mTime));
	const struct aiVector3D a = keys[i].mValue, b = keys[i + 1].mValue;
	return (struct aiVector3D){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static struct aiQuaternion rotation_at(const struct aiQuatKey *keys, unsigned count, double ticks)
{
	struct aiQuaternion q;
	unsigned i = 0;
	while (i + 1 < count && keys[i + 1].mTime <= ticks) i++;
	if (i + 1 >= count || ticks <= keys[0].mTime) return keys[i].mValue;
	aiQuaternionInterpolate(
		&q, &keys[i].mValue, &keys[i + 1].mValue, (float)((ticks - keys[i].mTime) / (keys[i + 1].mTime - keys[i].mTime)));
	return q;
}

static struct aiMatrix4x4 local_at(const struct aiAnimation *motion, const struct aiNode *node, double ticks)
{
	const struct aiNodeAnim *channel = channel_of(motion, node);
	if (!channel) return node->mTransformation;
	const struct aiVector3D t = vector_at(channel->mPositionKeys, channel->mNumPositionKeys, ticks);
	const struct aiVector3D s = vector_at(channel->mScalingKeys, channel->mNumScalingKeys, ticks);
	const struct aiQuaternion q = rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, ticks);
	struct aiMatrix4x4 m;
	aiMatrix4FromScalingQuaternionPosition(&m, &s, &q, &t);
	return m;
}

/* in the scene's space; up to the root */
static struct aiMatrix4x4 world_at(const struct aiAnimation *motion, const struct aiNode *node, double ticks)
{
	struct aiMatrix4x4 m = local_at(motion, node, ticks);
	for (node = node->mParent; node; node = node->mParent) {
		struct aiMatrix4x4 up = local_at(motion, node, ticks);
		aiMultiplyMatrix4(&up, &m);
		m = up;
	}
	return m;
}

static const struct aiNode *find_node(const struct aiNode *node, const char *name)
{
	if (strcmp(node->mName.data, name) == 0) return node;
	for (unsigned i = 0; i < node->mNumChildren; i++) {
		const struct aiNode *found = find_node(node->mChildren[i], name);
		if (found) return found;
	}
	return NULL;
}

/* ---- skinning ---- */

/* V x 3 positions of a mesh, at rest where `motion` is NULL; 0 where a bone has no node */
static int pose(
	const struct aiScene *scene, const struct aiMesh *mesh, const struct aiAnimation *motion, double ticks, double *out)
{
	memset(out, 0, 3 * mesh->mNumVertices * sizeof *out);
	for (unsigned b = 0; b < mesh->mNumBones; b++) {
		const struct aiBone *bone = mesh->mBones[b];
		const struct aiNode *node = find_node(scene->mRootNode, bone->mName.data);
		if (!node) return 0;
		struct aiMatrix4x4 m = world_at(motion, node, ticks);
		aiMultiplyMatrix4(&m, &bone->mOffsetMatrix);
		for (unsigned i = 0; i < bone->mNumWeights; i++) {
			const struct aiVector3D p = mesh->mVertices[bone->mWeights[i].mVertexId];
			const double w = (double)bone->mWeights[i].mWeight;
			double *to = out + 3 * bone->mWeights[i].mVertexId;
			to[0] += w * (double)(m.a1 * p.x + m.a2 * p.y + m.a3 * p.z + m.a4);
			to[1] += w * (double)(m.b1 * p.x + m.b2 * p.y + m.b3 * p.z + m.b4);
			to[2] += w * (double)(m.c1 * p.x + m.c2 * p.y + m.c3 * p.z + m.c4);
		}
	}
	return 1;
}

/* which of ossa's vertices each of the mesh's is: the nearest at rest */
static int *match(const cache *c, const double *rest, unsigned count)
{
	int *order = malloc(count * sizeof *order + 1);
	for (unsigned i = 0; order && i < count; i++) {
		double least = INFINITY;
		for (int k = 0; k < c->points && least > 0; k++) {
			double d = 0;
			for (int x = 0; x < 3; x++) {
				const double one = (double)c->positions[3 * k + x] - rest[3 * i + (unsigned)x];
				d += one * one;
			}
			if (d < least) order[i] = k;
			if (d < least) least = d;
		}
	}
	return order;
}

/* the largest difference of one mesh in the rest pose and all frames */
static double judge_mesh(const struct aiScene *scene, const struct aiMesh *mesh, const cache *c)
{
	const struct aiAnimation *motion = scene->mAnimations[0];
	const struct aiNodeAnim *first = motion->mChannels[0];
	double worst = 0, *positions = malloc(3 * mesh->mNumVertices * sizeof *positions + 1);
	if (!positions || !pose(scene, mesh, NULL, 0, positions)) return INFINITY;
	int *order = match(c, positions, mesh->mNumVertices);
	for (int f = 0; order && f < c->samples; f++) {
		if (f > 0 && (unsigned)f > first->mNumRotationKeys) return INFINITY;
		if (f > 0) pose(scene, mesh, motion, first->mRotationKeys[f - 1].mTime, positions);
		const float *expected = c->positions + 3 * (size_t)f * (size_t)c->points;
		for (unsigned i = 0; i < 3 * mesh->mNumVertices; i++) {
			worst = fmax(worst, fabs(positions[i] - (double)expected[3 * order[i / 3] + (int)(i % 3)]));
		}
	}
	free(order);
	free(positions);
	return worst;
}

static int is_z_up(const struct aiScene *scene)
{
	const struct aiMetadata *data = scene->mMetaData;
	for (unsigned i = 0; data && i < data->mNumProperties; i++) {
		if (strcmp(data->mKeys[i].data, "UpAxis") == 0) return *(const int32_t *)data->mValues[i].mData == 2;
	}
	return 0;
}

static int judge(const char *path)
{
	char cache_path[4096];
	cache c = {0};
	snprintf(cache_path, sizeof cache_path, "%.*s.pc2", (int)(strrchr(path, '.') - path), path);
	if (!read_cache(cache_path, &c)) return printf("assimp: %s: FAILED: no cache\n", path), 0;
	/* FBX is in centimetres: the scale in the file must be applied */
	struct aiPropertyStore *store = aiCreatePropertyStore();
	/* nodes as they are, not in parts of their own for each rotation */
	aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
	const unsigned steps = strstr(path, ".fbx") ? aiProcess_GlobalScale : 0;
	const struct aiScene *scene = aiImportFileExWithProperties(path, steps, NULL, store);
	if (scene && strstr(path, ".fbx") && is_z_up(scene)) {
		printf("assimp: %s: skipped: assimp leaves the axes of FBX to others\n", path);
		aiReleaseImport(scene);
		aiReleasePropertyStore(store);
		free(c.positions);
		return 1;
	}
	double worst = 0;
	unsigned bones = 0, vertices = 0;
	for (unsigned m = 0; scene && m < scene->mNumMeshes; m++) {
		if (scene->mMeshes[m]->mNumBones == 0 || scene->mNumAnimations == 0) continue;
		worst = fmax(worst, judge_mesh(scene, scene->mMeshes[m], &c));
		bones = scene->mMeshes[m]->mNumBones > bones ? scene->mMeshes[m]->mNumBones : bones;
		vertices += scene->mMeshes[m]->mNumVertices;
	}
	const int skipped = scene && bones == 0;
	const int good = skipped || (scene && worst <= TOLERANCE * diagonal_of(&c));
	if (!scene) printf("assimp: %s: FAILED: %s\n", path, aiGetErrorString());
	else if (skipped) printf("assimp: %s: skipped: no skin that moves\n", path);
	else
		printf("assimp: %s: clip \"%s\", %u vertices, %d poses, worst vertex %.1e of the diagonal%s\n", path,
			scene->mAnimations[0]->mName.data, vertices, c.samples, worst / diagonal_of(&c), good ? "" : " FAILED");
	aiReleaseImport(scene);
	aiReleasePropertyStore(store);
	free(c.positions);
	return good;
}

int main(int count, char **arguments)
{
	int failed = 0;
	for (int i = 1; i < count; i++) failed += !judge(arguments[i]);
	return failed > 0;
}
