// Opens exported glTF files with the Khronos validator and with three.js, and compares places with the motion.
//
// usage: node gltf.mjs FOLDER, from a copy beside the node_modules that has both (`run` does that).
// FOLDER has NAME.glb, NAME.gltf, NAME.cubic.glb, and NAME.json with the motion itself.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import validator from "gltf-validator";
import * as three from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const folder = process.argv[2];
// Browsers have it; three.js reports with it how far it has come.
globalThis.ProgressEvent ??= class extends Event {};

// What another program shows at an impact may be this far from the motion, in metres.
const TOLERANCE = 1e-5;
let failures = 0;

function fail(file, what) {
  failures += 1;
  console.log(`  FAILED ${file}: ${what}`);
}

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, file))), { uri: file });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  if (numErrors + numWarnings + numInfos + numHints > 0) {
    fail(file, JSON.stringify(messages.slice(0, 3)));
  }
}

// The states at both sides of every instant, by body.
function instants(motion) {
  return motion.states
    .filter((line) => line.at === "after" || line.t === 0)
    .flatMap((line) => Object.entries(line.bodies).map(([name, state]) => ({ t: line.t, name, state })));
}

// The turn that puts the scene upright, as the README says it: the axis nearest to "against gravity" becomes y.
function upright(gravity) {
  const sizes = gravity.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const own = new three.Vector3(0, 1, 0);
  if (gravity[axis] !== 0) {
    own.set(0, 0, 0).setComponent(axis, -Math.sign(gravity[axis]));
  }
  return new three.Quaternion().setFromUnitVectors(own, new three.Vector3(0, 1, 0));
}

async function play(file, motion) {
  const bytes = readFileSync(join(folder, file));
  const data = file.endsWith(".gltf") ? bytes.toString() : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(data, "", resolve, reject));
  const mixer = new three.AnimationMixer(gltf.scene);
  const action = gltf.animations.length ? mixer.clipAction(gltf.animations[0]) : undefined;
  action?.setLoop(three.LoopOnce).play();
  if (action) action.clampWhenFinished = true;
  const nodes = new Map();
  gltf.scene.traverse((node) => {
    const found = gltf.parser.associations.get(node);
    if (found?.nodes !== undefined) nodes.set(gltf.parser.json.nodes[found.nodes].name, node);
  });
  const up = upright(motion.gravity);
  let worst = 0;
  for (const { t, name, state } of instants(motion)) {
    if (action) action.reset().play();
    mixer.setTime(t);
    gltf.scene.updateMatrixWorld(true);
    const node = nodes.get(name);
    if (!node) {
      fail(file, `no node ${name}`);
      continue;
    }
    const place = new three.Vector3().setFromMatrixPosition(node.matrixWorld);
    worst = Math.max(worst, place.distanceTo(new three.Vector3(...state.position).applyQuaternion(up)));
  }
  if (!(worst <= TOLERANCE)) fail(file, `three.js is ${worst} m off at an impact`);
  return worst;
}

const files = readdirSync(folder).filter((file) => /\.(glb|gltf)$/.test(file)).sort();
let worst = 0;
for (const file of files) {
  await validate(file);
  const motion = JSON.parse(readFileSync(join(folder, file.split(".")[0] + ".json")));
  worst = Math.max(worst, await play(file, motion));
}
const version = validator.version();
console.log(`  Khronos validator ${version} and three.js r${three.REVISION}: ${files.length} files, ${worst.toExponential(1)} m off at impacts`);
if (files.length === 0) fail(folder, "no files");
process.exit(failures ? 1 : 0);
