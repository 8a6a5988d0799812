# Godot 3: sets every frame of the scenes that a project imported and compares the vertices with FILE.pc2.
# usage: godot3-server --path PROJECT --script pose_godot.gd FILE... (tests/clients/judge_godot makes the project)
extends SceneTree

const TOLERANCE = 1e-4

# points and frames of a PC2 cache
func read_cache(path):
	var file = File.new()
	var frames = []
	file.open(path, File.READ)
	file.seek(16)
	var points = file.get_32()
	file.seek(28)
	for f in range(file.get_32()):
		var frame = PoolVector3Array()
		for i in range(points):
			var x = file.get_float()
			var y = file.get_float()
			frame.append(Vector3(x, y, file.get_float()))
		frames.append(frame)
	return frames

func find(node, type):
	if node.is_class(type):
		return node
	for child in node.get_children():
		var found = find(child, type)
		if found:
			return found
	return null

# what moves the vertices of each bone; without a skin of its own a mesh is bound to the skeleton's rest
func skin_maps(mesh, skeleton):
	var rests = []
	var maps = []
	for b in range(skeleton.get_bone_count()):
		var parent = skeleton.get_bone_parent(b)
		rests.append((rests[parent] if parent >= 0 else Transform()) * skeleton.get_bone_rest(b))
		if not mesh.skin:
			maps.append(skeleton.global_transform * skeleton.get_bone_global_pose(b) * rests[b].affine_inverse())
	for i in range(mesh.skin.get_bind_count() if mesh.skin else 0):
		var bone = mesh.skin.get_bind_bone(i)
		if bone < 0:
			bone = skeleton.find_bone(mesh.skin.get_bind_name(i))
		maps.append(skeleton.global_transform * skeleton.get_bone_global_pose(bone) * mesh.skin.get_bind_pose(i))
	return maps

func posed(mesh, skeleton):
	var out = PoolVector3Array()
	var maps = skin_maps(mesh, skeleton)
	for s in range(mesh.mesh.get_surface_count()):
		var arrays = mesh.mesh.surface_get_arrays(s)
		var vertices = arrays[Mesh.ARRAY_VERTEX]
		var bones = arrays[Mesh.ARRAY_BONES]
		var weights = arrays[Mesh.ARRAY_WEIGHTS]
		for v in range(vertices.size()):
			var sum = Vector3()
			for k in range(4 * v, 4 * v + 4):
				if weights[k] > 0:
					sum += maps[bones[k]].xform(vertices[v]) * weights[k]
			out.append(sum)
	return out

# which vertex of ossa's each one found is: the nearest at rest
func nearest(rest, found):
	var order = []
	for point in found:
		var best = 0
		var least = INF
		for i in range(rest.size()):
			var distance = rest[i].distance_squared_to(point)
			if distance < least:
				least = distance
				best = i
		order.append(best)
	return order

func largest_difference(expected, order, found):
	var worst = 0.0
	for i in range(found.size()):
		worst = max(worst, (found[i] - expected[order[i]]).length())
	return worst

func judge(path):
	var frames = read_cache("res://" + path.get_basename() + ".pc2")
	var scene = load("res://" + path).instance()
	root.add_child(scene)
	var skeleton = find(scene, "Skeleton")
	var mesh = find(scene, "MeshInstance")
	var player = find(scene, "AnimationPlayer")
	var box = AABB(frames[0][0], Vector3())
	for point in frames[0]:
		box = box.expand(point)
	for b in range(skeleton.get_bone_count()):
		skeleton.set_bone_pose(b, Transform())
	var rest = posed(mesh, skeleton)
	var order = nearest(frames[0], rest)
	var worst = largest_difference(frames[0], order, rest)
	# every bone has a key in every frame
	var clip = player.get_animation_list()[0]
	var motion = player.get_animation(clip)
	player.play(clip)
	for f in range(1, frames.size()):
		player.seek(motion.track_get_key_time(0, f - 1), true)
		worst = max(worst, largest_difference(frames[f], order, posed(mesh, skeleton)))
	worst /= box.size.length()
	var good = rest.size() > 0 and worst <= TOLERANCE
	print("godot: ", path, ": clip \"", clip, "\", ", skeleton.get_bone_count(), " bones, ", frames.size(), " poses, worst vertex ",
		"%.6f" % worst, " of the diagonal", "" if good else " FAILED")
	root.remove_child(scene)
	return good

func _init():
	var failed = false
	for path in OS.get_cmdline_args():
		if (path.ends_with(".dae") or path.ends_with(".glb")) and not judge(path):
			failed = true
	OS.exit_code = 1 if failed else 0
	quit()
