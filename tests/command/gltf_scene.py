"""A glTF file taken apart by the rules of the specification, without ossa: its numbers, and where every vertex is."""
import json
import struct

import numpy as np

TYPES = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def matrix_of(node):
    """4 x 4, for column vectors"""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
    matrix[:3, 3] = node.get("translation", [0, 0, 0])
    return matrix


class Scene:
    """a .glb, or a .gltf with its one .bin"""

    def __init__(self, path):
        data = path.read_bytes()
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            self.json, self.binary = json.loads(data[20:20 + size]), data[28 + size:]
        else:
            self.json = json.loads(data)
            self.binary = (path.parent / self.json["buffers"][0]["uri"]).read_bytes()

    def view(self, index):
        view = self.json["bufferViews"][index]
        first = view.get("byteOffset", 0)
        return self.binary[first:first + view["byteLength"]]

    def numbers(self, index):
        """count x width, as they are stored"""
        accessor = self.json["accessors"][index]
        kind, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        values = np.zeros((accessor["count"], width), kind)
        if "bufferView" in accessor:
            data = self.view(accessor["bufferView"])
            stride = self.json["bufferViews"][accessor["bufferView"]].get("byteStride", width * kind.itemsize)
            first = accessor.get("byteOffset", 0)
            values = np.ndarray((accessor["count"], width), kind, data, first, (stride, kind.itemsize)).copy()
        sparse = accessor.get("sparse")
        if sparse:
            places = np.frombuffer(self.view(sparse["indices"]["bufferView"]), TYPES[sparse["indices"]["componentType"]],
                                   sparse["count"], sparse["indices"].get("byteOffset", 0))
            values[places] = np.frombuffer(self.view(sparse["values"]["bufferView"]), kind, sparse["count"] * width,
                                           sparse["values"].get("byteOffset", 0)).reshape(-1, width)
        return values

    def floats(self, index):
        values, accessor = self.numbers(index), self.json["accessors"][index]
        scale = np.iinfo(values.dtype).max if accessor.get("normalized") else 1
        return values.astype(float) / scale

    def worlds(self):
        nodes, found = self.json["nodes"], {}
        parents = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}

        def world(i):
            if i not in found:
                found[i] = world(parents[i]) @ matrix_of(nodes[i]) if i in parents else matrix_of(nodes[i])
            return found[i]

        return [world(i) for i in range(len(nodes))]

    def shown(self):
        """nodes of the scene that is shown, in their order"""
        left, found = list(self.json["scenes"][self.json.get("scene", 0)]["nodes"]), set()
        while left:
            found.add(left.pop())
            left += [child for node in found for child in self.json["nodes"][node].get("children", []) if child not in found]
        return sorted(found)

    def linear_maps(self, node, primitive):
        """of each vertex, what takes it from the mesh to the scene at rest: n x 4 x 4"""
        count, worlds = len(self.numbers(primitive["attributes"]["POSITION"])), self.worlds()
        if "skin" not in self.json["nodes"][node]:
            return np.broadcast_to(worlds[node], (count, 4, 4))
        skin = self.json["skins"][self.json["nodes"][node]["skin"]]
        inverse = self.floats(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = np.array([worlds[joint] @ inverse[k] for k, joint in enumerate(skin["joints"])])
        maps, k = np.zeros((count, 4, 4)), 0
        while f"JOINTS_{k}" in primitive["attributes"]:
            index = self.numbers(primitive["attributes"][f"JOINTS_{k}"]).astype(int)
            weight = self.floats(primitive["attributes"][f"WEIGHTS_{k}"])
            maps += np.einsum("nk,nkij->nij", weight, joints[index])
            k += 1
        return maps

    def surfaces(self, weights=None):
        """each primitive of triangles that is shown: positions, normals and tangents in the scene at rest, with these weights of
        morph targets or the file's own; and its triangles"""
        for n in self.shown():
            node = self.json["nodes"][n]
            for primitive in self.json["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []:
                if primitive.get("mode", 4) != 4:
                    continue
                own = node.get("weights", self.json["meshes"][node["mesh"]].get("weights", []))
                yield self.surface(n, primitive, own if weights is None else weights)

    def surface(self, node, primitive, weights):
        maps, found = self.linear_maps(node, primitive), {}
        for key in ("POSITION", "NORMAL", "TANGENT"):
            if key not in primitive["attributes"]:
                continue
            values = self.floats(primitive["attributes"][key])
            for target, weight in zip(primitive.get("targets", []), weights):
                if key in target:
                    values[:, :3] += weight * self.floats(target[key])
            found[key] = values
        turned = {"POSITION": np.einsum("nij,nj->ni", maps[:, :3, :3], found["POSITION"]) + maps[:, :3, 3]}
        if "NORMAL" in found:
            back = np.linalg.inv(maps[:, :3, :3]).transpose(0, 2, 1)
            turned["NORMAL"] = unit(np.einsum("nij,nj->ni", back, found["NORMAL"]))
        if "TANGENT" in found:
            turned["TANGENT"] = unit(np.einsum("nij,nj->ni", maps[:, :3, :3], found["TANGENT"][:, :3]))
        count = len(found["POSITION"])
        indices = self.numbers(primitive["indices"])[:, 0] if "indices" in primitive else np.arange(count)
        triangles = indices.astype(int).reshape(-1, 3)
        # a node that mirrors turns its triangles over; a skin does not
        if "skin" not in self.json["nodes"][node] and np.linalg.det(maps[0, :3, :3]) < 0:
            triangles = triangles[:, [0, 2, 1]]
        return turned, triangles


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
