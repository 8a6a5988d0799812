"""Sparse accessors where positions are written anew: of a mirrored node, in other axes, at another rest pose."""
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(print("skipped: python3-numpy is not there"))

import test_props
from gltf_scene import Scene
from harness import CommandTest, main
from lod_scene import save
from test_kept_files import write_scene


def make_sparse(source, target, keys):
    """the attributes and morph targets of these names as sparse accessors without a base, which have a value for every element"""
    scene = Scene(source)
    gltf, binary = scene.json, scene.binary
    primitives = [p for mesh in gltf["meshes"] for p in mesh["primitives"]]
    named = {held[key] for p in primitives for held in (p["attributes"], *p.get("targets", [])) for key in keys & set(held)}
    for index in sorted(named):
        accessor = gltf["accessors"][index]
        places = np.arange(accessor["count"], dtype=np.uint32).tobytes()
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(places)})
        accessor["sparse"] = {"count": accessor["count"], "values": {"bufferView": accessor.pop("bufferView")},
                              "indices": {"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5125}}
        binary += places
    save(target, gltf, binary)


class Sparse(CommandTest):
    def assert_alike(self, *words):
        """what comes out is what comes out of a file without sparse accessors, to the bit"""
        scenes = []
        for name in ("dense", "sparse"):
            output = ("-o", f"{name}.out.glb") if words[0] == "rig" else (f"{name}.out.glb",)
            self.ossa(words[0], f"{name}.glb", *output, *words[1:])
            scenes.append(Scene(self.folder / f"{name}.out.glb"))
        for weights in ([0, 0], [1, 0], [0.5, 0.25]):
            dense, sparse = (list(scene.surfaces(weights)) for scene in scenes)
            self.assertEqual(len(dense), len(sparse))
            for (a, triangles), (b, others) in zip(dense, sparse):
                self.assertTrue((triangles == others).all())
                for key in a:
                    self.assertEqual(a[key].tobytes(), b[key].tobytes(), (words, key))

    def test_positions_that_are_written_anew(self):
        write_scene(self.folder / "dense.glb", animated=False)
        for keys in ({"POSITION"}, {"POSITION", "NORMAL", "TANGENT"}):
            make_sparse(self.folder / "dense.glb", self.folder / "sparse.glb", keys)
            self.assert_alike("rig", "--method", "contraction", "--body", "none")
            self.assert_alike("convert", "--up", "z", "--unit", "0.01")

    def test_another_rest_pose(self):
        test_props.write_scene(self.folder / "dense.glb")
        make_sparse(self.folder / "dense.glb", self.folder / "sparse.glb", {"POSITION"})
        self.assert_alike("rig", "--rest-pose", "3")


if __name__ == "__main__":
    main()
