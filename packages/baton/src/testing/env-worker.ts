/**
 * Env: opens Baton in the current folder and prints what it knows of the environment; `off` reads no file.
 */
import { existsSync } from "node:fs";
import { openBaton } from "@baton/baton";

const [, , mode, ...crews] = process.argv;
const path = process.env["PATH"];
await using _baton = await openBaton({ crews, envFile: mode !== "off" });
const colour = process.env["COLOUR"];
const known = { colour, isPathKept: process.env["PATH"] === path, isKept: existsSync("kept") };
process.stdout.write(JSON.stringify(known));
