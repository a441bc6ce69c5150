/**
 * Known crews: the crews of an application, by the names that runs and routes use.
 *
 * Folders are read when Baton is opened; crews in code are known from there on, or from their first run on.
 */
import { basename, dirname, resolve } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { type CrewFile, explore, readCrew } from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import { type CrewSource, MODEL_PROVIDERS } from "@baton/models";
import type { ServedCrew } from "@baton/server";

/** A crew, what was read of it, and its name in routes. */
export interface KnownCrew {
  readonly id: string;
  readonly crew: Crew;
  readonly source: CrewSource;
  readonly served: ServedCrew;
}

const NO_ID = /[^a-zA-Z0-9_-]+/g;
const MAX_ID = 128;
const UNPROVIDED: readonly string[] = ["script", "offline", "auto"];

/** Reads a folder of a crew; throws `invalid` with every error if it cannot run. */
export async function readFolder(path: string, threads: ToolThreads): Promise<KnownCrew> {
  const providers = MODEL_PROVIDERS.filter((name) => !UNPROVIDED.includes(name));
  const file = await readCrew(path, { providers, threads });
  const { crew, findings, onShutdown, prompts } = file;
  if (crew === undefined) throw refuse(path, file);
  const id = toId(basename(toFolder(path)));
  return {
    id,
    crew,
    source: file,
    served: { ...omitUndefined({ onShutdown, prompts }), id, crew, findings: [...findings] },
  };
}

/** A crew in code. */
export function toKnown(crew: Crew): KnownCrew {
  const id = toId(crew.name);
  return { id, crew, source: { crew }, served: { id, crew, findings: toFindings(crew) } };
}

function toFindings(crew: Crew): ServedCrew["findings"] {
  return explore(crew).findings.map(({ path, ...finding }) => ({ ...finding, path: path.join(".") }));
}

/** A folder `crew` is called as the one it is in. */
function toFolder(path: string): string {
  const folder = resolve(/\.ya?ml$/.test(path) ? dirname(path) : path);
  return basename(folder) === "crew" ? dirname(folder) : folder;
}

function toId(name: string): string {
  return name.replaceAll(NO_ID, "-").slice(0, MAX_ID) || "crew";
}

function refuse(path: string, { findings }: CrewFile): BatonError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ file, line, message, fix }) => `  ${file}:${line} ${message}; ${fix}`);
  return new BatonError("invalid", [`the crew in ${path} cannot run:`, ...lines].join("\n"));
}
