// Runs a program for WASI with the arguments that follow it; it sees the present folder and nothing else.
import { readFile } from "node:fs/promises";
import { argv, cwd, exit } from "node:process";
import { WASI } from "node:wasi";

const [program, ...args] = argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["hattrick", ...args], preopens: { ".": cwd() }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
exit(wasi.start(instance));
