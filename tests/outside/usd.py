"""Opens exported USD files with Pixar's library and compares places and the physics state with the motion.

usage: python usd.py FOLDER      (needs `usd-core`)
FOLDER has NAME.usda, and NAME.json with the motion itself.
"""

import json
import math
import pathlib
import sys

from pxr import Gf, Usd, UsdGeom, UsdPhysics

# USD keeps every digit: what is left is rounding.
TOLERANCE = 1e-9


def upright(gravity):
    axis = max(range(3), key=lambda k: abs(gravity[k]))
    own = Gf.Vec3d(0, 1, 0)
    if gravity[axis] != 0.0:
        own = Gf.Vec3d(*[-math.copysign(1.0, gravity[k]) if k == axis else 0.0 for k in range(3)])
    return Gf.Rotation(own, Gf.Vec3d(0, 1, 0))


def check(file):
    """The largest distance at impacts; raises where something is missing."""
    motion = json.loads(file.with_suffix(".json").read_text())
    stage = Usd.Stage.Open(str(file))
    assert UsdGeom.GetStageUpAxis(stage) == "Y" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    up = upright(motion["gravity"])
    bodies = {prim.GetDisplayName(): prim for prim in stage.GetDefaultPrim().GetChildren() if prim.IsA(UsdGeom.Xform)}
    assert len(bodies) == len(motion["bodies"]), "not every body is there"
    for body in motion["bodies"]:
        prim = bodies[body["name"]]
        mesh = UsdGeom.Mesh(prim.GetChild("Shape"))
        counts, indices = mesh.GetFaceVertexCountsAttr().Get(), mesh.GetFaceVertexIndicesAttr().Get()
        assert UsdGeom.Mesh.ValidateTopology(indices, counts, len(mesh.GetPointsAttr().Get()))[0], "broken mesh"
        assert prim.GetChild("Shape").HasAPI(UsdPhysics.CollisionAPI)
        if not body["fixed"]:
            rigid, start = UsdPhysics.RigidBodyAPI(prim), motion["states"][0]["bodies"][body["name"]]
            assert prim.HasAPI(UsdPhysics.RigidBodyAPI)
            velocity, spin = rigid.GetVelocityAttr().Get(), rigid.GetAngularVelocityAttr().Get()
            assert (Gf.Vec3d(velocity) - Gf.Vec3d(*start["velocity"])).GetLength() < 1e-5
            assert (Gf.Vec3d(spin) - Gf.Vec3d(*start["spin"]) * (180 / math.pi)).GetLength() < 1e-3
            assert abs(UsdPhysics.MassAPI(prim).GetMassAttr().Get() / body["mass"] - 1) < 1e-6
    worst, rate = 0.0, stage.GetTimeCodesPerSecond()
    for line in motion["states"]:
        if line["at"] != "after" and line["t"] != 0.0:
            continue
        cache = UsdGeom.XformCache(line["t"] * rate)
        for name, state in line["bodies"].items():
            place = cache.GetLocalToWorldTransform(bodies[name]).ExtractTranslation()
            worst = max(worst, (place - up.TransformDir(Gf.Vec3d(*state["position"]))).GetLength())
    return worst


def main(folder):
    files = sorted(folder.glob("*.usda"))
    failures, worst = 0, 0.0
    for file in files:
        try:
            found = check(file)
        except Exception as error:  # whatever goes wrong in one file, the others are looked at too
            failures += 1
            print(f"  FAILED {file.name}: {error!r}")
            continue
        worst = max(worst, found)
        if not found <= TOLERANCE:
            failures += 1
            print(f"  FAILED {file.name}: {found:.1e} m off at an impact")
    version = ".".join(map(str, Usd.GetVersion()))
    print(f"  USD {version}: {len(files)} files, {worst:.1e} m off at impacts")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
