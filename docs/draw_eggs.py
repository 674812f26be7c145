#!/usr/bin/env python3
"""Draws docs/eggs.gif: the eggs' journal drag by drag, then the motion that came of it.

Needs Pillow and the built program: cargo build --release && python3 docs/draw_eggs.py
"""

import glob
import json
import os
import subprocess
import tempfile

from PIL import Image, ImageDraw, ImageFont

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "target")), "release", "hattrick")
VIEW = "--size 640x390 --eye 0.1,1.0,4.05 --target 0,0.86,0 --no-caption --theme dark".split()
# Where each drag begins in the journal, in how many pictures it is shown, and what is said.
DRAGS = [
    (2, 7, "Pull one path …"),
    (5, 7, "… and the other: they meet."),
    (10, 6, "Then on into the buckets …"),
    (14, 6, "… both of them."),
]
FONTS = os.path.expanduser("~/.cargo/registry/src/*/epaint_default_fonts-*/fonts/Ubuntu-Light.ttf")


def program(*arguments):
    found = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    # Replays end with 1 where a nail is not met yet.
    if found.returncode not in (0, 1):
        raise SystemExit(found.stderr)
    return found.stdout


def main(folder):
    scenes = os.path.join(HERE, "scenes")
    for name in ("eggs.toml", "eggs.jsonl"):
        with open(os.path.join(scenes, name)) as source, open(os.path.join(folder, name), "w") as copy:
            copy.write(source.read())
    with open(os.path.join(folder, "eggs.jsonl")) as journal:
        head, *edits = [json.loads(line) for line in journal if line.strip()]
    path = lambda name: os.path.join(folder, name)

    def scene(edits, name):
        with open(path(name + ".jsonl"), "w") as journal:
            journal.writelines(json.dumps(line) + "\n" for line in [head, *edits])
        program("replay", path(name + ".jsonl"), "--out", path(name + ".toml"))
        return path(name + ".toml")

    pictures = []

    def draw(scene, milliseconds, text):
        program("render", scene, scene + ".png", *VIEW)
        pictures.append((scene + ".png", milliseconds, text))

    draw(path("eggs.toml"), 1500, "Two throws, and both miss.")
    for begin, count, text in DRAGS:
        grab, move, release = edits[begin : begin + 3]
        before = scene(edits[:begin], f"before{begin}")
        states = json.loads(program("simulate", before, "--json", "--at", str(grab["at"])))["states"]
        start = states[0]["bodies"][grab["body"]]["position"]
        for k in range(1, count + 1):
            part = (k / count) ** 2 * (3 - 2 * k / count)
            target = [a + (b - a) * part for a, b in zip(start, move["target"])]
            moved = edits[:begin] + [grab, {**move, "target": target}, release]
            draw(scene(moved, f"drag{begin}_{k}"), 90 if k < count else 700, text)
    end = scene(edits, "end")
    pictures.pop()
    draw(end, 1200, DRAGS[-1][2])
    program("render", end, "--frames", path("play"), "--fps", "25", *VIEW)
    for frame in sorted(glob.glob(path("play/*.png")))[:42]:
        pictures.append((frame, 40, "All of it is simulated."))
    pictures[-1] = (pictures[-1][0], 1500, pictures[-1][2])

    font = ImageFont.truetype(glob.glob(FONTS)[0], 20)
    drawn = []
    for file, _, text in pictures:
        image = Image.open(file).convert("RGB")
        ImageDraw.Draw(image).text((18, image.height - 38), text, font=font, fill=(205, 210, 222))
        drawn.append(image)
    # One palette for all, with room for the red of the pin, which is small.
    chosen = [drawn[k] for k in (0, 6, 14, 20, -45, -20, -1)]
    wide, high = drawn[0].size
    sheet = Image.new("RGB", (wide, high * len(chosen) + high // 8))
    for k, image in enumerate(chosen):
        sheet.paste(image, (0, high * k))
    pin = drawn[-44].crop((250, 260, 266, 272))
    sheet.paste(pin.resize((wide, high // 8), Image.NEAREST), (0, high * len(chosen)))
    palette = sheet.quantize(240, method=Image.MEDIANCUT)
    frames = [image.quantize(palette=palette, dither=Image.NONE) for image in drawn]
    out = os.path.join(HERE, "docs", "eggs.gif")
    times = [milliseconds for _, milliseconds, _ in pictures]
    frames[0].save(out, save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)
    print(f"{out}: {len(frames)} pictures, {os.path.getsize(out) // 1000} kB")


with tempfile.TemporaryDirectory() as folder:
    main(folder)
