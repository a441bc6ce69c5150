/**
 * Served crews: loads the crews of a server, each under the name of its folder.
 *
 * Throws if a crew has errors, or if two crews have the same id or name.
 */
import { resolve } from "node:path";
import { crewNameOf, type KnownCrew, toKnownCrew } from "@baton/baton/crews";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { CrewFile } from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import { findCrews, isCrew, listCrews } from "../crew/crew-path.ts";
import { openScript, requireCrew } from "../crew/crew-loader.ts";
import { type AssistantModule, loadAssistant } from "./assistant-module.ts";

/** A crew with the path it was read from. */
export interface FoundCrew extends KnownCrew {
  readonly path: string;
  /** Its assistant.ts, if there is one. */
  readonly assistant?: AssistantModule;
}

type RunnableFile = CrewFile & { readonly crew: Crew };

/** The crews to serve, and the script of the only one. */
interface Wanted {
  readonly crews?: readonly string[] | undefined;
  readonly script?: string | undefined;
}

const MANY = "crews";
const ONE_SCRIPT = "script works with one crew only; serve that crew alone, or put the script beside its crew.yaml";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** Loads the named crews, or the default ones; throws if one of them cannot be served. */
export async function findServedCrews({ crews, script }: Wanted, threads: ToolThreads): Promise<readonly FoundCrew[]> {
  const paths = (await Promise.all((crews ?? (await defaults())).map(findCrews))).flat();
  const byPlace = new Map(paths.map((path) => [resolve(path), path]));
  if (script !== undefined && byPlace.size > 1) throw new BatonError("invalid", ONE_SCRIPT);
  const found: FoundCrew[] = [];
  for (const path of byPlace.values()) {
    const file = await withScript(await requireCrew(path, threads), script);
    const assistant = await loadAssistant(path);
    found.push(toFoundCrew({ id: toId(path), path, ...omitUndefined({ assistant }) }, file));
  }
  checkApart(found);
  return found;
}

/** A crew under its id, as it was read. */
export function toFoundCrew(place: Pick<FoundCrew, "id" | "path" | "assistant">, file: RunnableFile): FoundCrew {
  const { source, served } = toKnownCrew(place.id, file);
  return { ...place, source, served: { ...served, kind: place.assistant === undefined ? "crew" : "assistant" } };
}

/** The crew with this script, if there is one, instead of its own. */
export async function withScript(file: RunnableFile, path: string | undefined): Promise<RunnableFile> {
  return path === undefined ? file : { ...file, script: await openScript(path, file.crew, file) };
}

async function defaults(): Promise<readonly string[]> {
  if (await isCrew(".")) return ["."];
  if ((await listCrews(MANY)).length > 0) return [MANY];
  throw new BatonError(
    "invalid",
    `there is no crew.yaml in this folder and no crew in ${MANY}; name the folders of crews, or create a crew with \`baton init\``,
  );
}

function toId(path: string): string {
  const id = crewNameOf(path);
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
  for (const [name, [one, other]] of Map.groupBy(crews, ({ source }) => source.crew.name)) {
    if (other === undefined) continue;
    const problem = `${one?.path} and ${other.path} have the same name ${name}`;
    throw new BatonError("invalid", `${problem}; change \`name\` in one crew.yaml`);
  }
}
