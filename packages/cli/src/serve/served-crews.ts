/**
 * Served crews: loads the crews of a server, each under the name of its folder, or in code under its own name.
 *
 * Throws if a crew has errors, or if two crews have the same id or name.
 */
import { resolve } from "node:path";
import {
  type CodeLoader,
  crewNameOf,
  type KnownCrew,
  type SandboxChoice,
  toCrewId,
  toKnownCrew,
} from "@baton/baton/crews";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { type CrewFile, isCrewCode } from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import { findCrews, isCrew, listCrews } from "../crew/crew-path.ts";
import { loadCrews, type LoadedCrew, openScript, requireRunnable } from "../crew/crew-loader.ts";
import { type AssistantModule, loadAssistant } from "./assistant-module.ts";

/** A crew with the path it was read from. */
export interface FoundCrew extends KnownCrew {
  readonly path: string;
  /** The path that was read: a file of code may have several crews. */
  readonly from: string;
  /** Its assistant.ts, if there is one. */
  readonly assistant?: AssistantModule;
}

/** A crew's files, which have no errors. */
export type RunnableFile = CrewFile & { readonly crew: Crew };

/** The crews to serve, and the script of the only one. */
interface Wanted {
  readonly crews?: readonly string[] | undefined;
  readonly script?: string | undefined;
}

/** The threads of crews, and for crews that are watched their code. */
export interface CrewReader {
  readonly threads: ToolThreads;
  /** The levels of sandboxed tools, shared by all crews. */
  readonly sandbox?: SandboxChoice;
  /** The loader of the code at a path. */
  readonly codeOf?: (path: string) => CodeLoader;
  /** Called with the crews of a path before they are served; gives them as they are served. */
  readonly adopt?: (path: string, crews: readonly RunnableFile[]) => Promise<readonly RunnableFile[]>;
}

const MANY = "crews";
const ONE_SCRIPT = "script works with one crew only; serve that crew alone, or put the script beside its crew.yaml";
const ID = /^[a-zA-Z0-9_-]{1,128}$/;

/** Loads the named crews, or the default ones; throws if one of them cannot be served. */
export async function findServedCrews({ crews, script }: Wanted, reader: CrewReader): Promise<readonly FoundCrew[]> {
  const paths = (await Promise.all((crews ?? (await findDefaultCrews())).map(findCrews))).flat();
  const byPlace = new Map(paths.map((path) => [resolve(path), path]));
  if (script !== undefined && byPlace.size > 1) throw new BatonError("invalid", ONE_SCRIPT);
  const found: FoundCrew[] = [];
  for (const path of byPlace.values()) {
    const loaded = await loadCrews(path, reader.threads, { ...reader.codeOf?.(path), ...reader.sandbox });
    const runnable = loaded.map(requireRunnable);
    const served = reader.adopt === undefined ? runnable : await reader.adopt(path, runnable);
    const assistant = await loadAssistant(path);
    const place = { from: path, ...omitUndefined({ assistant }) };
    found.push(...(await toFoundCrews(place, loaded, { served, script })));
  }
  checkApart(found);
  return found;
}

type Place = Pick<FoundCrew, "from" | "assistant">;
type Scripted = Readonly<{ served: readonly RunnableFile[]; script: string | undefined }>;

/** The crews of a path under their ids, as they were read. */
export async function toFoundCrews(
  place: Place,
  loaded: readonly LoadedCrew[],
  { served, script }: Scripted,
): Promise<readonly FoundCrew[]> {
  if (script !== undefined && served.length > 1) throw new BatonError("invalid", ONE_SCRIPT);
  return Promise.all(
    served.map(async (read, index) => {
      const { path = place.from } = loaded[index] ?? {};
      const file = script === undefined ? read : { ...read, script: await openScript(script, read.crew, read) };
      const known = toKnownCrew(toId(path, file.crew), file);
      const kind = place.assistant === undefined ? "crew" : "assistant";
      return { ...place, path, id: known.id, source: known.source, served: { ...known.served, kind } };
    }),
  );
}

/** The crews of a server that names none. */
export async function findDefaultCrews(): Promise<readonly string[]> {
  if (await isCrew(".")) return ["."];
  if ((await listCrews(MANY)).length > 0) return [MANY];
  throw new BatonError(
    "invalid",
    `there is no crew.yaml in this folder and no crew in ${MANY}; name the folders of crews, or create a crew with \`baton init\``,
  );
}

function toId(path: string, crew: Crew): string {
  const id = isCrewCode(path) ? toCrewId(path, crew) : crewNameOf(path);
  if (ID.test(id)) return id;
  const problem = `the crew in ${path} would have the id "${id}", which is not valid`;
  throw new BatonError("invalid", `${problem}; rename its folder to letters, digits, - and _`);
}

/** Throws if two crews have one id or name: routes find a crew by its id, and stored runs by its name. */
export function checkApart(crews: readonly FoundCrew[]): void {
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
