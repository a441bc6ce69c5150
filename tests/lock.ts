/**
 * Lock: names in package-lock.json the packages of other platforms that npm left out, and drops `engines`.
 *
 * npm drops an optional package that the registry at hand lacks, and then `npm ci` refuses the lock; a named one is skipped
 * if it does not fit the machine. `engines` make npm warn about the Node that it runs on, but everything here runs on the
 * Node that `npm ci` brings. Use `npm run lock` after an install.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const PLATFORMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const EXACT = /^\d/;

const ENTRY = z.looseObject({
  version: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const INSTALLED = "node_modules/";
const LOCK = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });

/** The text of a package-lock.json with every optional package named and no `engines`; a complete one comes back as it is. */
export function completeLock(text: string): string {
  const lock = LOCK.parse(JSON.parse(text));
  const packages = new Map(Object.entries(lock.packages));
  const before = packages.size;
  const wanting = Object.entries(lock.packages).filter(
    ([path, { engines }]) => isInstalled(path) && engines !== undefined,
  );
  for (const [path, { engines: _, ...fields }] of wanting) packages.set(path, fields);
  for (const [path, fields] of Object.entries(lock.packages)) {
    const { dev, optionalDependencies } = ENTRY.parse(fields);
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const place = missingPlace(placesOf(path, name), version, packages);
      if (place === undefined || !EXACT.test(version)) continue;
      packages.set(place, { version, ...platformOf(name), ...(dev === true && { dev }), optional: true });
    }
  }
  if (packages.size === before && wanting.length === 0) return text;
  const sorted = [...packages].toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`;
}

function isInstalled(path: string): boolean {
  return path.includes(INSTALLED);
}

/** Where Node would look for a package, from the inside out. */
function placesOf(path: string, name: string): readonly [innermost: string, ...outer: string[]] {
  const inside = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (path === "") return [inside];
  const parent = path.includes("/node_modules/") ? path.slice(0, path.lastIndexOf("/node_modules/")) : "";
  return [inside, ...placesOf(parent, name)];
}

/** Outermost where that place is free, else beside the package that asks for another version. */
function missingPlace(
  places: readonly [innermost: string, ...outer: string[]],
  version: string,
  packages: ReadonlyMap<string, unknown>,
): string | undefined {
  const taken = places.find((place) => packages.has(place));
  if (taken === undefined) return places.at(-1);
  return ENTRY.parse(packages.get(taken)).version === version ? undefined : places[0];
}

function platformOf(name: string): { readonly cpu?: readonly string[]; readonly os?: readonly string[] } {
  const words = name.split(/[-/@]/);
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const os = words.filter((word) => PLATFORMS.includes(word));
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }) };
}

if (import.meta.main) {
  const path = join(import.meta.dirname, "..", "package-lock.json");
  writeFileSync(path, completeLock(readFileSync(path, "utf8")));
}
