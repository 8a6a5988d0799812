/* samples/creatures.c: the creatures themselves: tables of bones and flesh, and three that are
   counted out by a loop.

   Place in the path: ossa_sample_kind -> creature. Y is up, creatures look along +Z, their left is
   +X; about 1.5 units tall or long. Names that end in "-l" stand for two: the right side is
   mirrored. */
#include "samples/arms.h"
#include "samples/creature_rows.h"
#include "samples/machines.h"
#include "samples/face.h"
#include "samples/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static const bone_row biped_bones[] = {
	{"hips", NULL, {0, 0.959, -0.008}, {0}, BALL(-8, 14, -20, 20, -6, 6)},
	{"spine", "hips", {0, 1.08, 0}, {0}, BALL(-10, 22, -14, 14, -8, 8)},
	{"chest", "spine", {0, 1.22, -0.01}, {0}, BALL(-10, 20, -16, 16, -8, 8)},
	{"neck", "chest", {0, 1.45, -0.018}, {0}, BALL(-14, 18, -20, 20, -8, 8)},
	{"head", "neck", {0, 1.615, 0.003}, {0, 1.87, 0.02}, BALL(-18, 22, -35, 35, -12, 12)},
	{"upperarm-l", "chest", {0.185, 1.395, -0.015}, {0}, BALL(-60, 35, -25, 25, -35, 40)},
	{"forearm-l", "upperarm-l", {0.395, 1.215, -0.02}, {0}, HINGE(-0.67, -0.742, 0, 0, 105)},
	{"hand-l", "forearm-l", {0.58, 1.045, 0}, {0.715, 0.92, 0.02}, BALL(-22, 22, -10, 10, -28, 28)},
	{"thigh-l", "hips", {0.1, 0.905, 0}, {0}, BALL(-65, 28, -14, 14, -4, 22)},
	{"shin-l", "thigh-l", {0.122, 0.50, 0.012}, {0}, HINGE(1, 0, 0, 0, 90)},
	{"foot-l", "shin-l", {0.14, 0.095, -0.02}, {0}, BALL(-22, 30, -8, 8, -8, 8)},
	{"toe-l", "foot-l", {0.155, 0.038, 0.115}, {0.16, 0.035, 0.205}, HINGE(1, 0, 0, -38, 4)},
};
static const limb_row biped_limbs[] = {
	{"hips spine chest", 0, FLAT(1, 1, 0.74),
		{{0, 0.91, -0.005, 0.135}, {0, 0.985, -0.005, 0.146}, {0, 1.09, 0, 0.134}, {0, 1.22, 0.005, 0.146}, {0, 1.32, 0, 0.154},
			{0, 1.39, -0.01, 0.085}}},
	{"chest", 0.05, PAIR(1, 1, 1), {{0.08, 1.325, 0.055, 0.07}, {0.10, 1.345, 0.05, 0.065}}},
	{"chest neck head", 0.05, ROUND,
		{{0, 1.34, -0.03, 0.07}, {0, 1.45, -0.02, 0.056}, {0, 1.53, -0.012, 0.05}, {0, 1.595, -0.005, 0.05},
			{0, 1.64, 0, 0.06}}},
	{"head", 0.04, FLAT(0.88, 1, 1), {{0, 1.705, 0.028, 0.085}, {0, 1.765, 0.008, 0.11}}},
	{"head", 0.02, ROUND, {{0, 1.693, 0.121, 0.014}, {0, 1.723, 0.117, 0.01}}},
	{"head", 0.015, PAIR(0.6, 1, 1), {{0.096, 1.715, -0.005, 0.016}, {0.1, 1.74, -0.013, 0.02}}},
	{"chest upperarm-l forearm-l hand-l", 0.07, ROUND,
		{{0.085, 1.40, -0.02, 0.07}, {0.185, 1.395, -0.015, 0.072}, {0.29, 1.312, -0.018, 0.056}, {0.395, 1.215, -0.02, 0.043},
			{0.455, 1.16, -0.015, 0.046}, {0.58, 1.045, 0, 0.032}, {0.645, 0.985, 0.005, 0.032}}},
	{"hand-l", 0.025, ROUND, {{0.64, 0.988, 0.03, 0.025}, {0.69, 0.938, 0.038, 0.021}, {0.718, 0.893, 0.036, 0.016}}},
	{"hand-l", 0.02, ROUND, {{0.64, 0.988, 0.004, 0.026}, {0.70, 0.93, 0.01, 0.021}, {0.731, 0.882, 0.012, 0.016}}},
	{"hand-l", 0.02, ROUND, {{0.635, 0.99, -0.02, 0.024}, {0.685, 0.932, -0.02, 0.02}, {0.711, 0.891, -0.017, 0.015}}},
	{"hand-l", 0.02, ROUND, {{0.632, 0.992, 0.03, 0.024}, {0.645, 0.967, 0.07, 0.02}, {0.657, 0.938, 0.092, 0.016}}},
	{"hips thigh-l shin-l foot-l", 0.07, ROUND,
		{{0.075, 0.965, -0.005, 0.105}, {0.1, 0.905, 0, 0.1}, {0.115, 0.72, 0.012, 0.08}, {0.122, 0.50, 0.012, 0.054},
			{0.128, 0.385, -0.008, 0.057}, {0.14, 0.13, -0.02, 0.034}, {0.141, 0.06, -0.025, 0.036}}},
	{"foot-l toe-l", 0.04, FLAT(1.1, 0.9, 1),
		{{0.14, 0.04, -0.045, 0.04}, {0.147, 0.05, 0.04, 0.044}, {0.155, 0.038, 0.115, 0.042}, {0.158, 0.03, 0.185, 0.03}}},
};

static const bone_row quadruped_bones[] = {
	{"spine-2", NULL, {0, 0.757, 0.07}, {0}, BALL(-8, 12, -14, 14, -4, 4)},
	{"spine-1", "spine-2", {0, 0.84, -0.02}, {0}, BALL(-12, 12, -12, 12, -4, 4)},
	{"hips", "spine-1", {0, 0.85, -0.22}, {0}, BALL(-14, 10, -12, 12, -4, 4)},
	{"chest", "spine-2", {0, 0.84, 0.17}, {0}, BALL(-12, 12, -12, 12, -4, 4)},
	{"neck-1", "chest", {0, 0.92, 0.40}, {0}, BALL(-14, 22, -18, 18, -5, 5)},
	{"neck-2", "neck-1", {0, 1.04, 0.52}, {0}, BALL(-14, 18, -18, 18, -5, 5)},
	{"head", "neck-2", {0, 1.155, 0.62}, {0, 1.09, 0.93}, BALL(-18, 28, -25, 25, -14, 14)},
	{"tail-1", "hips", {0, 0.835, -0.595}, {0}, BALL(-25, 30, -25, 25, -6, 6)},
	{"tail-2", "tail-1", {0, 0.75, -0.715}, {0}, BALL(-22, 28, -25, 25, -8, 8)},
	{"tail-3", "tail-2", {0, 0.635, -0.79}, {0}, BALL(-20, 28, -15, 15, -25, 25)},
	{"tail-4", "tail-3", {0, 0.505, -0.83}, {0, 0.36, -0.85}, BALL(-20, 28, -15, 15, -25, 25)},
	{"upperarm-l", "chest", {0.125, 0.75, 0.345}, {0}, BALL(-38, 34, -8, 8, -4, 14)},
	{"forearm-l", "upperarm-l", {0.15, 0.55, 0.265}, {0}, HINGE(1, 0, 0, -62, 14)},
	{"wrist-l", "forearm-l", {0.15, 0.255, 0.295}, {0}, HINGE(1, 0, 0, 0, 65)},
	{"forepaw-l", "wrist-l", {0.15, 0.085, 0.29}, {0.15, 0.035, 0.40}, BALL(-15, 45, -8, 8, -10, 10)},
	{"thigh-l", "hips", {0.115, 0.765, -0.42}, {0}, BALL(-38, 30, -8, 8, -4, 14)},
	{"shin-l", "thigh-l", {0.15, 0.535, -0.315}, {0}, HINGE(1, 0, 0, -14, 55)},
	{"hock-l", "shin-l", {0.15, 0.295, -0.52}, {0}, HINGE(1, 0, 0, -50, 12)},
	{"hindpaw-l", "hock-l", {0.15, 0.085, -0.475}, {0.15, 0.035, -0.36}, BALL(-15, 45, -8, 8, -10, 10)},
};
static const limb_row quadruped_limbs[] = {
	{"hips spine-1 spine-2 chest", 0, FLAT(0.84, 1, 1),
		{{0, 0.80, -0.49, 0.11}, {0, 0.80, -0.38, 0.15}, {0, 0.80, -0.22, 0.136}, {0, 0.785, -0.02, 0.15},
			{0, 0.765, 0.17, 0.185}, {0, 0.79, 0.33, 0.165}, {0, 0.83, 0.40, 0.12}}},
	{"chest neck-1 neck-2 head", 0.09, ROUND,
		{{0, 0.83, 0.28, 0.14}, {0, 0.91, 0.40, 0.125}, {0, 1.035, 0.52, 0.098}, {0, 1.14, 0.61, 0.09},
			{0, 1.155, 0.66, 0.092}}},
	{"head", 0.05, FLAT(0.92, 1, 1),
		{{0, 1.145, 0.68, 0.088}, {0, 1.12, 0.76, 0.066}, {0, 1.095, 0.87, 0.05}, {0, 1.085, 0.905, 0.042}}},
	{"head", 0.02, ROUND, {{0, 1.115, 0.94, 0.018}, {0, 1.113, 0.945, 0.018}}},
	{"head", 0.03, PAIR(1, 1, 0.7), {{0.05, 1.195, 0.635, 0.042}, {0.078, 1.265, 0.62, 0.03}, {0.1, 1.325, 0.615, 0.01}}},
	{"hips tail-1 tail-2 tail-3 tail-4", 0.05, ROUND,
		{{0, 0.84, -0.50, 0.07}, {0, 0.835, -0.595, 0.046}, {0, 0.75, -0.715, 0.042}, {0, 0.635, -0.79, 0.052},
			{0, 0.505, -0.83, 0.054}, {0, 0.425, -0.845, 0.038}, {0, 0.37, -0.85, 0.016}}},
	{"chest upperarm-l forearm-l wrist-l forepaw-l", 0.08, ROUND,
		{{0.085, 0.86, 0.30, 0.10}, {0.12, 0.75, 0.335, 0.105}, {0.144, 0.64, 0.30, 0.078}, {0.15, 0.55, 0.267, 0.062},
			{0.15, 0.43, 0.277, 0.05}, {0.15, 0.255, 0.295, 0.038}, {0.15, 0.15, 0.297, 0.033}, {0.15, 0.07, 0.295, 0.036}}},
	{"forepaw-l", 0.03, FLAT(1, 0.9, 1), {{0.15, 0.046, 0.30, 0.044}, {0.15, 0.04, 0.362, 0.042}}},
	{"hips thigh-l shin-l hock-l hindpaw-l", 0.09, ROUND,
		{{0.075, 0.835, -0.42, 0.12}, {0.115, 0.755, -0.405, 0.122}, {0.135, 0.64, -0.36, 0.1}, {0.15, 0.535, -0.325, 0.07},
			{0.15, 0.43, -0.40, 0.052}, {0.15, 0.315, -0.50, 0.037}, {0.15, 0.275, -0.518, 0.035}, {0.15, 0.17, -0.492, 0.031},
			{0.15, 0.07, -0.47, 0.036}}},
	{"hindpaw-l", 0.03, FLAT(1, 0.9, 1), {{0.15, 0.044, -0.465, 0.042}, {0.15, 0.04, -0.402, 0.041}}},
};

/* Middle and ring finger are equally long and bend by the same angles in every frame, but each
   about its own line, seven degrees apart: nearly one motion, as in a hand that grips. */
static const bone_row hand_bones[] = {
	{"palm", NULL, {-0.004, 0.138, 0}, {0}, BALL(-20, 20, -14, 14, -14, 14)},
	{"index-1", "palm", {0.172, 0.485, 0.005}, {0}, BALL(-8, 70, -4, 4, -12, 8)},
	{"index-2", "index-1", {0.208, 0.687, 0.005}, {0}, HINGE(0.985, -0.173, 0, 0, 90)},
	{"index-3", "index-2", {0.233, 0.83, 0.005}, {0.251, 0.933, 0.005}, HINGE(0.985, -0.173, 0, 0, 55)},
	{"middle-1", "palm", {0.045, 0.515, 0.005}, {0}, HINGE(1, 0, 0, -8, 75)},
	{"middle-2", "middle-1", {0.045, 0.735, 0.005}, {0}, HINGE(1, 0, 0, 0, 90)},
	{"middle-3", "middle-2", {0.045, 0.89, 0.005}, {0.045, 1.0, 0.005}, HINGE(1, 0, 0, 0, 55)},
	{"ring-1", "palm", {-0.100, 0.510, 0.005}, {0}, HINGE_LIKE(0.9925, 0.1219, 0, -8, 75, "middle-1")},
	{"ring-2", "ring-1", {-0.127, 0.728, 0.005}, {0}, HINGE_LIKE(0.9925, 0.1219, 0, 0, 90, "middle-2")},
	{"ring-3", "ring-2", {-0.146, 0.882, 0.005}, {-0.159, 0.991, 0.005}, HINGE_LIKE(0.9925, 0.1219, 0, 0, 55, "middle-3")},
	{"little-1", "palm", {-0.231, 0.435, 0.005}, {0}, BALL(-8, 72, -4, 4, -8, 14)},
	{"little-2", "little-1", {-0.279, 0.588, 0.005}, {0}, HINGE(0.954, 0.299, 0, 0, 90)},
	{"little-3", "little-2", {-0.310, 0.688, 0.005}, {-0.336, 0.773, 0.005}, HINGE(0.954, 0.299, 0, 0, 55)},
	{"thumb-1", "palm", {0.165, 0.12, 0.05}, {0}, BALL(-15, 25, -25, 15, -8, 25)},
	{"thumb-2", "thumb-1", {0.30, 0.245, 0.10}, {0}, HINGE(0.35, -0.2, -0.9, -50, 8)},
	{"thumb-3", "thumb-2", {0.385, 0.355, 0.125}, {0.44, 0.445, 0.14}, HINGE(0.35, -0.2, -0.9, -60, 8)},
};
static const limb_row hand_limbs[] = {
	{"palm", 0, FLAT(1, 1, 0.72),
		{{0, -0.2, -0.005, 0.118}, {0, -0.1, -0.005, 0.112}, {0, 0.0, 0, 0.12}, {0.02, 0.12, 0, 0.14}}},
	{"palm", 0.09, FLAT(1, 1, 0.8), {{0.05, 0.08, 0, 0.1}, {0.14, 0.41, 0, 0.068}}},
	{"palm", 0.08, FLAT(1, 1, 0.8), {{0, 0.08, 0, 0.1}, {0.04, 0.44, 0, 0.066}}},
	{"palm", 0.08, FLAT(1, 1, 0.8), {{-0.03, 0.08, 0, 0.1}, {-0.07, 0.43, 0, 0.066}}},
	{"palm", 0.08, FLAT(1, 1, 0.85), {{-0.07, 0.08, 0, 0.09}, {-0.17, 0.36, 0, 0.064}}},
	{"palm index-1 index-2 index-3", 0.03, ROUND,
		{{0.155, 0.39, 0, 0.062}, {0.172, 0.485, 0.005, 0.052}, {0.192, 0.595, 0.003, 0.045}, {0.208, 0.687, 0.005, 0.046},
			{0.222, 0.765, 0.003, 0.04}, {0.233, 0.83, 0.005, 0.04}, {0.243, 0.887, 0.005, 0.035}}},
	{"palm middle-1 middle-2 middle-3", 0.025, ROUND,
		{{0.043, 0.41, 0, 0.062}, {0.045, 0.515, 0.005, 0.051}, {0.045, 0.635, 0.003, 0.045}, {0.045, 0.735, 0.005, 0.046},
			{0.045, 0.82, 0.003, 0.041}, {0.045, 0.89, 0.005, 0.041}, {0.045, 0.955, 0.005, 0.036}}},
	{"palm ring-1 ring-2 ring-3", 0.025, ROUND,
		{{-0.085, 0.41, 0, 0.06}, {-0.100, 0.510, 0.005, 0.05}, {-0.115, 0.629, 0.003, 0.044}, {-0.127, 0.728, 0.005, 0.045},
			{-0.137, 0.813, 0.003, 0.04}, {-0.146, 0.882, 0.005, 0.04}, {-0.154, 0.947, 0.005, 0.035}}},
	{"palm little-1 little-2 little-3", 0.025, ROUND,
		{{-0.199, 0.35, 0, 0.056}, {-0.231, 0.435, 0.005, 0.046}, {-0.258, 0.52, 0.003, 0.04}, {-0.279, 0.588, 0.005, 0.04},
			{-0.296, 0.643, 0.003, 0.036}, {-0.310, 0.688, 0.005, 0.036}, {-0.324, 0.736, 0.005, 0.031}}},
	{"palm thumb-1 thumb-2 thumb-3", 0.07, ROUND,
		{{0.08, 0.06, 0.03, 0.085}, {0.165, 0.12, 0.05, 0.085}, {0.24, 0.19, 0.08, 0.07}, {0.30, 0.245, 0.10, 0.058},
			{0.345, 0.303, 0.113, 0.052}, {0.385, 0.355, 0.125, 0.052}, {0.418, 0.41, 0.135, 0.043}}},
};

static const bone_row tube_bones[] = {
	{"tube-2", NULL, {0, 0.592, 0}, {0}, BALL(-15, 15, -15, 15, -15, 15)},
	{"tube-1", "tube-2", {0, 0.4, 0}, {0, -0.1, 0}, BALL(-40, 40, 0, 0, -40, 40)},
	{"tube-3", "tube-2", {0, 0.8, 0}, {0}, BALL(-40, 40, 0, 0, -40, 40)},
	{"tube-4", "tube-3", {0, 1.2, 0}, {0, 1.6, 0}, BALL(-40, 40, 0, 0, -40, 40)},
};
static const limb_row tube_limbs[] = {
	{"tube-1 tube-2 tube-3 tube-4", 0, ROUND,
		{{0, 0.05, 0, 0.15}, {0, 0.55, 0, 0.132}, {0, 1.05, 0, 0.115}, {0, 1.55, 0, 0.096}}},
};

/* A robot: closed pieces, rigid but for the bellows of its waist. A row without blend starts a
   piece. */
static const bone_row pieces_bones[] = {
	{"hips", NULL, {0, 0.907, 0}, {0}, BALL(-8, 14, -20, 20, -6, 6)},
	{"spine", "hips", {0, 1.01, 0}, {0}, BALL(-10, 20, -14, 14, -8, 8)},
	{"chest", "spine", {0, 1.12, 0}, {0}, BALL(-10, 18, -16, 16, -8, 8)},
	{"head", "chest", {0, 1.49, 0}, {0, 1.85, 0}, BALL(-18, 22, -45, 45, -12, 12)},
	{"upperarm-l", "chest", {0.285, 1.385, 0}, {0}, BALL(-65, 35, -25, 25, -25, 40)},
	{"forearm-l", "upperarm-l", {0.41, 1.18, 0}, {0}, HINGE(-0.854, -0.52, 0, 0, 105)},
	{"hand-l", "forearm-l", {0.545, 0.965, 0.02}, {0.61, 0.85, 0.03}, BALL(-25, 25, -15, 15, -25, 25)},
	{"thigh-l", "hips", {0.115, 0.86, 0}, {0}, BALL(-60, 28, -12, 12, -2, 18)},
	{"shin-l", "thigh-l", {0.13, 0.5, 0.01}, {0}, HINGE(1, 0, 0, 0, 85)},
	{"foot-l", "shin-l", {0.14, 0.12, -0.01}, {0.145, 0.04, 0.2}, BALL(-20, 28, -8, 8, -8, 8)},
};
static const limb_row pieces_limbs[] = {
	{"hips", 0, BOX(0.155, 0.075, 0.105), {{0, 0.90, 0, 0.035}}},
	{"hips spine chest", 0, FLAT(1.2, 1, 0.9),
		{{0, 0.93, 0, 0.08}, {0, 1.01, 0, 0.076}, {0, 1.12, 0, 0.076}, {0, 1.2, 0, 0.08}}},
	{"chest", 0, BOX(0.215, 0.155, 0.135), {{0, 1.315, 0, 0.06}}},
	{"chest", 0.01, FLAT(1, 1, 0.6), {{-0.07, 1.36, 0.137, 0.03}, {0.07, 1.36, 0.137, 0.03}}},
	{"head", 0, BOX(0.135, 0.115, 0.125), {{0, 1.645, 0, 0.055}}},
	{"head", 0.02, ROUND, {{0, 1.48, 0, 0.05}, {0, 1.56, 0, 0.05}}},
	{"head", 0.01, ROUND, {{0, 1.74, 0, 0.016}, {0, 1.83, 0, 0.012}, {0, 1.85, 0, 0.026}, {0, 1.86, 0, 0.026}}},
	{"head", 0.01, PAIR(1, 1, 1), {{0.055, 1.665, 0.118, 0.036}}},
	{"head", 0.01, PAIR(1, 1, 1), {{0.13, 1.645, 0, 0.04}, {0.155, 1.645, 0, 0.032}}},
	{"upperarm-l", 0, ROUND, {{0.285, 1.385, 0, 0.088}, {0.31, 1.345, 0, 0.052}, {0.395, 1.205, 0, 0.045}}},
	{"forearm-l", 0, ROUND, {{0.415, 1.17, 0, 0.058}, {0.455, 1.11, 0.005, 0.05}, {0.525, 0.995, 0.017, 0.066}}},
	{"hand-l", 0, ROUND, {{0.555, 0.945, 0.022, 0.05}, {0.595, 0.875, 0.028, 0.046}}},
	{"hand-l", 0.015, ROUND, {{0.565, 0.93, 0.06, 0.024}, {0.575, 0.90, 0.09, 0.02}}},
	{"thigh-l", 0, ROUND, {{0.115, 0.86, 0, 0.088}, {0.122, 0.74, 0.003, 0.07}, {0.128, 0.56, 0.008, 0.062}}},
	{"shin-l", 0, ROUND, {{0.13, 0.5, 0.012, 0.07}, {0.133, 0.42, 0.008, 0.06}, {0.139, 0.18, -0.008, 0.088}}},
	{"foot-l", 0, BOX(0.075, 0.055, 0.13), {{0.142, 0.058, 0.055, 0.04}}},
};

/* A jacket: one layer of cloth, open at waist, neck and cuffs. */
static const bone_row open_bones[] = {
	{"chest", NULL, {0, 1.356, -0.003}, {0}, BALL(-8, 14, -16, 16, -6, 6)},
	{"spine", "chest", {0, 1.18, 0}, {0}, BALL(-20, 10, -18, 18, -10, 10)},
	{"hips", "spine", {0, 1.02, 0}, {0, 0.70, 0}, BALL(-22, 10, -16, 16, -10, 10)},
	{"upperarm-l", "chest", {0.195, 1.385, -0.01}, {0}, BALL(-35, 30, -40, 25, -60, 30)},
	{"forearm-l", "upperarm-l", {0.43, 1.335, -0.01}, {0.68, 1.285, 0.01}, HINGE(-0.2, -0.98, 0, 0, 100)},
};
static const limb_row open_limbs[] = {
	{"hips spine chest", 0, FLAT(1, 1, 0.72),
		{{0, 0.70, 0, 0.20}, {0, 0.84, 0, 0.198}, {0, 0.95, 0, 0.186}, {0, 1.08, 0, 0.172}, {0, 1.25, 0, 0.18},
			{0, 1.35, 0, 0.168}, {0, 1.41, -0.005, 0.11}}},
	{"chest", 0.07, ROUND, {{0, 1.36, -0.01, 0.1}, {0, 1.47, -0.005, 0.078}, {0, 1.62, 0.01, 0.086}}},
	{"chest upperarm-l forearm-l", 0.09, ROUND,
		{{0.09, 1.395, -0.01, 0.09}, {0.195, 1.385, -0.01, 0.092}, {0.31, 1.36, -0.01, 0.078}, {0.43, 1.335, -0.01, 0.068},
			{0.55, 1.31, -0.002, 0.066}, {0.66, 1.29, 0.008, 0.06}, {0.76, 1.27, 0.016, 0.066}}},
};
static const creature_cut open_cuts[] = {{1, 0.83, -1}, {1, 1.525, 1}, {0, 0.665, 1}, {0, -0.665, -1}};

/* ---- counted out ---- */

/* eight arms of four bones around a mantle */
static void build_octopus(ossai_creature *creature)
{
	enum { ARMS = 8, ARM_BONES = 4, ARM_POINTS = 10 };
	static const bone_row mantle = {"mantle", NULL, {0, 0.717, -0.076}, {0}, BALL(-14, 14, -20, 20, -10, 10)};
	static const limb_row head[] = {
		{"mantle", 0, ROUND, {{0, 0.44, 0.03, 0.17}, {0, 0.58, 0.01, 0.18}, {0, 0.80, -0.09, 0.27}, {0, 1.0, -0.21, 0.20}}},
		{"mantle", 0.04, PAIR(1, 1, 1), {{0.13, 0.60, 0.14, 0.075}}},
	};
	// distance from the axis, height, radius; every other point from the second on is a joint
	static const double curve[ARM_POINTS][3] = {{0.06, 0.47, 0.12}, {0.16, 0.35, 0.112}, {0.28, 0.235, 0.093},
		{0.41, 0.16, 0.08}, {0.56, 0.105, 0.069}, {0.71, 0.075, 0.059}, {0.85, 0.07, 0.05}, {0.99, 0.09, 0.041},
		{1.13, 0.14, 0.031}, {1.24, 0.215, 0.018}};
	ossai_creature_add_bone(creature, &mantle, false);
	ossai_creature_add_limbs(creature, head, 2, false);
	for (int arm = 0; arm < ARMS; arm++) {
		const double angle = OSSAI_PI * (arm + 0.5) / 4;
		const ossai_vec3 out = ossai_v3(sin(angle), 0, cos(angle)), up = ossai_v3(0, 1, 0);
		creature_limb *limb = &creature->limbs[creature->limb_count++];
		*limb = (creature_limb){.point_count = ARM_POINTS, .flat = {1, 1, 1}, .blend = 0.07};
		limb->bones[limb->bone_count++] = 0;
		for (int i = 0; i < ARM_POINTS; i++) {
			limb->points[i] = ossai_madd(ossai_scale(out, curve[i][0]), curve[i][1], up);
			limb->radii[i] = curve[i][2];
		}
		for (int i = 0; i < ARM_BONES; i++) {
			const int index = creature->bone_count++;
			creature_bone *bone = &creature->bones[index];
			*bone = (creature_bone){.parent = i > 0 ? index - 1 : 0,
				.kind = OSSA_JOINT_BALL,
				.like = index,
				.joint = limb->points[2 * i + 1],
				.tail = limb->points[ARM_POINTS - 1],
				.axes = {ossai_cross(out, up), up, out},
				.low = {-16, -26, 0},
				.high = {34, 26, 0}};
			snprintf(bone->name, sizeof bone->name, "arm-%d-%d", arm + 1, i + 1);
			limb->bones[limb->bone_count++] = index;
		}
	}
}

/* where the snake's spine is, `s` from 0 at the tip of the tail to 1 at the snout */
static ossai_vec3 snake_spine(double s, double radius)
{
	const double sway = 0.18 * sin(3 * OSSAI_PI * s) * (1 - s * s * s);
	return ossai_v3(sway, radius, -1.1 + 2.2 * s);
}

/* five bones forward and six backward from the body's middle */
static void build_snake(ossai_creature *creature)
{
	enum { BONES = 12, ROOT = 6 };
	static const double radii[BONES + 1] = {
		0.014, 0.044, 0.068, 0.086, 0.099, 0.107, 0.11, 0.108, 0.102, 0.092, 0.078, 0.064, 0.056};
	creature_limb *limb = &creature->limbs[creature->limb_count++];
	*limb = (creature_limb){.bone_count = BONES, .point_count = BONES + 1, .flat = {1, 0.88, 1}};
	for (int i = 0; i <= BONES; i++) {
		limb->points[i] = snake_spine((double)i / BONES, radii[i]);
		limb->radii[i] = radii[i];
	}
	for (int i = 0; i < BONES; i++) {
		// the root, forward to the head, then backward to the tail: `segment` is where along the limb
		const int segment = i < BONES - ROOT ? ROOT + i : BONES - 1 - i, near_end = segment < ROOT ? segment + 1 : segment;
		creature_bone *bone = &creature->bones[creature->bone_count];
		*bone = (creature_bone){.kind = i ? OSSA_JOINT_BALL : OSSA_JOINT_ROOT,
			.like = i,
			.parent = i == BONES - ROOT ? 0 : i - 1,
			.joint = limb->points[near_end],
			.tail = limb->points[segment < ROOT ? segment : segment + 1],
			.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
			.low = {-8, -26, -3},
			.high = {10, 26, 3}};
		const char *part = segment == ROOT ? "body" : segment == BONES - 1 ? "head" : segment > ROOT ? "neck" : "tail";
		if (segment == ROOT || segment == BONES - 1) snprintf(bone->name, sizeof bone->name, "%s", part);
		else snprintf(bone->name, sizeof bone->name, "%s-%d", part, abs(segment - ROOT));
		limb->bones[segment] = creature->bone_count++;
	}
	creature->bones[0].joint = ossai_v3(-0.146, 0.11, 0.095);
	static const limb_row head[] = {
		{"head", 0.05, FLAT(1, 0.62, 1), {{0, 0.11, 0.95, 0.075}, {0, 0.115, 1.0, 0.1}, {0, 0.105, 1.14, 0.06}}},
		{"head", 0.015, PAIR(1, 1, 1), {{0.072, 0.118, 1.055, 0.027}}},
	};
	ossai_creature_add_limbs(creature, head, 2, false);
}

void ossai_creature_build(int kind, ossai_creature *creature)
{
	memset(creature, 0, sizeof *creature);
	switch ((ossa_sample_kind)kind) {
	case OSSA_SAMPLE_TUBE: ADD_TABLES(creature, tube, false); break;
	case OSSA_SAMPLE_BIPED: ADD_TABLES(creature, biped, false); break;
	case OSSA_SAMPLE_QUADRUPED: ADD_TABLES(creature, quadruped, false); break;
	case OSSA_SAMPLE_HAND: ADD_TABLES(creature, hand, false); break;
	case OSSA_SAMPLE_OCTOPUS: build_octopus(creature); break;
	case OSSA_SAMPLE_SNAKE: build_snake(creature); break;
	case OSSA_SAMPLE_PIECES: ADD_TABLES(creature, pieces, true); break;
	case OSSA_SAMPLE_GIMBALS: ossai_gimbals_build(creature); break;
	case OSSA_SAMPLE_MACHINE: ossai_machine_build(creature); break;
	case OSSA_SAMPLE_FACE: ossai_face_build(creature); break;
	case OSSA_SAMPLE_SLIDES: ossai_slides_build(creature); break;
	case OSSA_SAMPLE_LINKAGE: ossai_linkage_build(creature); break;
	case OSSA_SAMPLE_ARMS: ossai_arms_build(creature); break;
	case OSSA_SAMPLE_OPEN:
		ADD_TABLES(creature, open, false);
		creature->cut_count = sizeof open_cuts / sizeof open_cuts[0];
		memcpy(creature->cuts, open_cuts, sizeof open_cuts);
		break;
	}
	ossai_creature_place_tails(creature);
}
