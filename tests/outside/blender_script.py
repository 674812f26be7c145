"""Runs exported Blender scripts and compares places and orientations at impacts with the motion.

usage: python blender_script.py FOLDER      (needs `bpy`)
FOLDER has NAME.py, and NAME.json with the motion itself.
"""

import json
import pathlib
import runpy
import sys

import bpy
from blender_gltf import clear, deviation, upright

TOLERANCE = 1e-5
ANGLE_TOLERANCE = 1e-3


def main(folder):
    files = sorted(folder.glob("*.py"))
    failures, worst = 0, (0.0, 0.0)
    for file in files:
        clear()
        runpy.run_path(str(file))
        motion = json.loads(file.with_suffix(".json").read_text())
        fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        found = deviation(motion, upright(motion["gravity"], (0, 0, 1)), None, fps)
        worst = tuple(map(max, worst, found))
        if not (found[0] <= TOLERANCE and found[1] <= ANGLE_TOLERANCE):
            failures += 1
            print(f"  FAILED {file.name}: {found[0]:.1e} m, {found[1]:.1e} rad off at an impact")
    print(f"  Blender {bpy.app.version_string} runs scripts: {len(files)} files, {worst[0]:.1e} m, {worst[1]:.1e} rad off at impacts")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
