/**
 * The current pose and its undo history: poses are local to the page and never wait for the server.
 * Undo goes through poses and edits in the order in which they were made. Topics: "pose", "steps"
 * (what can be undone), "renamed" (a Map of bones' old names to new ones).
 */
import { Signal } from '../base/signal.js';
import { Pose } from '../rig/pose.js';
import { renamed_by_edits, renamed_in_place } from './renames.js';

const MOST_STEPS = 300, MOST_EDITS = 1e6, MOST_LEFT = 32; // of poses; of a step; meshes that were left

export class Posing extends Signal {
	#done = [];
	#undone = [];
	#before = null;
	#renamed = null; // for the event of the rig
	#state = null; // of the session, as it was with this rig
	#place = ''; // the session and its mesh
	#left = new Map(); // poses on other meshes, which the page may show again

	constructor(session) {
		super();
		this.session = session;
		this.rig = null;
		this.pose = null;
		this.world = null;
		this.keep_limits = true;
		this.edits = null; // whose steps are undone between those of poses
		this.held = null; // the pose that waits while the rest pose is shown
		session.on('taken', (rig) => this.#take_rig(rig));
		session.on('rig', () => this.#tell_rig());
	}

	/**
	 * The new names of bones by their old ones. Scripts may write the names in edits otherwise than
	 * the bones are called: then places tell.
	 */
	#names_of(rig) {
		if (this.rig.surface !== rig.surface) return new Map();
		const names = renamed_by_edits(this.rig.bones, this.#state, this.session.state);
		return names.size > 0 ? names : renamed_in_place(this.rig, rig);
	}

	/** saved poses follow the bones' new names */
	#follow_names(rig) {
		const names = this.#names_of(rig);
		if (names.size === 0) return null;
		const follow = ({ turns, moved }) => ({ turns: Object.fromEntries(Object.entries(turns).map(([name, turn]) => [names.get(name) ?? name, turn])), moved });
		const follow_step = (step) => (step.undo ? step : { ...step, before: follow(step.before), after: follow(step.after) });
		this.#done = this.#done.map(follow_step);
		this.#undone = this.#undone.map(follow_step);
		this.held = this.held && follow(this.held);
		this.rig = { ...this.rig, surface: this.rig.surface, bones: this.rig.bones.map((bone) => ({ ...bone, name: names.get(bone.name) ?? bone.name })) };
		return names;
	}

	#take_rig(rig) {
		const names = this.rig && rig ? this.#follow_names(rig) : null;
		const is_same = this.rig?.surface === rig?.surface;
		const named = is_same ? this.rig && this.pose?.by_name(this.rig) : this.#change_places();
		this.rig = rig;
		this.#state = this.session.state;
		this.pose = rig && (named ? Pose.of_names(rig, named) : Pose.rest(rig));
		this.world = this.pose && this.pose.world(rig);
		this.#renamed = names;
	}

	#tell_rig() {
		const names = this.#renamed;
		this.#renamed = null;
		this.#emit();
		if (names) this.emit('renamed', names);
	}

	/** Puts what was posed on another mesh aside; gives the pose that was left on this one. */
	#change_places() {
		if (this.rig && this.pose) this.#left.set(this.#place, { done: this.#done, undone: this.#undone, named: this.held ?? this.pose.by_name(this.rig) });
		this.#place = `${this.session.api.session} ${this.session.surface_key}`;
		const { done = [], undone = [], named = null } = this.#left.get(this.#place) ?? {};
		[this.#done, this.#undone, this.#before] = [done, undone, null];
		this.#left.delete(this.#place);
		// where the rest pose is shown, the other one waits
		if (this.held) this.held = named ?? { turns: {}, moved: [0, 0, 0] };
		if (this.#left.size > MOST_LEFT) this.#left.delete(this.#left.keys().next().value);
		return this.held ? null : named;
	}

	#emit() {
		this.world = this.pose && this.pose.world(this.rig);
		this.emit('pose', this.pose);
	}

	/**
	 * Shows a pose; clamps rotated bones to their limits if requested, and turns those that depend
	 * on them.
	 */
	set(pose, turned = []) {
		if (this.keep_limits) for (const b of turned) pose.clamp(this.rig, b);
		if (this.rig?.dependencies.length > 0) pose.follow(this.rig, this.#before ? Pose.of_names(this.rig, this.#before) : this.pose, turned);
		this.pose = pose;
		this.#emit();
	}

	/** A change that can be undone begins here, */
	begin() {
		this.#before ??= this.pose.by_name(this.rig);
	}

	/** is kept, */
	commit() {
		const before = this.#before, after = this.pose.by_name(this.rig);
		this.#before = null;
		if (!before || JSON.stringify(before) === JSON.stringify(after)) return;
		this.#done = [...this.#done, { before, after, edits: this.#edits }].slice(-MOST_STEPS);
		this.#undone = [];
		this.emit('steps');
	}

	/** Something else that was done, as to the library of poses, takes its place in the history. */
	note(undo, redo) {
		this.#done = [...this.#done, { undo, redo, edits: this.#edits }].slice(-MOST_STEPS);
		this.#undone = [];
		this.emit('steps');
	}

	/** or taken back. */
	cancel() {
		if (!this.#before) return;
		this.set(Pose.of_names(this.rig, this.#before));
		this.#before = null;
	}

	/** Another pose in one step. */
	change(pose, turned) {
		this.begin();
		this.set(pose, turned);
		this.commit();
	}

	/** whether nothing is rotated */
	get is_at_rest() {
		if (!this.pose || this.held) return false;
		const { turns, moved } = this.pose.by_name(this.rig);
		return Object.keys(turns).length === 0 && moved.every((way) => way === 0);
	}

	/** how far the server's history is: steps first, then edits; rises with both */
	get #edits() { return this.session.history.past.length * MOST_EDITS + this.session.state.edits.done.length; }

	get can_undo() { return this.#done.at(-1)?.edits === this.#edits || this.edits.can_undo; }

	get can_redo() { return this.#undone.at(-1)?.edits === this.#edits || this.edits.can_redo; }

	/** Shows the rest pose, on which edits are made, and then the pose from before again. */
	hold_rest(is_held) {
		if (!this.rig || is_held === (this.held !== null)) return;
		const named = this.held;
		this.held = is_held ? this.pose.by_name(this.rig) : null;
		this.set(is_held ? Pose.rest(this.rig) : Pose.of_names(this.rig, named));
	}

	undo() {
		if (this.held) return this.edits.undo();
		// poses of edits that were undone already no longer apply
		while (this.#done.at(-1)?.edits > this.#edits) this.#done.pop();
		const step = this.#done.at(-1);
		if (!step || step.edits !== this.#edits) return this.edits.undo();
		this.#undone = [...this.#undone, this.#done.pop()];
		this.#show_step(step, 'undo', 'before');
		return undefined;
	}

	redo() {
		if (this.held) return this.edits.redo();
		const step = this.#undone.at(-1);
		if (!step || step.edits !== this.#edits) return this.edits.redo();
		this.#done = [...this.#done, this.#undone.pop()];
		this.#show_step(step, 'redo', 'after');
		return undefined;
	}

	#show_step(step, act, side) {
		if (step[act]) step[act]();
		else this.set(Pose.of_names(this.rig, step[side]));
		this.emit('steps');
	}

	/** Resets bones to rest, all of them without a list. */
	reset(bones) {
		const rest = Pose.rest(this.rig), pose = bones ? this.pose.copy() : rest;
		for (const b of bones ?? []) {
			pose.rotations[b] = rest.rotations[b];
			if (this.rig.bones[b].parent < 0) pose.root = rest.root;
		}
		this.change(pose, bones ? [...bones] : []);
	}
}
