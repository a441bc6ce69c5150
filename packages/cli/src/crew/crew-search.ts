/**
 * Crew search: finds the crew of a stored run by its name, if the user does not name its folder.
 *
 * Looks in this folder, in `crews` and in the folders directly below this one. Folders with the crew's name come first.
 */
import { basename } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { findCrew, isCrew, listCrews } from "./crew-path.ts";
import { loadCrew } from "./crew-loader.ts";
import { shortIdOf } from "../runs/run-id.ts";

/** A stored run and the name of its crew. */
interface RunOfCrew {
  readonly id: string;
  readonly crew: string;
}

const MANY = "crews";

/** The path of the crew with this name; undefined if it is not found. */
export async function searchCrew(name: string): Promise<string | undefined> {
  const here = (await isCrew(".")) ? ["."] : [];
  const near = [...(await listCrews(MANY)), ...(await listCrews("."))];
  const hasName = (path: string) => basename(path) === name;
  const paths = [...here, ...near.filter(hasName), ...near.filter((path) => !hasName(path))];
  for (const path of paths) if ((await loadCrew(path)).crew?.name === name) return path;
  return undefined;
}

/** The path of a run's crew: the one that the user named, or the one that is found. */
export async function requireCrewOf({ id, crew }: RunOfCrew, path: string | undefined): Promise<string> {
  const found = path === undefined ? await searchCrew(crew) : await findCrew(path);
  if (found !== undefined) return found;
  const problem = `run ${shortIdOf(id)} belongs to the crew ${crew}, which is not in this folder`;
  throw new BatonError("invalid", `${problem}; name the folder of that crew`);
}

/** Throws if a run belongs to another crew. */
export function checkCrewOf({ id, crew }: RunOfCrew, current: Crew): void {
  if (crew === current.name) return;
  const problem = `run ${shortIdOf(id)} belongs to the crew ${crew}, not to ${current.name}`;
  throw new BatonError("invalid", `${problem}; name the folder of ${crew}`);
}
