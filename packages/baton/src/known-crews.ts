/**
 * Known crews: crews in code and in folders, by the names that runs and routes use.
 */
import { basename, dirname, resolve } from "node:path";
import { BatonError, type Crew } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { type CrewFile, explore, readCrew } from "@baton/crewfile";
import type { ToolThreads } from "@baton/durable/threads";
import { MODEL_PROVIDERS } from "@baton/models/choice";
import type { ServedCrew } from "@baton/server";
import type { KnownSource } from "./model-choice.ts";

/** A crew as it is served, and what was read of it. */
export interface KnownCrew {
  /** Its name in routes. */
  readonly id: string;
  readonly source: KnownSource;
  readonly served: ServedCrew;
}

const NO_ID = /[^a-zA-Z0-9_-]+/g;
const MAX_ID = 128;
const NO_PROVIDER: readonly string[] = ["script", "offline", "auto"];
const PROVIDERS = MODEL_PROVIDERS.filter((name) => !NO_PROVIDER.includes(name));

/** Reads a crew with its findings; its tools run on these threads. */
export function readCrewFile(path: string, threads: ToolThreads): Promise<CrewFile> {
  return readCrew(path, { providers: PROVIDERS, threads });
}

/** Reads a crew for an application; throws `invalid` with every error if it cannot run. */
export async function readKnownCrew(path: string, threads: ToolThreads): Promise<KnownCrew> {
  const file = await readCrewFile(path, threads);
  const { crew } = file;
  if (crew === undefined) throw refuse(path, file);
  return toKnownCrew(toId(crewNameOf(path)), { ...file, crew });
}

/** A crew that was read, under an id. */
export function toKnownCrew(id: string, file: CrewFile & { readonly crew: Crew }): KnownCrew {
  const { crew, findings, onShutdown, prompts } = file;
  return { id, source: file, served: { ...omitUndefined({ onShutdown, prompts }), id, crew, findings: [...findings] } };
}

/** A crew in code. */
export function knowCrew(crew: Crew): KnownCrew {
  const id = toId(crew.name);
  const findings = explore(crew).findings.map(({ path, ...finding }) => ({ ...finding, path: path.join(".") }));
  return { id, source: { crew }, served: { id, crew, findings } };
}

/** The name of a crew's folder, or of its file if that is not crew.yaml. For a folder `crew`, the name of its parent. */
export function crewNameOf(path: string): string {
  const name = basename(path).replace(/\.ya?ml$/, "");
  const isFile = name !== basename(path);
  const folder = resolve(isFile ? dirname(path) : path);
  if (isFile && name !== "crew") return name;
  return basename(folder) === "crew" ? basename(dirname(folder)) : basename(folder);
}

function toId(name: string): string {
  return name.replaceAll(NO_ID, "-").slice(0, MAX_ID) || "crew";
}

function refuse(path: string, { findings }: CrewFile): BatonError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const lines = errors.map(({ file, line, message, fix }) => `  ${file}:${line} ${message}; ${fix}`);
  return new BatonError("invalid", [`the crew in ${path} cannot run:`, ...lines].join("\n"));
}
