"""What a rig does not concern is in a glTF file as it was: every accessor, image, material and extra, in order, byte by byte.

usage: judge_kept.py BEFORE.glb AFTER.glb [BEFORE.glb AFTER.glb ...]
A mesh whose skin was bound elsewhere than its joints rest, or whose node is mirrored, gets new positions; of these the other
attributes are compared, and the line says how many there are.
"""
import sys
from pathlib import Path
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "command"))
from gltf_scene import Scene  # noqa: E402

LISTS = ("materials", "textures", "samplers", "cameras")
# these turn with the positions; a mirrored mesh's triangles are turned over
MOVED = {"POSITION", "NORMAL", "TANGENT"}
OURS = ("JOINTS_", "WEIGHTS_")


class Different(Exception):
    pass


def require(good, what):
    if not good:
        raise Different(what)


def accessor_of(scene, index):
    accessor = dict(scene.json["accessors"][index])
    accessor.pop("bufferView", None)
    accessor.pop("byteOffset", None)
    return accessor, scene.numbers(index).tobytes()


def image_of(scene, image, folder):
    """what is said of an image, and its bytes, inside the file or beside it; None: they are not there"""
    said = {key: value for key, value in image.items() if key not in ("bufferView", "uri", "mimeType")}
    if "bufferView" in image:
        return said, scene.view(image["bufferView"])
    path = folder / unquote(image["uri"])
    return said, path.read_bytes() if path.exists() else None


def same_attributes(before, after, a, b, where, skipped):
    """attributes of a primitive or target, in their order but for those that are written anew"""
    wanted, found = ([key for key in own if not key.startswith(OURS)] for own in (a, b))
    require(set(found) == set(wanted) and (skipped or found == wanted), f"{where}: attributes {found}, not {wanted}")
    count = 0
    for key in wanted:
        if key in skipped:
            continue
        require(accessor_of(before, a[key]) == accessor_of(after, b[key]), f"{where}: {key}")
        count += 1
    return count


def is_moved(before, after, a, b):
    return any(accessor_of(before, p["attributes"]["POSITION"]) != accessor_of(after, q["attributes"]["POSITION"])
               for p, q in zip(a["primitives"], b["primitives"]))


def same_primitive(before, after, p, q, where, moved):
    skipped = MOVED if moved else set()
    count = same_attributes(before, after, p["attributes"], q["attributes"], where, skipped)
    require(p.get("material") == q.get("material") and p.get("mode") == q.get("mode"), f"{where}: material or mode")
    require(p.get("extras") == q.get("extras"), f"{where}: extras")
    require(len(p.get("targets", [])) == len(q.get("targets", [])), f"{where}: targets")
    for k, (s, t) in enumerate(zip(p.get("targets", []), q.get("targets", []))):
        count += same_attributes(before, after, s, t, f"{where}, target {k}", skipped)
    require(("indices" in p) == ("indices" in q), f"{where}: indices")
    if "indices" in p and not moved:
        require(accessor_of(before, p["indices"]) == accessor_of(after, q["indices"]), f"{where}: indices")
        count += 1
    return count


def foreign(item):
    """extras but for what ossa adds"""
    return {key: value for key, value in item.get("extras", {}).items() if key != "ossa"}


def same_meshes(before, after):
    """how many accessors are the same, and how many meshes were moved"""
    count, moved_count = 0, 0
    a, b = before.json.get("meshes", []), after.json.get("meshes", [])
    require(len(a) <= len(b), f"{len(b)} meshes, not {len(a)}")
    for m, (p, q) in enumerate(zip(a, b)):
        for key in ("name", "weights", "extensions"):
            require(p.get(key) == q.get(key), f"mesh {m}: {key}")
        require(foreign(p) == foreign(q), f"mesh {m}: extras")
        require(len(p["primitives"]) == len(q["primitives"]), f"mesh {m}: primitives")
        moved = is_moved(before, after, p, q)
        moved_count += moved
        for i, (s, t) in enumerate(zip(p["primitives"], q["primitives"])):
            count += same_primitive(before, after, s, t, f"mesh {m}, primitive {i}", moved)
    return count, moved_count


def same_rest(before, after, folders):
    require(foreign(before.json) == foreign(after.json), "extras")
    for name in (*LISTS, "asset", "extensions", "extensionsUsed", "extensionsRequired", "scene"):
        require(before.json.get(name) == after.json.get(name), name)
    images = [[image_of(scene, image, folder) for image in scene.json.get("images", [])] for scene, folder in zip((before, after), folders)]
    require(images[0] == images[1], "images")
    scenes = [[{key: scene.get(key) for key in ("name", "extras", "extensions")} for scene in file.json["scenes"]] for file in (before, after)]
    require(scenes[0] == scenes[1], "scenes")
    return len(images[0])


def same_nodes(before, after):
    """nodes that have something, and were no joints, keep name and extras, in their order"""
    def facts(node):
        return node.get("name"), foreign(node), node.get("camera")

    joints = {joint for skin in before.json.get("skins", []) for joint in skin["joints"]}
    left = [node for n, node in enumerate(before.json["nodes"]) if n not in joints and {"extras", "camera", "mesh"} & set(node)]
    found = iter([facts(node) for node in after.json["nodes"]])
    for wanted in left:
        require(facts(wanted) in found, f"node {wanted.get('name')}")


def judge(first, second):
    before, after = Scene(Path(first)), Scene(Path(second))
    try:
        images = same_rest(before, after, (Path(first).parent, Path(second).parent))
        same_nodes(before, after)
        count, moved = same_meshes(before, after)
    except Different as what:
        print(f"kept: {second}: FAILED: {what} differ")
        return False
    print(f"kept: {second}: {count} accessors, {images} images, {len(before.json.get('materials', []))} materials as before" +
          (f"; {moved} meshes moved" if moved else ""))
    return True


files = sys.argv[1:]
results = [judge(*pair) for pair in zip(files[::2], files[1::2])]
sys.exit(0 if results and all(results) else 1)
