/**
 * The section Body of the panel Rig: what was recognized and how sure that is, the plan to rig by,
 * landmarks.
 */
import { make } from '../base/dom.js';
import { button, row, section } from './fields.js';

/** choices: of the option `body`, or none where no method has it */
export function body_part(app, choices) {
	const { session, plans, mode } = app, { rig } = session.state;
	if (!rig || choices.length === 0) return null;
	const select = make('select', { 'aria-label': 'Body plan', title: 'the body whose bones, names and order the rig has; it is rigged again', onchange: () => plans.set_kind(select.value) },
		choices.map((one) => make('option', { value: one, selected: one === plans.kind }, one)));
	const unsure = rig.bones.filter(({ deviation = 0 }) => deviation > 0);
	const is_human = rig.body?.kind === 'human';
	return section('Body', rig.body ? make('p', { class: 'names body-words' }, rig.body.words) : make('p', { class: 'empty' }, 'No body was recognized; joints follow from the shape.'),
		rig.body && row('Faces', make('span', {}, rig.body.faces)), row('Plan', select),
		unsure.length > 0 && row('Least sure', make('span', {}, least_sure(unsure, session.state.mesh.diagonal))),
		(is_human || plans.has_points) && make('div', { class: 'buttons' },
			button('Landmarks', () => mode.set(mode.name === 'landmarks' ? 'pose' : 'landmarks'), { title: 'drag chin, groin, elbows, wrists and knees to where they are: the joints are found again', 'aria-pressed': String(mode.name === 'landmarks') }),
			plans.has_points && button('Clear them', () => plans.clear_points(), { title: 'rig again without landmarks' })));
}

/** the three joints of the largest deviations */
function least_sure(bones, diagonal) {
	const sorted = [...bones].sort((a, b) => b.deviation - a.deviation).slice(0, 3);
	return sorted.map(({ name, deviation }) => `${name} ${(100 * deviation / diagonal).toFixed(1)} %`).join(', ');
}
