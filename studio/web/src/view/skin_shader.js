/**
 * The surface's shader: linear blending or dual quaternions with up to eight influences, coloring
 * by bones, by one bone's weight or by error, and soft light from the camera's side. The same
 * vertex shader writes positions into pixels to read them back. Blending and coloring are compiled
 * into the shader, each at its first use: one that could do all would take long to compile.
 */
import * as THREE from 'three';

/** values of `coloring` */
export const COLORING = Object.freeze({ plain: 0, bones: 1, weight: 2, error: 3 });

const skin_part = `
uniform highp sampler2D bone_rows;
uniform bool skinned;
in vec4 joints_a;
in vec4 shares_a;
#ifdef EIGHT
in vec4 joints_b;
in vec4 shares_b;
#endif

vec4 texel(float bone, int k) { return texelFetch(bone_rows, ivec2(k, int(bone)), 0); }

#ifdef DUAL
struct blended { vec4 real, dual; };

void blend(inout blended sum, float bone, float share, vec4 pivot) {
	if (share == 0.0) return;
	vec4 real = texel(bone, 3);
	float s = dot(real, pivot) < 0.0 ? -share : share;
	sum.real += s * real;
	sum.dual += s * texel(bone, 4);
}

void skin(inout vec3 place, inout vec3 direction) {
	if (!skinned) return;
	blended sum = blended(vec4(0), vec4(0));
	vec4 pivot = texel(joints_a.x, 3);
	for (int k = 0; k < 4; k++) blend(sum, joints_a[k], shares_a[k], pivot);
#ifdef EIGHT
	for (int k = 0; k < 4; k++) blend(sum, joints_b[k], shares_b[k], pivot);
#endif
	float size = length(sum.real);
	vec4 r = sum.real / size, d = sum.dual / size;
	place += 2.0 * cross(r.xyz, cross(r.xyz, place) + r.w * place) + 2.0 * (r.w * d.xyz - d.w * r.xyz + cross(r.xyz, d.xyz));
	direction += 2.0 * cross(r.xyz, cross(r.xyz, direction) + r.w * direction);
}
#else
struct blended { vec4 row_x, row_y, row_z; };

void blend(inout blended sum, float bone, float share) {
	if (share == 0.0) return;
	sum.row_x += share * texel(bone, 0);
	sum.row_y += share * texel(bone, 1);
	sum.row_z += share * texel(bone, 2);
}

void skin(inout vec3 place, inout vec3 direction) {
	if (!skinned) return;
	blended sum = blended(vec4(0), vec4(0), vec4(0));
	for (int k = 0; k < 4; k++) blend(sum, joints_a[k], shares_a[k]);
#ifdef EIGHT
	for (int k = 0; k < 4; k++) blend(sum, joints_b[k], shares_b[k]);
#endif
	vec4 p = vec4(place, 1.0);
	place = vec3(dot(sum.row_x, p), dot(sum.row_y, p), dot(sum.row_z, p));
	direction = vec3(dot(sum.row_x.xyz, direction), dot(sum.row_y.xyz, direction), dot(sum.row_z.xyz, direction));
}
#endif
`;

const vertex_shader = `
${skin_part}
out vec3 normal_in_view;
out vec3 place_in_view;
#if COLORING == ${COLORING.bones}
out vec3 mixed;
#elif COLORING == ${COLORING.weight}
uniform float chosen_bone;
out float shade;
#elif COLORING == ${COLORING.error}
in float amount;
out float shade;
#endif

#if COLORING == ${COLORING.weight}
float chosen_share() {
	float sum = dot(vec4(equal(joints_a, vec4(chosen_bone))), shares_a);
#ifdef EIGHT
	sum += dot(vec4(equal(joints_b, vec4(chosen_bone))), shares_b);
#endif
	return sum;
}
#endif

#if COLORING == ${COLORING.bones}
vec3 mixed_color() {
	vec3 sum = vec3(0);
	for (int k = 0; k < 4; k++) if (shares_a[k] > 0.0) sum += shares_a[k] * texel(joints_a[k], 5).rgb;
#ifdef EIGHT
	for (int k = 0; k < 4; k++) if (shares_b[k] > 0.0) sum += shares_b[k] * texel(joints_b[k], 5).rgb;
#endif
	return sum;
}
#endif

void main() {
	vec3 place = position, direction = normal;
	skin(place, direction);
	vec4 seen = modelViewMatrix * vec4(place, 1.0);
	gl_Position = projectionMatrix * seen;
	place_in_view = seen.xyz;
	normal_in_view = normalMatrix * direction;
#if COLORING == ${COLORING.bones}
	mixed = mixed_color();
#elif COLORING == ${COLORING.weight}
	shade = chosen_share();
#elif COLORING == ${COLORING.error}
	shade = amount;
#endif
}`;

const fragment_shader = `
uniform vec3 plain_color;
uniform float opacity;
uniform bool flat_light;
in vec3 normal_in_view;
in vec3 place_in_view;
out vec4 color;

#if COLORING == ${COLORING.plain}
vec3 base_color() { return plain_color; }
#elif COLORING == ${COLORING.bones}
in vec3 mixed;
vec3 base_color() { return mixed; }
#elif COLORING == ${COLORING.weight}
in float shade;

// dark blue, teal, green, yellow: rising in lightness, color-blind safe
vec3 heat(float t) {
	t = clamp(t, 0.0, 1.0);
	vec3 a = vec3(0.20, 0.22, 0.42), b = vec3(0.16, 0.47, 0.56), c = vec3(0.38, 0.75, 0.45), d = vec3(0.98, 0.90, 0.25);
	return t < 0.33 ? mix(a, b, t / 0.33) : t < 0.66 ? mix(b, c, (t - 0.33) / 0.33) : mix(c, d, (t - 0.66) / 0.34);
}
vec3 base_color() { return heat(shade); }
#else
in float shade;

// pale, yellow, orange, dark red: nothing where there is no error
vec3 alarm(float t) {
	t = clamp(t, 0.0, 1.0);
	vec3 a = vec3(0.80, 0.82, 0.84), b = vec3(0.96, 0.80, 0.35), c = vec3(0.88, 0.40, 0.18), d = vec3(0.50, 0.05, 0.12);
	return t < 0.33 ? mix(a, b, t / 0.33) : t < 0.66 ? mix(b, c, (t - 0.33) / 0.33) : mix(c, d, (t - 0.66) / 0.34);
}
vec3 base_color() { return alarm(shade); }
#endif

void main() {
	vec3 base = base_color();
	if (flat_light) { color = vec4(base, opacity); return; }
	vec3 n = normalize(normal_in_view);
	if (!gl_FrontFacing) n = -n;
	if (dot(n, n) < 0.5) n = normalize(cross(dFdx(place_in_view), dFdy(place_in_view)));
	float key = max(0.0, dot(n, normalize(vec3(-0.45, 0.65, 0.65)))), back = max(0.0, dot(n, normalize(vec3(0.7, -0.2, 0.35))));
	float sky = 0.5 + 0.5 * n.y;
	vec3 lit = base * (0.42 + 0.16 * sky + 0.46 * key + 0.16 * back);
	lit += 0.06 * pow(max(0.0, dot(n, normalize(vec3(-0.25, 0.4, 1.0)))), 24.0);
	color = vec4(lit, opacity);
}`;

// each vertex becomes one pixel that holds its position
const places_vertex = `
${skin_part}
uniform int places_width;
uniform int places_height;
out vec3 posed;
void main() {
	vec3 place = position, direction = vec3(0);
	skin(place, direction);
	posed = place;
	vec2 pixel = vec2(gl_VertexID % places_width, gl_VertexID / places_width) + 0.5;
	gl_Position = vec4(2.0 * pixel / vec2(places_width, places_height) - 1.0, 0.0, 1.0);
	gl_PointSize = 1.0;
}`;

const places_fragment = `
in vec3 posed;
out highp vec4 color;
void main() { color = vec4(posed, 1.0); }`;

/** Parameters of a shader: sets of four influences, the kind of blending, the coloring. */
const defines_of = ({ sets, dual = false, coloring = COLORING.plain }) => ({ COLORING: coloring, ...(sets > 1 ? { EIGHT: 1 } : {}), ...(dual ? { DUAL: 1 } : {}) });

/**
 * Makes a material blend by dual quaternions or linearly, with a coloring. variant: {sets, dual,
 * coloring}
 */
export function set_variant(material, variant) {
	const defines = defines_of(variant);
	if (['COLORING', 'EIGHT', 'DUAL'].every((name) => material.defines[name] === defines[name])) return;
	material.defines = defines;
	material.needsUpdate = true;
}

/** What all materials of one rig share. */
export function skin_uniforms(texture) {
	return {
		bone_rows: { value: texture }, skinned: { value: true },
		chosen_bone: { value: -1 },
	};
}

/** The surface's material. variant: {sets, dual, coloring}; own: {color, opacity, flat_light} */
export function surface_material(shared, variant, own, options = {}) {
	return new THREE.ShaderMaterial({
		glslVersion: THREE.GLSL3, vertexShader: vertex_shader, fragmentShader: fragment_shader, side: THREE.DoubleSide, defines: defines_of(variant),
		uniforms: {
			...shared,
			plain_color: { value: own.color ?? new THREE.Color(0.7, 0.72, 0.75) }, opacity: { value: own.opacity ?? 1 },
			flat_light: { value: own.flat_light ?? false },
		},
		...options,
	});
}

// light from around for what mirrors it: grey below, bright above
const surroundings = `
radiance += mix(vec3(0.32, 0.31, 0.30), vec3(0.95), smoothstep(-0.4, 0.7, reflect(-geometryViewDir, geometryNormal).y));
`;

function add_skin(shader) {
	shader.vertexShader = shader.vertexShader.replace('void main() {', `${skin_part}\nvoid main() {`)
		.replace('#include <beginnormal_vertex>', '#include <beginnormal_vertex>\nvec3 skinned_place = position;\nskin(skinned_place, objectNormal);')
		.replace('#include <begin_vertex>', 'vec3 transformed = skinned_place;');
	// the page's colors are encoded, those of materials are light
	shader.fragmentShader = shader.fragmentShader.replace('#include <colorspace_fragment>', 'gl_FragColor = sRGBTransferOETF(gl_FragColor);')
		.replace('#include <lights_fragment_maps>', `#include <lights_fragment_maps>${surroundings}`);
}

/** Puts the skinning into one of three's standard materials; shared: null where it is there. */
export function skin_standard(material, shared, { sets, dual = false }) {
	const defines = { STANDARD: '', ...(sets > 1 ? { EIGHT: 1 } : {}), ...(dual ? { DUAL: 1 } : {}) };
	if (shared) {
		material.onBeforeCompile = (shader) => {
			Object.assign(shader.uniforms, shared);
			add_skin(shader);
		};
		material.customProgramCacheKey = () => 'skin';
	} else if (['EIGHT', 'DUAL'].every((name) => material.defines[name] === defines[name])) return;
	material.defines = defines;
	material.needsUpdate = true;
}

/** The material that writes positions into pixels. */
export function places_material(shared, variant, width, height) {
	return new THREE.ShaderMaterial({
		glslVersion: THREE.GLSL3, vertexShader: places_vertex, fragmentShader: places_fragment, depthTest: false, depthWrite: false,
		blending: THREE.NoBlending, defines: defines_of(variant),
		uniforms: { ...shared, places_width: { value: width }, places_height: { value: height } },
	});
}
