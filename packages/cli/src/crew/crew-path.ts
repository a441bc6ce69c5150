/**
 * Crew path: finds the crew that an argument names.
 *
 * A crew is a folder with a crew.yaml, a YAML file, or a file of code that exports crews; `FILE.ts#NAME` is one of them.
 * Without an argument it is the current folder.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { BatonError } from "@baton/core";
import { isCrewCode } from "@baton/crewfile";

const CREW = "crew.yaml";
const START = "create a crew with `baton init`";

const isYaml = (path: string): boolean => /\.ya?ml$/.test(path);

/** Whether there is a crew at this path. */
export async function isCrew(path: string): Promise<boolean> {
  if (isYaml(path)) return (await kindOf(path)) === "file";
  if (isCrewCode(path)) return (await kindOf(path.replace(/#[^#/]*$/, ""))) === "file";
  return (await kindOf(join(path, CREW))) === "file";
}

/** The path of the crew that the argument names; throws if there is none. */
export async function findCrew(path: string | undefined): Promise<string> {
  const meant = path ?? ".";
  if (await isCrew(meant)) return meant;
  const code = join(meant, "crew.ts");
  if (await isCrew(code))
    throw new BatonError("invalid", `there is no ${CREW} in ${path ?? "this folder"}; did you mean ${code}?`);
  if (path === undefined) {
    throw new BatonError("invalid", `there is no ${CREW} in this folder; name the folder of a crew, or ${START}`);
  }
  const inside = await listCrews(meant);
  const isMissing = (await kindOf(meant)) === "none";
  const problem = isMissing ? `there is no folder or file ${meant}` : `there is no ${CREW} in ${meant}`;
  const hint = inside.length === 0 ? START : `did you mean one of its crews? ${inside.slice(0, 5).join(", ")}`;
  throw new BatonError("invalid", `${problem}; ${hint}`);
}

/** Files of code in a crew's folder that are part of that crew. */
const PARTS = /^(tools|code|assistant)\.[cm]?[jt]s$/;

/** The paths that can be crews: a shell pattern such as `crews/*` also matches other files. */
export async function withoutOtherFiles(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map(kindOf));
  const canBeCrew = (path: string) => isYaml(path) || (isCrewCode(path) && !PARTS.test(basename(path)));
  const kept = paths.filter((path, index) => kinds[index] !== "file" || canBeCrew(path));
  return kept.length === 0 ? paths : kept;
}

/** The crew at this path, or all crews directly below it; throws if there are none. */
export async function findCrews(path: string | undefined): Promise<readonly string[]> {
  const meant = path ?? ".";
  const inside = (await isCrew(meant)) ? [] : await listCrews(meant);
  return inside.length > 0 ? inside : [await findCrew(path)];
}

/** The crews directly below a folder. */
export async function listCrews(path: string): Promise<readonly string[]> {
  if ((await kindOf(path)) !== "folder") return [];
  const paths = (await readdir(path)).toSorted().map((name) => join(path, name));
  const kinds = await Promise.all(paths.map((one) => kindOf(join(one, CREW))));
  return paths.filter((_path, index) => kinds[index] === "file");
}

async function kindOf(path: string): Promise<"file" | "folder" | "none"> {
  return stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "none",
  );
}
