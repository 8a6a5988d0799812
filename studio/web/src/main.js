/**
 * The studio's page: creates and connects its parts. Poses belong to the page, everything else to
 * the server.
 */
import { Api } from './base/api.js';
import { Acts } from './work/acts.js';
import { Beside } from './work/beside.js';
import { Display } from './work/display.js';
import { Edits } from './work/edits.js';
import { Frames } from './work/frames.js';
import { Keys } from './work/keys.js';
import { Library } from './work/library.js';
import { Look } from './work/look.js';
import { Looks } from './work/looks.js';
import { Mode } from './work/mode.js';
import { Plans } from './work/plans.js';
import { Player } from './work/player.js';
import { Posing } from './work/posing.js';
import { Selection } from './work/selection.js';
import { Session } from './work/session.js';
import { Stages } from './work/stages.js';
import { Bar } from './ui/bar.js';
import { BonePanel } from './ui/bone_panel.js';
import { EditsPanel } from './ui/edits_panel.js';
import { ExportPanel } from './ui/export_panel.js';
import { Foot } from './ui/foot.js';
import { MotionPanel } from './ui/motion_panel.js';
import { Notices } from './ui/notices.js';
import { Panels } from './ui/panels.js';
import { PosesPanel } from './ui/poses_panel.js';
import { ReportPanel } from './ui/report_panel.js';
import { RigPanel } from './ui/rig_panel.js';
import { Stage } from './ui/stage.js';
import { StagesBar } from './ui/stages_bar.js';
import { Timeline } from './ui/timeline.js';
import { Tree } from './ui/tree.js';
import { Hand } from './tools/hand.js';
import { Landmarks } from './tools/landmarks.js';
import { Painting } from './tools/painting.js';
import { Viewport } from './view/viewport.js';
import { add_keys } from './work/key_table.js';
import { test_window } from './work/test_window.js';

const MOST_WAIT = 700; // milliseconds that panels wait for the first picture

const at = (id) => document.getElementById(id);

function make_app() {
	const begun = window.ossa_begun; // by begin.js
	const app = { viewport: new Viewport(at('scene'), begun), mode: new Mode(), api: new Api(new URL('./', location.href).href.split('#')[0], begun.early) };
	// the browser's storage is slow: shaders are compiled meanwhile
	app.look = new Look();
	document.documentElement.dataset.theme = app.look.get('theme');
	app.viewport.set_theme();
	app.session = new Session(app.api);
	app.selection = new Selection(app.session);
	app.posing = new Posing(app.session);
	app.edits = new Edits(app);
	app.posing.edits = app.edits;
	app.plans = new Plans(app.session);
	app.player = new Player(app);
	// before the scene is drawn, so that it is drawn in its final size
	app.session.on('rig', () => Timeline.make_room(at('time'), app));
	app.frames = new Frames(app.session);
	app.stages = new Stages(app.session);
	app.notices = new Notices(at('notices'));
	app.looks = new Looks(app);
	app.hand = new Hand(app, () => app.display.view);
	app.display = new Display(app);
	app.beside = new Beside(app);
	app.painting = new Painting(app);
	app.landmarks = new Landmarks(app);
	app.mode.on('mode', (name) => {
		app.hand.finish(false);
		app.painting.keep();
		app.hand.tool = { paint: app.painting, landmarks: app.landmarks }[name] ?? null;
		app.foot.hint(null);
	});
	app.library = new Library(app);
	app.acts = new Acts(app);
	// the browser asks before a page with unsent work is closed
	window.addEventListener('beforeunload', (event) => { if (app.library.is_unsent || app.painting.is_unsent) event.preventDefault(); });
	app.keys = new Keys(() => app.hand.drag && app.hand.key);
	return app;
}

function make_panels(app) {
	app.about = app.api.lasting('api/about');
	app.foot = new Foot(app, at('foot'));
	app.bar = new Bar(app, at('bar'));
	app.tree = new Tree(app, at('tree'));
	app.stage = new Stage(app, at('scene'));
	app.stages_bar = new StagesBar(app, at('scene'));
	app.panels = new Panels(app, at('panels'), [
		['bone', 'Bone', BonePanel], ['rig', 'Rig', RigPanel], ['edit', 'Edit', EditsPanel], ['poses', 'Poses', PosesPanel], ['motion', 'Motion', MotionPanel], ['report', 'Report', ReportPanel], ['export', 'Export', ExportPanel],
	]);
	app.timeline = new Timeline(app, at('time'));
	add_keys(app);
}

/** Opens the session; resolves when its rig can be drawn, or when there is time for other work. */
function begin(app) {
	const started = app.session.start().catch((error) => app.session.emit('problem', error));
	return Promise.race([started, new Promise((done) => { setTimeout(done, MOST_WAIT); })]);
}

const app = make_app();
await begin(app);
// drawing works while the panels are made
app.viewport.draw_wanted();
document.body.classList.remove('unseen');
await new Promise((done) => { setTimeout(done, 0); });
make_panels(app);
window.ossa = test_window(app);
