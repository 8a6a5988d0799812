/**
 * Which mode is on: posing, editing the skeleton, painting faces, setting landmarks. Topics:
 * "mode".
 */
import { Signal } from '../base/signal.js';

const HINTS = {
	pose: 'R turn  ·  G pull (IK)  ·  alt R reset  ·  drag or middle button: orbit  ·  Home: show all  ·  ?: all keys',
	edit: 'G move joint  ·  A add  ·  S split  ·  X remove  ·  M merge  ·  P parent  ·  F2 rename  ·  ?: all keys',
	landmarks: 'drag a landmark to where it is: the rig is made again with it  ·  ctrl Z undo  ·  Esc leaves',
	paint: 'drag paints faces for the chosen bone  ·  ctrl drag erases  ·  [ ] size  ·  Enter confirms  ·  Esc leaves',
};

export class Mode extends Signal {
	name = 'pose';

	get hint() { return HINTS[this.name]; }

	set(name) {
		if (name === this.name) return;
		this.name = name;
		this.emit('mode', name);
	}
}
