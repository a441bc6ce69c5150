/**
 * Served crews: loads the crews of a server, each under the name of its folder.
 *
 * Throws if a crew has errors, or if two crews have the same id or name.
 */
import { basename, dirname, resolve } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { CrewFile } from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import type { ServedCrew } from "@baton/server";
import { findCrews, isCrew, listCrews } from "../crew/crew-path.ts";
import { requireCrew } from "../crew/crew-loader.ts";
import { type Assistant, loadAssistant } from "./assistant-module.ts";

/** A crew with its id, which is its name in routes. */
export interface FoundCrew {
  readonly id: string;
  readonly path: string;
  readonly file: CrewFile & { readonly crew: Crew };
  /** Its assistant.ts, if there is one. */
  readonly assistant?: Assistant;
}

const MANY = "crews";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** Loads the named crews, or the default ones; throws if one of them cannot be served. */
export async function findServed(
  named: readonly string[] | undefined,
  threads: ToolThreads,
): Promise<readonly FoundCrew[]> {
  const paths = (await Promise.all((named ?? (await defaults())).map(findCrews))).flat();
  const byPlace = new Map(paths.map((path) => [resolve(path), path]));
  const crews: FoundCrew[] = [];
  for (const path of byPlace.values()) {
    const file = await requireCrew(path, threads);
    const assistant = await loadAssistant(path);
    crews.push({ id: toId(path), path, file, ...omitUndefined({ assistant }) });
  }
  checkApart(crews);
  return crews;
}

/** The crew in the form that the server needs. */
export function toServed({ id, assistant, file: { crew, findings, onShutdown, prompts } }: FoundCrew): ServedCrew {
  return {
    ...omitUndefined({ onShutdown, prompts }),
    kind: assistant === undefined ? "crew" : "assistant",
    id,
    crew,
    findings: [...findings],
  };
}

async function defaults(): Promise<readonly string[]> {
  if (await isCrew(".")) return ["."];
  if ((await listCrews(MANY)).length > 0) return [MANY];
  throw new BatonError(
    "invalid",
    `there is no crew.yaml in this folder and no crew in ${MANY}; name the folders of crews, or create a crew with \`baton init\``,
  );
}

/** The name of the folder, or of the file if it is not crew.yaml. For a folder called `crew`, the name of its parent. */
function toId(path: string): string {
  const name = basename(path).replace(/\.ya?ml$/, "");
  const isFile = name !== basename(path);
  const folder = resolve(isFile ? dirname(path) : path);
  const own = basename(folder) === "crew" ? basename(dirname(folder)) : basename(folder);
  const id = isFile && name !== "crew" ? name : own;
  if (ID.test(id)) return id;
  const problem = `the crew in ${path} would have the id "${id}", which is not valid`;
  throw new BatonError("invalid", `${problem}; rename its folder to letters, digits, - and _`);
}

/** Routes find a crew by its id, and stored runs by its name. */
function checkApart(crews: readonly FoundCrew[]): void {
  for (const [id, [one, other]] of Map.groupBy(crews, (crew) => crew.id)) {
    if (other === undefined) continue;
    throw new BatonError("invalid", `${one?.path} and ${other.path} have the same id ${id}; rename one of the folders`);
  }
  for (const [name, [one, other]] of Map.groupBy(crews, ({ file }) => file.crew.name)) {
    if (other === undefined) continue;
    const problem = `${one?.path} and ${other.path} have the same name ${name}`;
    throw new BatonError("invalid", `${problem}; change \`name\` in one crew.yaml`);
  }
}
