"""Opens exported glTF files with Blender's importer and compares places and orientations at impacts with the motion.

usage: python blender_gltf.py FOLDER      (needs `bpy`)
FOLDER has NAME.glb, and NAME.json with the motion itself. Cubic files are left out: Blender's importer drops tangents.
"""

import json
import math
import pathlib
import sys

import bpy
import mathutils

# What another program shows at an impact may be this far from the motion, in metres and radians.
TOLERANCE = 1e-5
ANGLE_TOLERANCE = 1e-4
# Blender merges keys that are nearer than 0.01 frames, so the rate at which a file is imported matters. These are Blender's own
# and the exporter's default, and one at which keys 2 µs apart stay two.
RATES = (24, 60, 6000)
# Orientations are compared from this rate on: where a body is struck twice within 0.01 frames, one of its turns is lost.
ANGLE_RATE = 6000


def upright(gravity, up):
    """The turn that puts a scene upright: its axis nearest to "against gravity" becomes `up`."""
    axis = max(range(3), key=lambda k: abs(gravity[k]))
    own = mathutils.Vector((0.0, 1.0, 0.0))
    if gravity[axis] != 0.0:
        own = mathutils.Vector([-math.copysign(1.0, gravity[k]) if k == axis else 0.0 for k in range(3)])
    return own.rotation_difference(mathutils.Vector(up))


def instants(motion):
    for line in motion["states"]:
        if line["at"] == "after" or line["t"] == 0.0:
            yield line["t"], line["bodies"]


def deviation(motion, turn, from_body, fps):
    """Largest distance and angle at the instants, over all bodies; `from_body` turns meshes in their own frame."""
    scene = bpy.context.scene
    worst, worst_angle = 0.0, 0.0
    for t, bodies in instants(motion):
        frame = t * fps
        whole = math.floor(frame)
        scene.frame_set(whole, subframe=frame - whole)
        for name, state in bodies.items():
            world = bpy.data.objects[name].matrix_world
            x, y, z, w = state["rotation"]
            true_turn = turn @ mathutils.Quaternion((w, x, y, z)) @ (from_body or mathutils.Quaternion())
            true_place = turn @ mathutils.Vector(state["position"])
            worst = max(worst, (world.translation - true_place).length)
            difference = world.to_quaternion().rotation_difference(true_turn)
            # The vector part keeps its digits where the angle is small.
            worst_angle = max(worst_angle, 2 * math.asin(min(1.0, mathutils.Vector(difference[1:]).length)))
    return worst, worst_angle


def clear(fps=60):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps


def imported(file, motion, fps):
    """Largest distance and angle of a glTF file that is imported at a frame rate."""
    clear(fps)
    bpy.ops.import_scene.gltf(filepath=str(file))
    # The importer turns y up into z up, in every frame.
    swap = mathutils.Quaternion((1, 0, 0), math.pi / 2)
    return deviation(motion, swap @ upright(motion["gravity"], (0, 1, 0)), swap.inverted(), fps)


def main(folder):
    files = [file for file in sorted(folder.glob("*.glb")) if file.name.count(".") == 1]
    failures = 0
    for fps in RATES:
        worst = (0.0, 0.0)
        for file in files:
            motion = json.loads(file.with_suffix(".json").read_text())
            found = imported(file, motion, fps)
            worst = tuple(map(max, worst, found))
            if not (found[0] <= TOLERANCE and (found[1] <= ANGLE_TOLERANCE or fps < ANGLE_RATE)):
                failures += 1
                print(f"  FAILED {file.name} at {fps} fps: {found[0]:.1e} m, {found[1]:.1e} rad off at an impact")
        print(f"  Blender {bpy.app.version_string} imports glTF at {fps} fps: {len(files)} files, {worst[0]:.1e} m, {worst[1]:.1e} rad off at impacts")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
