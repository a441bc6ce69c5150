#!/usr/bin/env node
/**
 * The command `baton`: checks the version of Node, then loads the command.
 *
 * It uses only what old versions of Node know. A packed package names the Node it needs in its package.json.
 */
import { readFileSync } from "node:fs";

/** The sources use what Node 22 lacks; the build replaces it. */
const SOURCES_NEED = "24.0.0";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = manifest.engines === undefined ? SOURCES_NEED : manifest.engines.node.replace(">=", "");

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `baton: Baton needs Node ${needed.replace(/\.0$/, "")} or newer; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  await import("./main.js");
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const given = version.split(".");
  const missing = than.split(".").map((number, index) => Number(number) - Number(given[index]));
  const first = missing.find((difference) => difference !== 0);
  return first !== undefined && first > 0;
}
