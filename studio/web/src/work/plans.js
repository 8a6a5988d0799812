/**
 * The body plan and the landmarks that the rig was made with, and rigging again with others. Every
 * such rig is a step of the session's history.
 */

/** The landmarks of the library, each with the part and side whose joint it is. */
export const LANDMARKS = Object.freeze([
	{ name: 'chin', part: 'head', side: 0 }, { name: 'groin', part: 'pelvis', side: 0 },
	{ name: 'left-elbow', part: 'lowerarm', side: 1 }, { name: 'right-elbow', part: 'lowerarm', side: -1 },
	{ name: 'left-wrist', part: 'hand', side: 1 }, { name: 'right-wrist', part: 'hand', side: -1 },
	{ name: 'left-knee', part: 'calf', side: 1 }, { name: 'right-knee', part: 'calf', side: -1 },
]);

// methods that take one mesh, and the choice among all
const STILL = ['auto', 'contraction', 'volume'];

const is_same = (a, b) => JSON.stringify(Object.entries(a ?? {}).sort()) === JSON.stringify(Object.entries(b ?? {}).sort());

export class Plans {
	constructor(session) {
		this.session = session;
	}

	/** of the rig that is shown */
	get options() { return this.session.state.options ?? {}; }

	get kind() { return this.options.body ?? 'auto'; }

	/** the point of a landmark that was set, or null */
	point(name) { return this.options[name]?.split(',').map(Number) ?? null; }

	get has_points() { return LANDMARKS.some(({ name }) => this.options[name]); }

	/** plan and landmarks of the rig that is shown, for a method that takes them */
	kept(method) {
		const is_plan = ([name]) => name === 'body' || LANDMARKS.some((one) => one.name === name);
		return STILL.includes(method) ? Object.fromEntries(Object.entries(this.options).filter(is_plan)) : {};
	}

	/** the bone that a landmark is the joint of, or -1 */
	bone({ part, side }) { return this.session.rig?.bones.findIndex(({ role }) => role?.part === part && role.side === side && role.number === 0) ?? -1; }

	set_kind(kind) {
		const { body, ...others } = this.options;
		return this.#change(kind === 'auto' ? others : { ...others, body: kind });
	}

	set_point(name, point) {
		return this.#change({ ...this.options, [name]: point.map((x) => String(Number(x.toPrecision(9)))).join(',') });
	}

	clear_points() {
		return this.#change(Object.fromEntries(Object.entries(this.options).filter(([name]) => !LANDMARKS.some((one) => one.name === name))));
	}

	/** by the method that made the rig, if it can take a plan */
	async #change(after) {
		const { method } = this.session.state;
		if (is_same(this.options, after)) return;
		await this.session.run({ do: 'rig', method: STILL.includes(method) ? method : 'auto', options: after });
	}
}
