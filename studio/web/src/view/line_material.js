/** Lines of one color: three's own can do much more, and takes longer to compile. */
import * as THREE from 'three';

const vertex_shader = 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }';
const fragment_shader = 'uniform vec3 line_color; uniform float opacity; out vec4 color; void main() { color = vec4(line_color, opacity); }';

export const line_material = (color, opacity = 1) => new THREE.ShaderMaterial({
	glslVersion: THREE.GLSL3, vertexShader: vertex_shader, fragmentShader: fragment_shader, transparent: true,
	uniforms: { line_color: { value: color }, opacity: { value: opacity } },
});
