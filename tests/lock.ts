/**
 * Lock: names in package-lock.json the packages of other platforms that npm left out.
 *
 * npm drops an optional package that the registry at hand does not carry, and `npm ci` then refuses the lock. A named
 * one is skipped where it does not fit the machine. `npm run lock` after an install writes them in.
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
const LOCK = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });

/** The text of a package-lock.json with every optional package named; one that lacks none comes back as it is. */
export function completeLock(text: string): string {
  const lock = LOCK.parse(JSON.parse(text));
  const packages = new Map(Object.entries(lock.packages));
  const before = packages.size;
  for (const [path, fields] of Object.entries(lock.packages)) {
    const { dev, optionalDependencies } = ENTRY.parse(fields);
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const place = missingPlace(placesOf(path, name), version, packages);
      if (place === undefined || !EXACT.test(version)) continue;
      packages.set(place, { version, ...platformOf(name), ...(dev === true && { dev }), optional: true });
    }
  }
  if (packages.size === before) return text;
  const sorted = [...packages].toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`;
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
