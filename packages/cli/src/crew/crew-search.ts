/**
 * Crew search: the crew of a stored run, by its name, where the user did not say which folder it is in.
 *
 * Looks in this folder, in the folders of it and in `crews`; those that are called like the crew come first.
 */
import { basename } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { findCrew, isCrew, listCrews } from "./crew-path.ts";
import { loadCrew } from "./crew-loader.ts";
import { toShortId } from "../runs/run-id.ts";

/** A stored run, as far as its crew goes. */
interface RunOfCrew {
  readonly id: string;
  readonly crew: string;
}

const MANY = "crews";

/** The path of the crew with this name; undefined where it is not near. */
export async function searchCrew(name: string): Promise<string | undefined> {
  const here = (await isCrew(".")) ? ["."] : [];
  const near = [...(await listCrews(MANY)), ...(await listCrews("."))];
  const isCalledSo = (path: string) => basename(path) === name;
  const paths = [...here, ...near.filter(isCalledSo), ...near.filter((path) => !isCalledSo(path))];
  for (const path of paths) if ((await loadCrew(path)).crew?.name === name) return path;
  return undefined;
}

/** The path of the crew a run is of: the one that is named, or the one that is found. */
export async function requireCrewOf({ id, crew }: RunOfCrew, path: string | undefined): Promise<string> {
  const found = path === undefined ? await searchCrew(crew) : await findCrew(path);
  if (found !== undefined) return found;
  const problem = `run ${toShortId(id)} is of crew ${crew}, which is not in this folder`;
  throw new BatonError("invalid", `${problem}; name the folder of that crew`);
}

/** Throws where a crew is not the one a run is of. */
export function checkCrewOf({ id, crew }: RunOfCrew, current: Crew): void {
  if (crew === current.name) return;
  const problem = `run ${toShortId(id)} is of crew ${crew}, and this is ${current.name}`;
  throw new BatonError("invalid", `${problem}; name the folder of the other one`);
}
