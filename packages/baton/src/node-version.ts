/**
 * Node version: an import of this package on a Node that is too old fails here, with one sentence that says which Node is
 * needed.
 *
 * It must be the first import of `index.ts`, and what `index.ts` imports must load on an old Node: all the rest is loaded
 * by `openBaton`. Only a packed package says which Node it needs.
 */
import { readFileSync } from "node:fs";

const MANIFEST = readFileSync(new URL("../package.json", import.meta.url), "utf8");

checkNode(process.versions.node, MANIFEST);

/** Throws if this version of Node is older than what `engines` of a package.json asks for. */
export function checkNode(version: string, manifest: string): void {
  const [, needed] = /"node": ">=([\d.]+)"/.exec(manifest) ?? [];
  if (needed === undefined || !isOlder(version, needed)) return;
  const error = new Error(`Baton needs Node ${needed.replace(/\.0$/, "")} or newer; this is Node ${version}.`);
  // The stack would only hide the message.
  error.stack = error.message;
  throw error;
}

function isOlder(version: string, than: string): boolean {
  const wanted = than.split(".").map(Number);
  const present = version.split(".").map(Number);
  const at = wanted.findIndex((number, index) => number !== present[index]);
  return at !== -1 && (present[at] ?? 0) < (wanted[at] ?? 0);
}
