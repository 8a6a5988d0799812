"""A mock of maya.cmds and maya.api for machines without Maya: it records every call, refuses what Maya would refuse, and models
what ossa's scripts use: units, transforms, joints, limits, meshes, shading groups, blendShapes, skinClusters and animation curves, so that
the skinned points can be asked for at any time.

Sources: Autodesk Maya's technical documentation: command reference (flags below, long and short names), node reference (transform,
joint, skinCluster, blendShape), Python API 2.0 reference. Matrices are for row vectors, as Maya's are; lengths inside are centimetres.
"""
import re
import sys
import types

import numpy

# ---- the flags of the commands: long name (short name, what it takes) ----

FLAGS = {
    "aliasAttr": {"remove": ("rm", bool)},
    "attributeQuery": {"exists": ("ex", bool), "node": ("n", str), "type": ("typ", str)},
    "blendShape": {"after": ("af", bool), "before": ("bf", bool), "frontOfChain": ("foc", bool), "name": ("n", str), "origin": ("o", str),
                   "target": ("t", tuple), "topologyCheck": ("tc", bool), "weight": ("w", tuple)},
    "connectAttr": {"force": ("f", bool), "lock": ("l", bool), "nextAvailable": ("na", bool),
                    "referenceDest": ("rd", str)},
    "createNode": {"name": ("n", str), "parent": ("p", str), "shared": ("s", bool), "skipSelect": ("ss", bool)},
    "currentUnit": {"angle": ("a", str), "fullName": ("f", bool), "linear": ("l", str), "time": ("t", str),
                    "updateAnimation": ("ua", bool)},
    "expression": {"alwaysEvaluate": ("ae", int), "animated": ("an", int), "attribute": ("at", str), "name": ("n", str),
                   "object": ("o", str), "safe": ("sf", int), "shortNames": ("sn", bool), "string": ("s", str),
                   "timeDependent": ("td", bool), "unitConversion": ("uc", str)},
    "listRelatives": {"allDescendents": ("ad", bool), "allParents": ("ap", bool), "children": ("c", bool),
                      "fullPath": ("f", bool), "noIntermediate": ("ni", bool), "parent": ("p", bool),
                      "path": ("pa", bool), "shapes": ("s", bool), "type": ("typ", str)},
    "ls": {"allPaths": ("ap", bool), "dag": ("dag", bool), "long": ("l", bool), "selection": ("sl", bool),
           "shapes": ("s", bool), "shortNames": ("sn", bool), "type": ("typ", str), "uuid": ("uid", bool)},
    "playbackOptions": {"animationEndTime": ("aet", "time"), "animationStartTime": ("ast", "time"),
                        "blockingAnim": ("ba", bool), "by": ("by", float), "framesPerSecond": ("fps", bool),
                        "loop": ("l", str), "maxPlaybackSpeed": ("mps", float), "maxTime": ("max", "time"),
                        "minTime": ("min", "time"), "playbackSpeed": ("ps", float), "view": ("v", str)},
    "rename": {"ignoreShape": ("is", bool), "uuid": ("uid", bool)},
    "setAttr": {"alteredValue": ("av", bool), "caching": ("ca", bool), "capacityHint": ("ch", int),
                "channelBox": ("cb", bool), "clamp": ("c", bool), "keyable": ("k", bool), "lock": ("l", bool),
                "size": ("s", int), "type": ("typ", str)},
    "setKeyframe": {"animLayer": ("al", str), "animated": ("an", bool), "attribute": ("at", str),
                    "breakdown": ("bd", bool), "clip": ("c", str), "controlPoints": ("cp", bool),
                    "dirtyDG": ("dd", bool), "float": ("f", float), "hierarchy": ("hi", str), "identity": ("id", bool),
                    "inTangentType": ("itt", str), "insert": ("i", bool), "insertBlend": ("ib", bool),
                    "minimizeRotation": ("mr", bool), "noResolve": ("nr", bool), "outTangentType": ("ott", str),
                    "respectKeyable": ("rk", bool), "shape": ("s", bool), "time": ("t", "time"),
                    "useCurrentLockedWeights": ("lw", bool), "value": ("v", float)},
    "sets": {"addElement": ("add", str), "empty": ("em", bool), "forceElement": ("fe", str), "name": ("n", str),
             "noSurfaceShader": ("nss", bool), "remove": ("rm", str), "renderable": ("r", bool)},
    "shadingNode": {"asLight": ("al", bool), "asPostProcess": ("app", bool), "asRendering": ("ar", bool),
                    "asShader": ("asShader", bool), "asTexture": ("at", bool), "asUtility": ("au", bool),
                    "isColorManaged": ("icm", bool), "name": ("n", str), "parent": ("p", str), "shared": ("s", bool),
                    "skipSelect": ("ss", bool)},
    "skinCluster": {"bindMethod": ("bm", int), "dropoffRate": ("dr", float), "maximumInfluences": ("mi", int),
                    "name": ("n", str), "normalizeWeights": ("nw", int), "obeyMaxInfluences": ("omi", bool),
                    "removeUnusedInfluence": ("rui", bool), "skinMethod": ("sm", int), "toSelectedBones": ("tsb", bool),
                    "toSkeletonAndTransforms": ("tst", bool), "weightDistribution": ("wd", int)},
    "transformLimits": {"remove": ("rm", bool),
                        **{f"{kind}{axis}": (f"{kind[0]}{axis.lower()}", (float, float))
                           for kind in ("rotation", "scale", "translation") for axis in "XYZ"},
                        **{f"enable{kind}{axis}": (f"e{kind[0].lower()}{axis.lower()}", (bool, bool))
                           for kind in ("Rotation", "Scale", "Translation") for axis in "XYZ"}},
    "undoInfo": {"chunkName": ("cn", str), "closeChunk": ("cck", bool), "infinity": ("in", bool), "length": ("l", int),
                 "openChunk": ("ock", bool), "printQueue": ("pq", bool), "redoName": ("rn", str), "state": ("st", bool),
                 "stateWithoutFlush": ("swf", bool), "undoName": ("un", str)},
    "upAxis": {"axis": ("ax", str), "rotateView": ("rv", bool)},
}

# which of them also have a query and an edit mode
QUERIED = {"attributeQuery": False, "createNode": False, "setAttr": False, "listRelatives": False, "ls": False, "rename": False,
           "connectAttr": False, "shadingNode": False}
EDITED = {"blendShape", "expression", "sets", "skinCluster", "transformLimits", "playbackOptions", "setKeyframe"}

CENTIMETRES = {"mm": 0.1, "cm": 1.0, "m": 100.0, "km": 1e5, "in": 2.54, "ft": 30.48, "yd": 91.44, "mi": 160934.4}
TANGENTS = {"auto", "clamped", "fast", "flat", "linear", "plateau", "slow", "spline", "step", "stepnext"}
# the enumeration of transform.rotateOrder
ROTATE_ORDERS = ("xyz", "yzx", "zxy", "xzy", "yxz", "zyx")
NODE_TYPES = {"transform", "joint", "mesh", "blendShape", "skinCluster", "lambert", "shadingEngine", "expression"}
# some of the attributes that every blendShape node has
BLEND_SHAPE_ATTRIBUTES = {"envelope", "en", "input", "inputTarget", "it", "origin", "or", "weight", "w", "caching", "message"}
DAG_TYPES = {"transform", "joint", "mesh"}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fits(value, kind):
    """whether a flag of that kind takes the value, as Maya's Python does: a bool for a number is refused here"""
    if isinstance(kind, tuple):
        return isinstance(value, (tuple, list)) and len(value) == len(kind) and all(map(fits, value, kind))
    if kind is bool:
        return isinstance(value, bool) or value in (0, 1)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind is float:
        return is_number(value)
    if kind == "time":
        return is_number(value) or (isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?(sec|min|film|ntsc|pal)", value))
    return isinstance(value, kind)


# ---- the scene ----

class Node:
    def __init__(self, kind, name, parent):
        self.kind, self.name, self.parent, self.children = kind, name, parent, []
        self.values = {"translate": [0.0] * 3, "rotate": [0.0] * 3, "scale": [1.0] * 3, "jointOrient": [0.0] * 3,
                       "rotateAxis": [0.0] * 3,
                       "rotateOrder": 0, "segmentScaleCompensate": 1, "radius": 1.0}
        self.limits = {}  # "rotateX": [(least, largest), (bool, bool)]
        self.expressions = {}  # "rotateX": (node, ratio, offset in degrees), or the text of an expression in radians
        self.curves = {}  # "rotateX": {seconds: (value, in tangent, out tangent)}
        self.path_of = None

    def path(self):
        return (self.parent.path() if self.parent else "") + "|" + self.name


class Target:
    def __init__(self):
        self.points, self.offsets, self.weight, self.alias = [], numpy.zeros((0, 3)), 0.0, None
        self.at_rest, self.keys = 0.0, {}

    def keyed(self, seconds):
        """what keys put in place of the weight at rest"""
        if not self.keys or seconds is None:
            return 0.0
        times = sorted(self.keys)
        return numpy.interp(seconds, times, [self.keys[time] for time in times]) - self.at_rest


class BlendShape(Node):
    """its targets by their numbers, with what they add at weight 1"""

    def __init__(self, name, point_count):
        super().__init__("blendShape", name, None)
        self.targets, self.point_count = {}, point_count

    def target(self, attribute, pattern):
        found = re.fullmatch(pattern, attribute)
        if not found:
            raise RuntimeError(f"{self.name} has no {attribute}")
        return self.targets.setdefault(int(found[1]), Target()), found

    def set(self, attribute, values, kind):
        if attribute.startswith("weight"):
            if kind or len(values) != 1 or not is_number(values[0]):
                raise RuntimeError(f"setAttr {attribute}: one number")
            target = self.target(attribute, r"weight\[(\d+)\]")[0]
            target.weight = target.at_rest = values[0]
            return
        target, found = self.target(attribute, r"inputTarget\[0\]\.inputTargetGroup\[(\d+)\]\.inputTargetItem\[6000\]"
                                    r"\.input(Points|Components)Target")
        if values[0] != len(values) - 1 or kind != {"Points": "pointArray", "Components": "componentList"}[found[2]]:
            raise RuntimeError(f"setAttr {attribute}: a count, then as many {kind}")
        if found[2] == "Components":
            target.points = [int(re.fullmatch(r"vtx\[(\d+)\]", value)[1]) for value in values[1:]]
            if len(set(target.points)) != len(target.points) or any(point >= self.point_count for point in target.points):
                raise RuntimeError(f"setAttr {attribute}: points that are not there, or twice")
        else:
            if any(len(value) != 4 or value[3] != 1 for value in values[1:]):
                raise RuntimeError(f"setAttr {attribute}: points are x y z 1")
            target.offsets = numpy.array([value[:3] for value in values[1:]], float).reshape(-1, 3)


class Scene:
    """Everything behind maya.cmds. `linear`, `angle`, `up`, `rate` are what the user's preferences say."""

    def __init__(self, linear="cm", angle="deg", up="y", rate=24.0):
        self.linear, self.angle, self.up, self.rate = linear, angle, up, rate
        self.undo, self.calls, self.dag, self.others = True, [], [], {}
        self.members = {"initialShadingGroup": []}
        self.expressions = []
        self.playback = {}

    # -- names --

    def legal(self, name):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise RuntimeError(f"Maya would change the name {name!r}")
        return name

    def free_name(self, name, parent):
        siblings = {node.name for node in self.dag if node.parent is parent} | set(self.others)
        number, free = 0, name
        while free in siblings:
            number += 1
            free = f"{name}{number}"
        return free

    def find(self, name):
        """the one node that a name or part of a path means"""
        if name in self.others:
            return self.others[name]
        # no path but one that ends with the node's own name, which most do not
        last, ending = name.rsplit("|", 1)[-1], "|" + name.lstrip("|")
        found = [node for node in self.dag if node.name == last and (node.path() == name or node.path().endswith(ending))]
        if name.startswith("|"):
            found = [node for node in found if node.path() == name]
        if not found:
            raise ValueError(f"No object matches name: {name}")
        if len(found) > 1:
            raise ValueError(f"More than one object matches name: {name}")
        return found[0]

    def short(self, node):
        """the shortest part of the path that no other node has"""
        parts = node.path().split("|")
        for count in range(1, len(parts)):
            name = "|".join(parts[-count:])
            if sum(other.path().endswith("|" + name) for other in self.dag) == 1:
                return name
        return node.path()

    # -- units --

    def centimetres(self, length):
        return length * CENTIMETRES[self.linear]

    def degrees(self, angle):
        return angle if self.angle == "deg" else numpy.degrees(angle)

    def seconds(self, time):
        if is_number(time):
            return time / self.rate
        if not time.endswith("sec"):
            raise NotImplementedError(time)
        return float(time[:-3])

    # -- evaluation --

    def channel(self, node, attribute, k, seconds):
        """an attribute's value: its curve's where it has one, held by its limits"""
        name = attribute + "XYZ"[k]
        value = node.values[attribute][k]
        curve = node.curves.get(name)
        if curve and seconds is not None:
            times = sorted(curve)
            value = numpy.interp(seconds, times, [curve[time][0] for time in times])
        if name in node.expressions and seconds is not None:
            value = self.driven(node.expressions[name], attribute, k, seconds)
        if name in node.limits:
            (least, largest), (low_on, high_on) = node.limits[name]
            value = max(value, least) if low_on else value
            value = min(value, largest) if high_on else value
        return value

    def driven(self, by, attribute, k, seconds):
        if isinstance(by, str):
            (value,) = self.evaluate(by, seconds).values()
            return float(numpy.degrees(value))
        driver, ratio, offset = by
        return ratio * self.channel(driver, attribute, k, seconds) + offset

    def local(self, node, seconds):
        """matrix = [S] [RA] [R] [JO] [T] (no scale compensation), for row vectors"""
        rotate = [self.channel(node, "rotate", k, seconds) for k in range(3)]
        translate = [self.channel(node, "translate", k, seconds) for k in range(3)]
        if node.kind == "joint" and node.values["segmentScaleCompensate"]:
            raise NotImplementedError("only joints without scale compensation are modelled")
        # jointOrient and rotateAxis are always in the order xyz
        matrix = turned(rotate, ROTATE_ORDERS[node.values["rotateOrder"]]) @ turned(node.values["jointOrient"] if node.kind == "joint" else [0, 0, 0])
        matrix = numpy.diag(node.values["scale"] + [1.0]) @ turned(node.values["rotateAxis"]) @ matrix
        matrix[3, :3] = translate
        return matrix

    def world(self, node, seconds, known=None):
        """`known`: what has been found at this time, by the nodes"""
        known = {} if known is None else known
        if node not in known:
            matrix = self.local(node, seconds)
            known[node] = matrix @ self.world(node.parent, seconds, known) if node.parent else matrix
        return known[node]

    def evaluate(self, text, seconds):
        """the values that an expression gives attributes; without unit conversion rotations are in radians"""
        space, given = dict(MEL), {}

        def attribute(found):
            node = self.find(found[1])
            return repr(float(numpy.radians(self.channel(node, "rotate", "XYZ".index(found[2]), seconds))))

        for line in filter(None, text.split("\n")):
            found = re.fullmatch(r"(?:float \$(\w+)|([|\w]+\.weight\[\d+\]|[|\w]+\.rotateX)) = (.*);", line)
            if not found:
                raise RuntimeError(f"Syntax error: {line}")
            value = eval(re.sub(r"([|\w]+)\.rotate([XYZ])", attribute, found[3]).replace("$", "v_"), {"__builtins__": {}}, space)
            if found[1]:
                space["v_" + found[1]] = value
            else:
                given[found[2]] = value
        return given

    def blended(self, mesh, seconds=None):
        points = mesh.points.copy()
        driven = {}
        for text in self.expressions:
            driven.update(self.evaluate(text, seconds))
        for number, target in mesh.blend.targets.items() if mesh.blend else ():
            if len(target.points) != len(target.offsets):
                raise RuntimeError("a target with other points than offsets")
            # tests add a weight to what an expression or keys give
            weight = target.weight + target.keyed(seconds) + driven.get(f"{mesh.blend.name}.weight[{number}]", 0)
            points[target.points] += weight * target.offsets
        return points

    def skinned(self, mesh, seconds=None):
        """the points of a mesh in centimetres; without a time every joint as its attributes are, without its curves"""
        skin = mesh.skin
        points = numpy.c_[self.blended(mesh, seconds), numpy.ones(len(mesh.points))]
        if skin is None:
            return (points @ self.world(mesh, 0))[:, :3]
        if skin.weights is None or not numpy.allclose(skin.weights.sum(1), 1, atol=1e-6):
            raise RuntimeError("weights that do not sum to 1")
        out, known = numpy.zeros((len(points), 3)), {}
        for column, joint in enumerate(skin.joints):
            matrix = skin.bind_pre[column] @ self.world(joint, seconds, known)
            out += skin.weights[:, column, None] * (points @ matrix)[:, :3]
        return out


# functions of Maya's language, whose angles are radians
MEL = {"sin": numpy.sin, "cos": numpy.cos, "atan2": numpy.arctan2, "clamp": lambda least, most, value: min(max(value, least), most)}


def turned(degrees, order="xyz"):
    """turns about the axes in the order of their names, for row vectors"""
    matrix = numpy.eye(4)
    for axis in map("xyz".index, order):
        if degrees[axis] == 0:
            continue
        angle = numpy.radians(degrees[axis])
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = numpy.eye(4)
        turn[i, i] = turn[j, j] = numpy.cos(angle)
        turn[i, j], turn[j, i] = numpy.sin(angle), -numpy.sin(angle)
        matrix = matrix @ turn
    return matrix


# ---- the commands ----

class Commands:
    def __init__(self, scene):
        self.scene = scene

    def createNode(self, kind, name=None, parent=None, **_):
        if kind not in NODE_TYPES:
            raise RuntimeError(f"Unknown object type: {kind}")
        return self.make(kind, name or kind + "1", parent)

    def make(self, kind, name, parent=None):
        scene = self.scene
        scene.legal(name)
        above = scene.find(parent) if parent else None
        node = Node(kind, scene.free_name(name, above), above)
        if kind not in DAG_TYPES:
            scene.others[node.name] = node
            return node.name
        scene.dag.append(node)
        return scene.short(node)

    def setAttr(self, plug, *values, type=None):
        if self.scene.others.get(plug.partition(".")[0], self).__class__ is BlendShape:
            return self.scene.others[plug.partition(".")[0]].set(plug.partition(".")[2], values, type)
        node, attribute = self.scene.find(plug.rsplit(".", 1)[0]), plug.rsplit(".", 1)[1]
        if attribute in ("translate", "jointOrient", "rotate", "rotateAxis"):
            if type != "double3" or len(values) != 3 or not all(map(is_number, values)):
                raise RuntimeError(f"setAttr {plug}: three numbers of type double3")
            convert = self.scene.centimetres if attribute == "translate" else self.scene.degrees
            node.values[attribute] = [convert(value) for value in values]
        elif attribute == "scale":
            if type != "double3" or len(values) != 3 or not all(map(is_number, values)) or node.kind != "transform":
                raise RuntimeError(f"setAttr {plug}: three numbers of type double3, of a transform")
            node.values["scale"] = list(values)
        elif attribute in ("rotateX", "rotateY", "rotateZ") and len(values) == 1:
            node.values["rotate"]["XYZ".index(attribute[-1])] = self.scene.degrees(values[0])
        elif attribute in ("rotateOrder", "segmentScaleCompensate", "radius") and len(values) == 1:
            if node.kind != "joint":
                raise RuntimeError(f"{node.kind} has no {attribute}")
            node.values[attribute] = values[0]
        else:
            raise RuntimeError(f"setAttr: No object matches name: {plug}")

    def ls(self, *names, long=False, **_):
        nodes = [self.scene.find(name) for name in names]
        return [node.path() if long else self.scene.short(node) for node in nodes]

    def listRelatives(self, name, shapes=False, fullPath=False, **_):
        node = self.scene.find(name)
        below = [other for other in self.scene.dag if other.parent is node and (not shapes or other.kind == "mesh")]
        return [other.path() if fullPath else other.name for other in below] or None

    def rename(self, name, new):
        node = self.scene.find(name)
        self.scene.legal(new)
        node.name = self.scene.free_name(new, node.parent)
        return node.name

    def currentUnit(self, query=False, linear=None, angle=None, time=None):
        scene = self.scene
        if query:
            return scene.linear if linear else scene.angle if angle else None
        if linear is not None:
            CENTIMETRES[linear]
            scene.linear = linear
        if angle is not None:
            if angle not in ("deg", "rad"):
                raise RuntimeError(f"no angular unit {angle}")
            scene.angle = angle
        if time is not None:
            raise NotImplementedError("the scene's frame rate is the user's")

    def upAxis(self, query=False, axis=None, rotateView=False):
        if not query:
            raise NotImplementedError("the scene's up axis is the user's")
        return self.scene.up

    def undoInfo(self, query=False, state=None, stateWithoutFlush=None):
        if query:
            return self.scene.undo
        if stateWithoutFlush is None:
            raise RuntimeError("undoInfo(state=...) would empty the user's undo queue")
        self.scene.undo = bool(stateWithoutFlush)

    def transformLimits(self, name, **flags):
        node = self.scene.find(name)
        for flag, pair in flags.items():
            switch = flag.startswith("enable")
            kind = (flag[6:] if switch else flag)
            attribute = {"R": "rotate", "T": "translate"}[kind[0].upper()] + kind[-1]
            limit = node.limits.setdefault(attribute, [(-45.0, 45.0), (False, False)])
            if not switch and not pair[0] <= pair[1]:
                raise RuntimeError(f"{name}: limits {pair}")
            limit[switch] = tuple(pair) if switch else tuple(map(self.scene.degrees, pair))

    def key_weight(self, name, attribute, time, value, *tangents):
        """a key of a blendShape's weight"""
        if tangents != ("linear", "linear") or not is_number(value):
            raise RuntimeError(f"{name}.{attribute}: a number, with straight tangents")
        target = self.scene.find(name).target(attribute, r"weight\[(\d+)\]")[0]
        target.keys[self.scene.seconds(time)] = value
        return 1

    def setKeyframe(self, name, attribute=None, time=None, value=None, inTangentType=None, outTangentType=None):
        if attribute is None:
            return self.key_weight(*name.split("."), time, value, inTangentType, outTangentType)
        node = self.scene.find(name)
        if attribute not in [a + k for a in ("rotate", "translate") for k in "XYZ"]:
            raise RuntimeError(f"No object matches name: {name}.{attribute}")
        if inTangentType not in TANGENTS or outTangentType not in TANGENTS:
            raise RuntimeError("unknown tangent type")
        if attribute in node.expressions:
            raise RuntimeError(f"{name}.{attribute} is already controlled by an expression")
        convert = self.scene.degrees if attribute.startswith("rotate") else self.scene.centimetres
        node.curves.setdefault(attribute, {})[self.scene.seconds(time)] = (convert(value), inTangentType, outTangentType)
        return 1

    def playbackOptions(self, **flags):
        self.scene.playback.update({flag: self.scene.seconds(time) for flag, time in flags.items()})

    def shadingNode(self, kind, name=None, asShader=False):
        if not asShader:
            raise RuntimeError("a shader must be made as one")
        return self.make(kind, name)

    def connectAttr(self, source, destination, force=False):
        self.scene.find(source.split(".")[0])
        if not source.endswith(".outColor") or not destination.endswith(".surfaceShader"):
            raise RuntimeError(f"{source} to {destination}")
        if destination.split(".")[0] not in self.scene.members:
            raise RuntimeError(f"{destination}: no shading group")

    def sets(self, *members, edit=False, forceElement=None, name=None, renderable=False, noSurfaceShader=False, empty=False):
        if not edit:
            if not (renderable and noSurfaceShader and empty):
                raise NotImplementedError("only empty shading groups are made")
            name = self.make("shadingEngine", name)
            self.scene.members[name] = []
            return name
        flat = [item for member in members for item in (member if isinstance(member, list) else [member])]
        if not flat:
            raise RuntimeError("sets -forceElement without members takes the selection")
        for member in flat:
            path, _, faces = member.partition(".f[")
            mesh = self.mesh_of(path)
            first, last = (map(int, faces.rstrip("]").split(":"))) if faces else (0, len(mesh.sizes) - 1)
            if not 0 <= first <= last < len(mesh.sizes):
                raise RuntimeError(f"{member} is not there")
            for face in range(first, last + 1):
                mesh.shading[face] = forceElement
        self.scene.members[forceElement] += flat

    def mesh_of(self, transform):
        node = self.scene.find(transform)
        if node.kind == "mesh":
            return node
        meshes = [other for other in self.scene.dag if other.parent is node and other.kind == "mesh"]
        if len(meshes) != 1:
            raise RuntimeError(f"{transform} has no mesh")
        return meshes[0]

    def blendShape(self, transform, name=None):
        mesh = self.mesh_of(transform)
        if mesh.skin or mesh.blend:
            raise NotImplementedError("the blendShape must be the first deformer")
        made = self.make("blendShape", name)
        mesh.blend = self.scene.others[made] = BlendShape(made, len(mesh.points))
        return [made]

    def attributeQuery(self, attribute, node=None, exists=False):
        if not exists:
            raise NotImplementedError("only whether an attribute exists")
        return attribute in BLEND_SHAPE_ATTRIBUTES and self.scene.others[node].__class__ is BlendShape

    def aliasAttr(self, alias, plug):
        name, _, attribute = plug.partition(".")
        node = self.scene.others[name]
        if alias in BLEND_SHAPE_ATTRIBUTES or alias in [target.alias for target in node.targets.values()]:
            raise RuntimeError(f"aliasAttr: {alias} is in use")
        node.target(attribute, r"weight\[(\d+)\]")[0].alias = self.scene.legal(alias)

    def expression(self, string=None, name=None, alwaysEvaluate=True, unitConversion="all"):
        """what turns a joint as another one, in the units of now, or what gives weights of targets, without conversion"""
        turn = re.fullmatch(r"(\S+)\.rotateX = (\S+) \* (\S+)\.rotateX \+ (\S+);", string)
        if turn and unitConversion in ("all", "angularOnly"):
            self.turn_along(*turn.groups())
        elif unitConversion == "none":
            for plug in self.scene.evaluate(string, None):
                node, _, attribute = plug.partition(".")
                if attribute == "rotateX":
                    self.free_turn(node).expressions[attribute] = string
                    continue
                self.scene.others[node].target(attribute, r"weight\[(\d+)\]")
                self.scene.expressions.append(string)
        else:
            raise RuntimeError(f"an expression that is not modelled: {string}")
        return self.make("expression", name)

    def free_turn(self, name):
        node = self.scene.find(name)
        if node.kind != "joint" or "rotateX" in node.curves or "rotateX" in node.expressions:
            raise RuntimeError(f"{name}.rotateX is no joint's, or already controlled")
        return node

    def turn_along(self, name, ratio, driver_name, offset):
        node, driver = self.free_turn(name), self.scene.find(driver_name)
        if driver.kind != "joint":
            raise RuntimeError(f"{driver_name}.rotateX is no joint's")
        node.expressions["rotateX"] = (driver, float(ratio), self.scene.degrees(float(offset)))

    def skinCluster(self, objects, name=None, toSelectedBones=False, maximumInfluences=None, normalizeWeights=1, bindMethod=1,
                    skinMethod=0, obeyMaxInfluences=True, removeUnusedInfluence=True, **_):
        if not toSelectedBones or removeUnusedInfluence:
            raise NotImplementedError("joints without vertices would be lost")
        mesh, joints = self.mesh_of(objects[-1]), [self.scene.find(item) for item in objects[:-1]]
        if mesh.skin or any(joint.kind != "joint" for joint in joints) or len(set(joints)) != len(joints):
            raise RuntimeError("skinCluster: bad objects")
        if not numpy.allclose(self.scene.world(mesh.parent, None), numpy.eye(4)):
            raise NotImplementedError("the mesh's transform must be at rest")
        skin = self.scene.others[self.make("skinCluster", name)]
        skin.joints, skin.mesh, skin.weights, skin.maximum = joints, mesh, None, maximumInfluences
        skin.bind_pre = [numpy.linalg.inv(self.scene.world(joint, None)) for joint in joints]
        mesh.skin = skin
        return [skin.name]


def strict(scene, name, function):
    """the command behind a check of its flags, as Maya's documentation has them"""
    flags = FLAGS[name]
    long_names = {short: long for long, (short, _) in flags.items()}

    def command(*arguments, **options):
        scene.calls.append((name, arguments, options))
        given = {}
        for flag, value in options.items():
            if flag in ("query", "q", "edit", "e"):
                mode = {"q": "query", "e": "edit"}.get(flag, flag)
                if (mode == "query" and not QUERIED.get(name, True)) or (mode == "edit" and name not in EDITED):
                    raise TypeError(f"{name}: Invalid flag '{flag}'")
                given[mode] = value
                continue
            flag = long_names.get(flag, flag)
            if flag not in flags:
                raise TypeError(f"{name}: Invalid flag '{flag}'")
            if not options.get("query", options.get("q")) and not fits(value, flags[flag][1]):
                raise TypeError(f"{name}: Invalid arguments for flag '{flag}': {value!r}")
            given[flag] = value
        return function(*arguments, **given)

    return command


# ---- the API ----

def array_type(name, accepts):
    class Array(list):
        def __init__(self, values=()):
            values = list(values)
            if not all(accepts(value) for value in values):
                raise TypeError(f"{name}: wrong elements")
            super().__init__(values)

    Array.__name__ = name
    return Array


class Vector:
    def __init__(self, *values):
        self.values = [float(value) for value in (values[0] if len(values) == 1 else values)]


class MPoint(Vector):
    pass


class MVector(Vector):
    pass


class MColor(Vector):
    pass


MPointArray = array_type("MPointArray", lambda value: isinstance(value, MPoint))
MVectorArray = array_type("MVectorArray", lambda value: isinstance(value, MVector))
MColorArray = array_type("MColorArray", lambda value: isinstance(value, MColor))
MIntArray = array_type("MIntArray", lambda value: isinstance(value, int))
MFloatArray = array_type("MFloatArray", is_number)
MDoubleArray = array_type("MDoubleArray", is_number)


class MFn:
    kMeshVertComponent = 550


class Object:
    """MObject and MDagPath: a node"""

    def __init__(self, node, scene):
        self.node, self.scene = node, scene

    def extendToShape(self):
        if self.node.kind != "mesh":
            (self.node,) = [other for other in self.scene.dag if other.parent is self.node and other.kind == "mesh"]
        return self

    def fullPathName(self):
        return self.node.path()


class MFnSingleIndexedComponent:
    def create(self, kind):
        if kind != MFn.kMeshVertComponent:
            raise NotImplementedError("only vertices")
        self.elements = []
        return self

    def addElements(self, elements):
        self.elements += MIntArray(elements)


class MFnMesh:
    def __init__(self, path=None):
        self.node = path.node if path else None
        if path and self.node.kind != "mesh":
            raise TypeError("(kInvalidParameter): Object is incompatible with this method")

    def create(self, points, sizes, vertices, parent=None):
        if not (isinstance(points, MPointArray) and isinstance(sizes, MIntArray) and isinstance(vertices, MIntArray)):
            raise TypeError("arrays of the API, please")
        if sum(sizes) != len(vertices) or (vertices and not 0 <= min(vertices) <= max(vertices) < len(points)):
            raise RuntimeError("(kInvalidParameter): faces")
        first = 0
        for size in sizes:
            face = vertices[first:first + size]
            if size < 3 or any(a == b for a, b in zip(face, face[1:] + face[:1])):
                raise RuntimeError(f"(kInvalidParameter): face {face}")
            first += size
        scene = parent.scene
        node = Node("mesh", scene.free_name("polySurfaceShape1", parent.node), parent.node)
        node.points = numpy.array([point.values for point in points]).reshape(-1, 3)
        node.sizes, node.vertices, node.skin, node.blend = list(sizes), list(vertices), None, None
        node.shading = [None] * len(sizes)
        node.uvs = node.uv_counts = node.uv_ids = node.normals = node.colors = None
        # sets after the first: name: [uvs, counts, ids]; name: colours
        node.uv_sets, node.color_sets = {}, {}
        scene.dag.append(node)
        self.node = node
        return Object(node, scene)

    def createUVSet(self, name):
        """the name that the set gets: another where it is taken"""
        while name == "map1" or name in self.node.uv_sets:
            name += "1"
        self.node.uv_sets[name] = [[], None, None]
        return name

    def setUVs(self, u, v, uvSet=None):
        if not (isinstance(u, MFloatArray) and isinstance(v, MFloatArray) and len(u) == len(v)):
            raise TypeError("setUVs")
        if uvSet is None:
            self.node.uvs = list(zip(u, v))
        else:
            self.node.uv_sets[uvSet][0] = list(zip(u, v))

    def assignUVs(self, counts, ids, uvSet=None):
        node = self.node
        uvs = node.uvs if uvSet is None else node.uv_sets[uvSet][0]
        if len(counts) != len(node.sizes) or sum(counts) != len(ids) or any(c not in (0, s) for c, s in zip(counts, node.sizes)):
            raise RuntimeError("(kInvalidParameter): assignUVs counts")
        if ids and not 0 <= min(ids) <= max(ids) < len(uvs):
            raise RuntimeError("(kInvalidParameter): assignUVs ids")
        if uvSet is None:
            node.uv_counts, node.uv_ids = MIntArray(counts), MIntArray(ids)
        else:
            node.uv_sets[uvSet][1:] = MIntArray(counts), MIntArray(ids)

    def setFaceVertexNormals(self, normals, faces, vertices):
        if not isinstance(normals, MVectorArray) or not len(normals) == len(faces) == len(vertices):
            raise TypeError("setFaceVertexNormals")
        self.node.normals = {(f, v): n.values for n, f, v in zip(normals, faces, vertices)}

    def createColorSet(self, name, clamped):
        self.node.color_set = None
        return name

    def setCurrentColorSetName(self, name):
        self.node.color_set = name

    def setVertexColors(self, colors, vertices):
        if not isinstance(colors, MColorArray) or not self.node.color_set or len(colors) != len(vertices):
            raise RuntimeError("setVertexColors without a current color set")
        values = {v: color.values for v, color in zip(vertices, colors)}
        if self.node.color_set == "colorSet1":
            self.node.colors = values
        else:
            self.node.color_sets[self.node.color_set] = values


class MFnSkinCluster:
    def __init__(self, item):
        if item.node.kind != "skinCluster":
            raise TypeError("(kInvalidParameter): no skinCluster")
        self.skin, self.scene = item.node, item.scene

    def influenceObjects(self):
        """Maya's order is that of the connections, which need not be that of the command: here it is turned around"""
        return [Object(joint, self.scene) for joint in reversed(self.skin.joints)]

    def setWeights(self, path, component, influences, weights, normalize=True):
        skin = self.skin
        if path.node is not skin.mesh or not isinstance(influences, MIntArray) or not isinstance(weights, MDoubleArray):
            raise TypeError("setWeights")
        if len(weights) != len(component.elements) * len(influences) or sorted(influences) != list(range(len(skin.joints))):
            raise RuntimeError("(kInvalidParameter): setWeights")
        if normalize:
            raise NotImplementedError("weights are given as they must be")
        if skin.weights is None:
            skin.weights = numpy.zeros((len(skin.mesh.points), len(skin.joints)))
        table = numpy.array(weights).reshape(len(component.elements), -1)
        columns = [len(skin.joints) - 1 - influence for influence in influences]
        skin.weights[numpy.ix_(component.elements, columns)] = table


def install(scene):
    """puts the mock where `import maya.cmds` finds it"""
    commands = Commands(scene)
    cmds, maya, api = (types.ModuleType(name) for name in ("maya.cmds", "maya", "maya.api"))
    om, oma = types.ModuleType("maya.api.OpenMaya"), types.ModuleType("maya.api.OpenMayaAnim")
    for name in FLAGS:
        setattr(cmds, name, strict(scene, name, getattr(commands, name)))

    class MSelectionList:
        def add(self, name):
            self.item = scene.find(name)
            return self

        def getDagPath(self, index):
            if self.item.kind not in DAG_TYPES:
                raise TypeError("item is not a DAG path")
            return Object(self.item, scene)

        def getDependNode(self, index):
            return Object(self.item, scene)

    for item in (MSelectionList, MPoint, MVector, MColor, MPointArray, MVectorArray, MColorArray, MIntArray, MFloatArray,
                 MDoubleArray, MFn, MFnSingleIndexedComponent, MFnMesh):
        setattr(om, item.__name__, item)
    oma.MFnSkinCluster = MFnSkinCluster
    maya.cmds, maya.api, api.OpenMaya, api.OpenMayaAnim = cmds, api, om, oma
    sys.modules.update({"maya": maya, "maya.cmds": cmds, "maya.api": api, "maya.api.OpenMaya": om,
                        "maya.api.OpenMayaAnim": oma})
