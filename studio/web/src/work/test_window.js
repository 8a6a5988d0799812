/** What tests see of the page as `window.ossa`: numbers to compare with the library's. */

import { reach } from '../rig/ik.js';
import { pick_bone } from '../view/pick.js';
import { Pose, random_pose } from '../rig/pose.js';

export const test_window = (app) => ({
	app, Pose, pick_bone, random_pose, reach,
	/** the posed vertices as the GPU has them, in the mesh's units */
	readPositions: () => app.display.view.surface.read_places(app.viewport.renderer),
	/** B x 12, rows of [R | t] in the mesh's units */
	jointMatrices: () => app.posing.world.turns.map(([x, y, z, w], b) => {
		const t = app.posing.world.places[b];
		return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t[0], 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t[1],
			2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t[2]];
	}),
	pose: () => ({ rotations: app.posing.pose.rotations, root: app.posing.pose.root }),
});
