/** All keys of the page. */

export function add_keys(app) {
	const { acts, posing, selection, look, mode, display } = app, { orbit } = app.viewport;
	const has_rig = () => app.session.rig?.bone_count > 0, chosen = () => has_rig() && selection.bones.size > 0, all = () => app.session.rig.bones.map((_, b) => b);
	const view = (keys, what, yaw, pitch) => ({ keys, group: 'View', what, act: () => orbit.look(yaw, pitch) });
	app.keys.add(
		{ keys: ['r'], group: 'Pose', what: 'turn chosen bones (then X Y Z, numbers)', act: () => acts.turn(), when: () => chosen() && mode.name === 'pose' },
		{ keys: ['alt+r'], group: 'Pose', what: 'chosen bones back to rest', act: () => posing.reset([...selection.bones]), when: chosen },
		{ keys: ['alt+shift+r'], group: 'Pose', what: 'all bones back to rest', act: () => posing.reset(), when: has_rig },
		{ keys: ['ctrl+z'], group: 'All', what: 'undo', act: () => posing.undo(), when: () => posing.can_undo },
		{ keys: ['ctrl+shift+z', 'ctrl+y'], group: 'All', what: 'redo', act: () => posing.redo(), when: () => posing.can_redo },
		{ keys: ['a'], group: 'Choose', what: 'all bones, or none', act: () => selection.set(selection.bones.size === all().length ? [] : all()), when: () => has_rig() && mode.name === 'pose' },
		{ keys: ['escape'], group: 'Choose', what: 'none; ends what goes on', act: () => selection.set([]), when: has_rig },
		{ keys: ['.', 'num.', 'f'], group: 'View', what: 'show what is chosen', act: () => display.frame_chosen() },
		{ keys: ['home'], group: 'View', what: 'show all', act: () => display.frame_all() },
		view(['num1', 'alt+1'], 'from the front', 0, 0), view(['num3', 'alt+3'], 'from its left', Math.PI / 2, 0), view(['num7', 'alt+7'], 'from above', 0, Math.PI / 2),
		{ keys: ['num5', 'alt+5'], group: 'View', what: 'with perspective, or without', act: () => look.toggle('flat') },
		{ keys: ['z'], group: 'View', what: 'edges', act: () => look.toggle('wire') },
		{ keys: ['alt+z'], group: 'View', what: 'x-ray', act: () => look.toggle('xray') },
		{ keys: ['b'], group: 'View', what: 'skeleton', act: () => look.toggle('bones') },
		{ keys: ['1'], group: 'Modes', what: 'pose', act: () => mode.set('pose') },
		{ keys: ['2'], group: 'Modes', what: 'edit', act: () => mode.set('edit') },
		{ keys: ['3'], group: 'Modes', what: 'paint', act: () => mode.set('paint') },
		{ keys: ['ctrl+o'], group: 'All', what: 'open files', act: () => acts.choose_files(), everywhere: true },
		{ keys: ['?'], group: 'All', what: 'these keys', act: () => acts.help() },
	);
}
