# A motion for Blender, with its impacts: run it there (Text Editor, or `blender --python THIS_FILE`).
#
# It makes a collection with an object for each body below one empty, and gives them F-curves: keys stand at the exact
# instants, also between frames, and Bezier handles carry the velocity on either side. No rigid bodies are involved.
# Joints and forces are in a collection of their own; springs and rods reach from point to point by "Stretch To" constraints.
# Works with Blender 3.6 and later. Do not call FCurve.update() on what it makes: that merges keys nearer than 0.01 frames.
import json

import bpy

MOTION = json.loads(r'''@MOTION@''')


def fcurves_of(owner):
    """A new collection of F-curves for an object."""
    action = bpy.data.actions.new(owner.name)
    owner.animation_data_create().action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots.new(id_type="OBJECT", name=owner.name)
    owner.animation_data.action_slot = slot
    strip = action.layers.new("Motion").strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def animate(fcurves, path, size, keys, fps):
    """Keys are [t, values, rates before, rates after]; a handle at a third of the step makes the curve a true cubic."""
    kinds = bpy.types.Keyframe.bl_rna.properties
    bezier = kinds["interpolation"].enum_items["BEZIER"].value
    free = kinds["handle_left_type"].enum_items["FREE"].value
    times = [key[0] for key in keys]
    steps = [0.0] + [b - a for a, b in zip(times, times[1:])] + [0.0]
    for index in range(size):
        points, left, right = [], [], []
        for key, before, after in zip(keys, steps, steps[1:]):
            t, value = key[0], key[1 + index]
            points += [t * fps, value]
            left += [(t - before / 3) * fps, value - key[1 + size + index] * before / 3]
            right += [(t + after / 3) * fps, value + key[1 + 2 * size + index] * after / 3]
        curve = fcurves.new(path, index=index)
        curve.keyframe_points.add(len(keys))
        curve.keyframe_points.foreach_set("co", points)
        for kind, value in (("interpolation", bezier), ("handle_left_type", free), ("handle_right_type", free)):
            curve.keyframe_points.foreach_set(kind, [value] * len(keys))
        curve.keyframe_points.foreach_set("handle_left", left)
        curve.keyframe_points.foreach_set("handle_right", right)


def mesh_of(body):
    mesh = bpy.data.meshes.new(body["name"])
    shape = MOTION["meshes"][body["mesh"]]
    mesh.from_pydata(shape["positions"], [], shape["triangles"])
    # Vertices on a sharp edge occur once for each face, so that smooth shading leaves the edge sharp.
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    material = bpy.data.materials.new(body["name"])
    material.diffuse_color = (*body["color"], 1.0)
    material.use_nodes = True
    shader = material.node_tree.nodes.get("Principled BSDF")
    if shader:
        shader.inputs["Base Color"].default_value = (*body["color"], 1.0)
        shader.inputs["Roughness"].default_value = 0.6
    mesh.materials.append(material)
    return mesh


def switch(fcurves, shown, fps):
    """Hides a thing for a time; keys are [t, whether it is seen]."""
    constant = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["CONSTANT"].value
    for path in ("hide_viewport", "hide_render"):
        curve = fcurves.new(path)
        curve.keyframe_points.add(len(shown))
        curve.keyframe_points.foreach_set("co", [x for t, seen in shown for x in (t * fps, 0.0 if seen else 1.0)])
        curve.keyframe_points.foreach_set("interpolation", [constant] * len(shown))


def put(name, mesh, spot, shown, things, root, collection):
    """A thing at a point of a body, at a place, or with keys."""
    thing = bpy.data.objects.new(name, mesh)
    collection.objects.link(thing)
    thing.parent = root if spot["body"] is None else things[spot["body"]]
    thing.location = spot["place"][0][1:4]
    fps = MOTION["fps"]
    moves = len(spot["place"]) > 1
    if moves or len(shown) > 1:
        fcurves = fcurves_of(thing)
        if moves:
            animate(fcurves, "location", 3, spot["place"], fps)
        if len(shown) > 1:
            switch(fcurves, shown, fps)
    elif shown:
        thing.hide_viewport = thing.hide_render = not shown[0][1]
    return thing


def build_marks(things, root, parent):
    collection = bpy.data.collections.new("Joints and forces")
    parent.children.link(collection)
    for mark in MOTION["marks"]:
        thing = put(mark["name"], mesh_of(mark), mark["at"], mark["shown"], things, root, collection)
        thing["of"], thing["kind"] = mark["of"], mark["kind"]
        if mark["to"]:
            spot, length = mark["to"]
            end = put(mark["name"] + ", end", None, spot, [], things, root, collection)
            end.empty_display_size = 0.02 * length
            reach = thing.constraints.new("STRETCH_TO")
            reach.target, reach.rest_length = end, length
            reach.volume, reach.keep_axis = "NO_VOLUME", "SWING_Y"


def build():
    scene = bpy.context.scene
    fps = MOTION["fps"]
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps
    scene.frame_start, scene.frame_end = 0, round(MOTION["t_end"] * fps)
    collection = bpy.data.collections.new(MOTION["title"])
    scene.collection.children.link(collection)
    root = bpy.data.objects.new(MOTION["title"], None)
    root.rotation_mode = "QUATERNION"
    root.rotation_quaternion = MOTION["root"]
    collection.objects.link(root)
    things = []
    for body in MOTION["bodies"]:
        thing = bpy.data.objects.new(body["name"], mesh_of(body))
        collection.objects.link(thing)
        thing.parent = root
        thing.rotation_mode = "QUATERNION"
        thing.location = body["place"][0][1:4]
        thing.rotation_quaternion = body["turn"][0][1:5]
        if len(body["place"]) > 1 or len(body["turn"]) > 1:
            fcurves = fcurves_of(thing)
            animate(fcurves, "location", 3, body["place"], fps)
            animate(fcurves, "rotation_quaternion", 4, body["turn"], fps)
        things.append(thing)
    if MOTION.get("marks"):
        build_marks(things, root, collection)
    for name, t in MOTION["impacts"]:
        scene.timeline_markers.new(name, frame=round(t * fps))
    scene.frame_set(0)


build()
