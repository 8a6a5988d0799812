/**
 * The studio's page: parts are made here and told of each other. Poses are the page's own, everything else is the server's.
 */
import { Api } from './base/api.js';
import { Acts } from './work/acts.js';
import { Display } from './work/display.js';
import { Keys } from './work/keys.js';
import { Look } from './work/look.js';
import { Mode } from './work/mode.js';
import { Posing } from './work/posing.js';
import { Selection } from './work/selection.js';
import { Session } from './work/session.js';
import { Bar } from './ui/bar.js';
import { BonePanel } from './ui/bone_panel.js';
import { Foot } from './ui/foot.js';
import { Notices } from './ui/notices.js';
import { Panels } from './ui/panels.js';
import { Stage } from './ui/stage.js';
import { Tree } from './ui/tree.js';
import { Hand } from './tools/hand.js';
import { Viewport } from './view/viewport.js';
import { add_keys } from './work/key_table.js';
import { test_window } from './work/test_window.js';

const at = (id) => document.getElementById(id);

function make_app() {
	const app = { look: new Look(), mode: new Mode(), api: new Api(new URL('./', location.href).href.split('#')[0]) };
	document.documentElement.dataset.theme = app.look.get('theme');
	app.session = new Session(app.api);
	app.selection = new Selection(app.session);
	app.posing = new Posing(app.session);
	app.viewport = new Viewport(at('scene'));
	app.notices = new Notices(at('notices'));
	app.hand = new Hand(app, () => app.display.view);
	app.display = new Display(app);
	app.acts = new Acts(app);
	app.keys = new Keys(() => app.hand.drag && app.hand.key);
	return app;
}

function make_panels(app) {
	app.foot = new Foot(app, at('foot'));
	app.bar = new Bar(app, at('bar'));
	app.tree = new Tree(app, at('tree'));
	app.stage = new Stage(app, at('scene'));
	app.panels = new Panels(app, at('panels'), [['bone', 'Bone', BonePanel]]);
	add_keys(app);
}

const app = make_app();
make_panels(app);
window.ossa = test_window(app);
app.session.start().catch((error) => app.session.tell('problem', error));
