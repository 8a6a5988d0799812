/**
 * Which bones are chosen, by their numbers in the rig; the last one is active. Survives changes of
 * the skeleton by the bones' names. Topics: "selection".
 */
import { Signal } from '../base/signal.js';

export class Selection extends Signal {
	constructor(session) {
		super();
		this.bones = new Set();
		this.active = -1;
		this.hovered = -1;
		this.rig = null;
		this.wanted = null;
		session.on('taken', (rig) => this.#take_rig(rig));
		session.on('rig', () => this.emit('selection', this));
	}

	#take_rig(rig) {
		const names = [...this.bones].map((b) => this.rig.bones[b].name), active = this.rig?.bones[this.active]?.name;
		this.rig = rig;
		const kept = names.map((name) => rig?.index.get(name) ?? -1).filter((b) => b >= 0);
		const wanted = this.wanted === null ? undefined : rig?.index.get(this.wanted);
		this.wanted = null;
		this.bones = new Set(wanted === undefined ? kept : [wanted]);
		this.active = wanted ?? rig?.index.get(active) ?? kept.at(-1) ?? -1;
		this.hovered = -1;
	}

	/** the last one becomes active */
	set(bones) {
		this.bones = new Set(bones);
		this.active = bones.at(-1) ?? -1;
		this.emit('selection', this);
	}

	/** adds a bone, or deselects the active one */
	toggle(b) {
		if (b === this.active) this.set([...this.bones].filter((other) => other !== b));
		else this.set([...[...this.bones].filter((other) => other !== b), b]);
	}

	/** the bone of this name is chosen when the rig comes that has it */
	want(name) { this.wanted = name; }

	hover(b) {
		if (b === this.hovered) return;
		this.hovered = b;
		this.emit('hover', b);
	}

	get names() { return [...this.bones].map((b) => this.rig.bones[b].name); }

	get active_bone() { return this.rig?.bones[this.active] ?? null; }

	/** chosen bones that are no descendants of other chosen ones */
	get tops() {
		return [...this.bones].filter((b) => this.rig.chain(b).slice(1).every((above) => !this.bones.has(above)));
	}
}
