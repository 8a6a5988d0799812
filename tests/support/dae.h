/* tests/support/dae.h: pieces of Collada files as literals, to put whole files together by
   writing them in a row; and reading such files. */
#ifndef OSSA_TEST_DAE_H
#define OSSA_TEST_DAE_H

#include <ossa/ossa.h>

/* What the file of this text holds, asserted to be good. */
ossa_mesh *dae_mesh(ossa_context *context, const char *text);
ossa_rig *dae_rig(ossa_context *context, const char *text);

/* The status of reading it, asserted to give nothing. */
ossa_status dae_fails(ossa_context *context, const char *text);
ossa_status dae_rig_fails(ossa_context *context, const char *text);

#define DAE(body)                                                                                                              \
	"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "             \
	"version=\"1.4.1\">\n" body "</COLLADA>\n"

/* a <source> of numbers */
#define ACCESSOR(id, count, stride) "<accessor source=\"#" id "-array\" count=\"" count "\" stride=\"" stride "\"/>"
#define SOURCE(id, count, stride, numbers)                                                                                     \
	"<source id=\"" id "\"><float_array id=\"" id "-array\">" numbers                                                          \
	"</float_array><technique_common>" ACCESSOR(id, count, stride) "</technique_common></source>\n"
/* a <source> of names: kind is Name, IDREF or SIDREF */
#define WORDS(id, kind, count, words)                                                                                          \
	"<source id=\"" id "\"><" kind "_array id=\"" id "-array\">" words "</" kind                                               \
	"_array><technique_common>" ACCESSOR(id, count, "1") "</technique_common></source>\n"
#define INPUT(semantic, source) "<input semantic=\"" semantic "\" source=\"#" source "\"/>"
#define INPUT_AT(semantic, source, offset) "<input semantic=\"" semantic "\" source=\"#" source "\" offset=\"" offset "\"/>"
#define VERTICES(source) "<vertices id=\"" source "-vertices\">" INPUT("POSITION", source) "</vertices>\n"

/* the one input of faces that have nothing but SOURCE("P", ...) */
#define CORNERS INPUT_AT("VERTEX", "P-vertices", "0")

#define GEOMETRY(id, inner)                                                                                                    \
	"<library_geometries><geometry id=\"" id "\"><mesh>\n" inner "</mesh></geometry></library_geometries>\n"
#define CONTROLLER(id, inner) "<library_controllers><controller id=\"" id "\">\n" inner "</controller></library_controllers>\n"
#define SCENE(nodes)                                                                                                           \
	"<library_visual_scenes><visual_scene id=\"Scene\">\n" nodes "</visual_scene></library_visual_scenes>\n"                   \
	"<scene><instance_visual_scene url=\"#Scene\"/></scene>\n"
#define INSTANCE(id) "<instance_geometry url=\"#" id "\"/>\n"

/* one square in the plane z = 0, from 0 0 to 1 1 */
#define SQUARE_POSITIONS SOURCE("P", "4", "3", "0 0 0 1 0 0 1 1 0 0 1 0")
#define SQUARE_FACE                                                                                                            \
	"<polylist count=\"1\">" INPUT_AT("VERTEX", "P-vertices", "0") "<vcount>4</vcount><p>0 1 2 3</p></polylist>\n"
#define SQUARE GEOMETRY("Square", SQUARE_POSITIONS VERTICES("P") SQUARE_FACE)

#define UNIT_MATRIX "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

/* an <animation> of one channel: times and values of one kind of interpolation */
#define ANIMATION(id, target, count, width, times, values, kinds)                                                              \
	"<animation id=\"" id "\">" SOURCE(id "-in", count, "1", times) SOURCE(id "-out", count, width, values)                    \
		WORDS(id "-kind", "Name", count, kinds) "<sampler id=\"" id "-sampler\">" INPUT("INPUT", id "-in")                     \
			INPUT("OUTPUT", id "-out") INPUT("INTERPOLATION", id "-kind") "</sampler><channel source=\"#" id                   \
																		  "-sampler\" target=\"" target "\"/></animation>\n"

/* the same with tangents of `size` numbers a key */
#define CURVE(id, target, count, size, times, values, kinds, in, out)                                                          \
	"<animation id=\"" id "\">" SOURCE(id "-in", count, "1", times) SOURCE(id "-out", count, "1", values)                      \
		WORDS(id "-kind", "Name", count, kinds) SOURCE(id "-ti", count, size, in)                                              \
			SOURCE(id "-to", count, size, out) "<sampler id=\"" id "-sampler\">" INPUT("INPUT", id "-in")                      \
				INPUT("OUTPUT", id "-out") INPUT("INTERPOLATION", id "-kind") INPUT("IN_TANGENT", id "-ti")                    \
					INPUT("OUT_TANGENT", id "-to") "</sampler><channel source=\"#" id "-sampler\" target=\"" target            \
												   "\"/></animation>\n"
#define ANIMATIONS(inner) "<library_animations>\n" inner "</library_animations>\n"

#endif
