"""`ossa convert` to URDF: a robot moved by its joints is where the rig is."""
import json
import math
import re
import xml.etree.ElementTree

from harness import INPUT, CommandTest, main, write_moving_cubes

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


def product(a, b):
    full = b + [[0, 0, 0, 1]]
    return [[sum(a[i][k] * full[k][j] for k in range(4)) for j in range(4)] for i in range(3)]


def inverse(a):
    turned = [[a[j][i] for j in range(3)] for i in range(3)]
    return [row + [-sum(row[k] * a[k][3] for k in range(3))] for row in turned]


def turn_of(axis, angle):
    """rows of [R | 0] about a unit axis (Rodrigues)"""
    x, y, z = axis
    c, s, v = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return [[c + x * x * v, x * y * v - z * s, x * z * v + y * s, 0],
            [y * x * v + z * s, c + y * y * v, y * z * v - x * s, 0],
            [z * x * v - y * s, z * y * v + x * s, c + z * z * v, 0]]


def turn_of_quat(q):
    length = math.hypot(*q[:3])
    return turn_of([k / length for k in q[:3]], 2 * math.atan2(length, q[3])) if length > 0 else IDENTITY


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def numbers(element, name):
    return [float(word) for word in element.get(name).split()]


def place_of(origin):
    """URDF's: roll, pitch and yaw about fixed x, y and z"""
    roll, pitch, yaw = numbers(origin, "rpy")
    turned = product(product(turn_of((0, 0, 1), yaw), turn_of((0, 1, 0), pitch)), turn_of((1, 0, 0), roll))
    return [row[:3] + [t] for row, t in zip(turned, numbers(origin, "xyz"))]


def angles_of(turn, directions):
    """of hinges one after the other: about one axis, two, or z, y and x, which make the turn together"""
    if len(directions) == 1:
        (x, y, z), m = directions[0], turn
        sine = (m[2][1] - m[1][2]) * x + (m[0][2] - m[2][0]) * y + (m[1][0] - m[0][1]) * z
        return [math.atan2(sine, m[0][0] + m[1][1] + m[2][2] - 1)]
    if len(directions) == 2:
        # in the frame of these axes and of a third one, in which they are z and y, and the angle about x is 0
        first, second = directions
        frame = [[x, y, z, 0] for x, y, z in zip(cross(second, first), second, first)]
        turn = product(product(inverse(frame), turn), frame)
        assert abs(math.atan2(turn[2][1], turn[2][2])) < 1e-5
        return [math.atan2(turn[1][0], turn[0][0]), math.asin(max(-1, min(1, -turn[2][0])))]
    assert directions == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    return [math.atan2(turn[1][0], turn[0][0]), math.asin(max(-1, min(1, -turn[2][0]))), math.atan2(turn[2][1], turn[2][2])]


class Robot:
    def __init__(self, path):
        self.root = xml.etree.ElementTree.parse(path).getroot()
        self.joints = {joint.get("name"): joint for joint in self.root.findall("joint")}
        self.joint_of_link = {joint.find("child").get("link"): joint for joint in self.joints.values()}
        links = [link.get("name") for link in self.root.findall("link")]
        assert len(set(links)) == len(links) == len(self.joints) + 1
        (self.base,) = set(links) - set(self.joint_of_link)

    def chain(self, bone):
        """the joints that move a bone against its parent, outermost first"""
        chain = [self.joint_of_link[bone]]
        while re.fullmatch(f"{bone}_(first|rz|ry)", chain[0].find("parent").get("link")):
            chain.insert(0, self.joint_of_link[chain[0].find("parent").get("link")])
        return [joint for joint in chain if joint.get("type") != "fixed"]

    def angle(self, joint, angles):
        mimic = joint.find("mimic")
        if mimic is None:
            return angles.get(joint.get("name"), 0)
        return float(mimic.get("multiplier")) * self.angle(self.joints[mimic.get("joint")], angles) + float(mimic.get("offset"))

    def frame(self, link, angles):
        if link == self.base:
            return IDENTITY
        joint = self.joint_of_link[link]
        frame = product(self.frame(joint.find("parent").get("link"), angles), place_of(joint.find("origin")))
        if joint.find("axis") is None:
            return frame
        return product(frame, turn_of(numbers(joint.find("axis"), "xyz"), self.angle(joint, angles)))


def moved(turn, place):
    return [row[:3] + [t] for row, t in zip(turn, place)]


class Rig:
    """the table of a rig, z up"""

    def __init__(self, path):
        told = json.loads(path.read_text())
        self.bones, self.clip = told["bones"], told["clip"]
        self.rest = [moved(turn_of_quat(bone["orientation"]), bone["joint"]) for bone in self.bones]
        self.offset = [product(inverse(self.rest[bone["parent"]]), own) if bone["parent"] >= 0 else own
                       for bone, own in zip(self.bones, self.rest)]

    def local(self, b, frame):
        place = [row[3] for row in self.offset[b]] if b > 0 else self.clip["root_positions"][frame]
        return moved(turn_of_quat(self.clip["rotations"][frame][b]), place)

    def turn(self, b, frame):
        """against the rest pose"""
        return product(inverse(self.offset[b]), self.local(b, frame))

    def frames(self, frame):
        frames = []
        for b, bone in enumerate(self.bones):
            own = self.local(b, frame)
            frames.append(product(frames[bone["parent"]], own) if b > 0 else own)
        return frames


class Urdf(CommandTest):
    def make(self, kind, frames=8):
        """a creature whose hinges and balls are exact, as robot and as table"""
        self.ossa("sample", kind, "--frames", frames, "--faces", 2000, "-o", "sample")
        done = self.ossa("convert", "sample/truth.glb", "robot.urdf")
        self.ossa("convert", "sample/truth.glb", "rig.json", "--up", "z")
        return Robot(self.folder / "robot.urdf"), Rig(self.folder / "rig.json"), done.stderr

    def assert_moves_alike(self, robot, rig):
        """every joint in every frame, to 1e-6 of a rig that is 2 units large: its file holds floats"""
        for frame in range(len(rig.clip["times"])):
            angles = {}
            for b, bone in enumerate(rig.bones):
                chain = robot.chain(bone["name"])
                if not chain or chain[-1].find("mimic") is not None:
                    continue
                turn = rig.turn(b, frame)
                directions = [numbers(joint.find("axis"), "xyz") for joint in chain]
                for joint, angle in zip(chain, angles_of(turn, directions)):
                    angles[joint.get("name")] = angle
                    limit = joint.find("limit")
                    if limit is not None:
                        self.assertTrue(float(limit.get("lower")) <= angle <= float(limit.get("upper")), joint.get("name"))
            # the robot is placed where the root is
            world = rig.frames(frame)
            placed = product(world[0], inverse(rig.rest[0]))
            for bone, truth in zip(rig.bones, world):
                mine = product(placed, robot.frame(bone["name"], angles))
                for row, other in zip(mine, truth):
                    self.assertLess(math.dist(row, other), 2e-6, (frame, bone["name"]))

    def test_a_machine_moves_as_its_rig(self):
        robot, rig, told = self.make("machine")
        self.assert_moves_alike(robot, rig)
        mimics = {name: joint.find("mimic").get("joint") for name, joint in robot.joints.items() if joint.find("mimic") is not None}
        self.assertEqual(mimics, {"wheel-1": "crank", "wheel-2": "crank", "finger-2": "finger-1", "finger-3": "finger-1"})
        self.assertIn("(1 joint)", told)
        self.assertEqual([name for name in robot.joints if name.startswith("hook")], ["hook_rx", "hook_rz", "hook_ry"])

    def test_twist_bones_mimic_nothing(self):
        robot, rig, told = self.make("arms")
        self.assert_moves_alike(robot, rig)
        self.assertFalse([name for name, joint in robot.joints.items() if joint.find("mimic") is not None])
        self.assertIn("no driver of a twist bone", told)

    def test_a_biped_moves_as_its_rig(self):
        robot, rig, told = self.make("biped")
        self.assert_moves_alike(robot, rig)
        self.assertIn("(12 joints)", told)

    def test_joints_of_two_axes_are_two_hinges(self):
        robot, rig, told = self.make("gimbals")
        self.assert_moves_alike(robot, rig)
        self.assertIn("(6 joints)", told)
        self.assertEqual([len(robot.chain(bone["name"])) for bone in rig.bones], [0, 2, 1, 2, 2, 3, 2, 2])
        # limits are those of the two angles, 5 degrees wider
        for joint in robot.chain("mast"):
            limit = joint.find("limit")
            self.assertTrue(math.radians(40) < float(limit.get("upper")) - float(limit.get("lower")) < math.radians(111))

    def test_meshes_are_the_rig_at_rest(self):
        """each face once, where it is; moved into the frame of its link and back by the robot"""
        robot, rig, _ = self.make("machine")
        self.ossa("convert", "sample/rest.obj", "z.obj", "--up", "z")
        faces, whole = [], self.faces_of("z.obj")
        for link in robot.root.findall("link"):
            mesh = link.find("visual/geometry/mesh")
            if mesh is None:
                continue
            self.assertEqual(mesh.get("filename"), f"robot_{link.get('name')}.obj")
            faces += self.faces_of(mesh.get("filename"))
            placed = product(robot.frame(link.get("name"), {}), place_of(link.find("visual/origin")))
            for row, other in zip(placed, IDENTITY):
                # dependent bones have offsets
                if link.get("name") != "wheel-2":
                    self.assertLess(math.dist(row, other), 1e-6, link.get("name"))
        self.assertEqual(sorted(faces), sorted(whole))

    def faces_of(self, name):
        lines = [line.split() for line in (self.folder / name).read_text().splitlines()]
        vertices = [tuple(words[1:]) for words in lines if words[:1] == ["v"]]
        return [tuple(vertices[int(word.split("/")[0]) - 1] for word in words[1:]) for words in lines if words[:1] == ["f"]]

    def test_files_of_others_stay(self):
        self.ossa("sample", "tube", "--frames", 4, "--faces", 1000, "-o", "sample")
        (self.folder / "a_tube-1.obj").write_text("mine")
        for _ in range(2):
            self.ossa("convert", "sample/truth.glb", "a.urdf")
            names = [name for name in self.files() if name.endswith(".obj")]
            self.assertEqual(len(names), 5, names)
            self.assertEqual((self.folder / "a_tube-1.obj").read_text(), "mine")

    def test_axes_and_unit_are_fixed(self):
        self.ossa("sample", "tube", "--frames", 4, "--faces", 1000, "-o", "sample")
        self.ossa("convert", "sample/truth.glb", "a.urdf")
        plain = (self.folder / "a.urdf").read_text()
        told = self.ossa("convert", "sample/truth.glb", "a.urdf", "--unit", 0.01, "--up", "y").stderr
        self.assertIn("metres", told)
        self.assertEqual((self.folder / "a.urdf").read_text(), plain)

    def test_what_is_a_robot(self):
        write_moving_cubes(self.folder / "cubes.gltf", [(0, None), (3, 0)])
        # of a file that names no kinds of joints: one fixed, one about any axis
        self.ossa("convert", "cubes.gltf", "cubes.urdf")
        self.assertEqual([joint.get("type") for joint in Robot(self.folder / "cubes.urdf").joints.values()],
                         ["fixed", "revolute", "revolute", "revolute"])
        # cubes of 2 metres, of water
        for link in Robot(self.folder / "cubes.urdf").root.findall("link"):
            if link.find("visual") is None:
                continue
            solid = link.find("inertial")
            self.assertAlmostEqual(float(solid.find("mass").get("value")), 8000, 6)
            for k in numbers(solid.find("origin"), "xyz"):
                self.assertAlmostEqual(k, 0, 9)
            for name, value in (("ixx", 16000 / 3), ("ixy", 0), ("iyz", 0), ("izz", 16000 / 3)):
                self.assertAlmostEqual(float(solid.find("inertia").get(name)), value, 6)
        # a skeleton alone
        self.ossa("convert", "cubes.gltf", "cubes.bvh")
        self.ossa("convert", "cubes.bvh", "bones.urdf")
        bones = Robot(self.folder / "bones.urdf")
        self.assertEqual((len(bones.joints), bones.root.find("link/visual")), (4, None))
        self.write_tubes(0)
        self.assertIn("rest.obj", self.ossa("convert", "rest.obj", "a.urdf", expect=INPUT).stderr)


main()
