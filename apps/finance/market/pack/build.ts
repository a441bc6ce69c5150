/**
 * Build: fetches the packages of `sources.ts`, checks them, and writes `market.pack` and `manifest.json`.
 * It needs a package registry; `npm run data:build` runs it. The same packages give the same files.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssembledPack, assemble, type ReadSource } from "./assemble.ts";
import { type PackageSource, SOURCES } from "./sources.ts";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Fetches and unpacks one package, and checks its tarball. */
function fetchPackage({ name, version, integrity }: PackageSource, folder: string): string {
  const printed = execFileSync("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", folder], {
    encoding: "utf8",
  });
  const tarball = join(folder, printed.trim().split("\n").at(-1) ?? "");
  const found = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  if (found !== integrity) throw new Error(`${name}@${version} has integrity ${found}, expected ${integrity}`);
  const target = mkdtempSync(join(folder, "package-"));
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  return target;
}

function reader(folder: string): ReadSource {
  const folders = new Map(Object.entries(SOURCES).map(([key, source]) => [key, fetchPackage(source, folder)]));
  return (key, path) => {
    const bytes = readFileSync(join(folders.get(key) ?? "", path));
    const files: Readonly<Record<string, string>> = SOURCES[key].files;
    if (sha256(bytes) !== files[path]) throw new Error(`${SOURCES[key].name} ${path} has SHA-256 ${sha256(bytes)}`);
    return bytes.toString("utf8");
  };
}

function toManifest({ packed, plain, counts, dropped, series, overlaps }: AssembledPack): unknown {
  return {
    pack: {
      file: "market.pack",
      bytes: packed.length,
      sha256: sha256(packed),
      plain_bytes: plain.length,
      plain_sha256: sha256(plain),
    },
    snapshot_day: "2024-11-22",
    counts,
    statement_rows_dropped: dropped,
    series,
    overlaps,
    packages: Object.values(SOURCES),
  };
}

const folder = mkdtempSync(join(tmpdir(), "market-pack-"));
try {
  const assembled = assemble(reader(folder));
  writeFileSync(join(import.meta.dirname, "market.pack"), assembled.packed);
  writeFileSync(join(import.meta.dirname, "manifest.json"), `${JSON.stringify(toManifest(assembled), undefined, 2)}\n`);
  process.stdout.write(`market.pack has ${assembled.packed.length} bytes\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
