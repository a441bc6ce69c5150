/**
 * Crew file: a crew as it was read, with all that was found, and with the crews it contains.
 */
import type { Crew, Script } from "@baton/core";
import { byPlace, type FileFinding } from "./yaml/finding.ts";
import type { SourceFile } from "./yaml/source-file.ts";
import type { CrewExposure } from "./fields/expose-fields.ts";
import type { OnShutdown } from "./modules/tool-module.ts";
import type { WorstCase } from "../check/worst-case.ts";

/** A crew as it was read. */
export interface CrewFile {
  /** Only if no finding is an error. */
  readonly crew?: Crew;
  /**
   * The entries of script.yaml, if there is one and the crew can run. Agents of sub-crews have names such as
   * `alpha/researcher`; those that it does not name keep the entries of the sub-crew's own script.
   */
  readonly script?: Script;
  /** Those of the crew in the order of its files, then of the lines; then the errors of the crews it contains. */
  readonly findings: readonly FileFinding[];
  /** The most work that one input can cause; present if `crew` is. */
  readonly worst?: WorstCase;
  /**
   * Runs the `onShutdown` exports of tools.ts, of this crew and of every crew it contains. Call it once, before the
   * process ends.
   */
  readonly onShutdown?: OnShutdown;
  /** Where each agent's system prompt is written, by the agent's id. */
  readonly prompts?: ReadonlyMap<string, Readonly<{ file: string; line: number }>>;
  /** The crew as a tool of other programs. */
  readonly expose?: CrewExposure;
  /** The text of each file that was read, by the name findings use. */
  readonly texts: ReadonlyMap<string, string>;
  /** The crews of `sub_crews` that could be found, by the names they have here. */
  readonly subCrews?: ReadonlyMap<string, CrewFile>;
  /** The crew of `after`. */
  readonly after?: CrewFile;
}

/** A script as it was read. */
export type ScriptFile = Pick<CrewFile, "script" | "findings" | "texts">;

/** The other crews that a crew names. */
export type OtherCrews = Pick<CrewFile, "subCrews" | "after">;

type Parts = Pick<CrewFile, "crew" | "script" | "worst" | "prompts">;

/** Puts together what was read; a finding or file that two crews share is there once. */
export function toCrewFile(sources: readonly SourceFile[], parts: Parts, others: OtherCrews = {}): CrewFile {
  const inside = listCrews(others);
  const findings = sources.flatMap((source) => source.findings.toSorted(byPlace));
  const texts = sources.map(({ file, text }) => [file, text] as const);
  return {
    ...parts,
    ...others,
    findings: withoutRepeats([...findings, ...inside.flatMap(errorsOf)]),
    texts: new Map([...inside.flatMap((file) => [...file.texts]), ...texts]),
  };
}

/** Each finding once: a module that cannot be imported is found by every file that imports it. */
function withoutRepeats(findings: readonly FileFinding[]): readonly FileFinding[] {
  const toKey = ({ file, line, column, message }: FileFinding) => JSON.stringify([file, line, column, message]);
  return [...new Map(findings.toReversed().map((finding) => [toKey(finding), finding])).values()].toReversed();
}

/** The findings that stop a crew from running. */
export function errorsOf({ findings }: Pick<CrewFile, "findings">): readonly FileFinding[] {
  return findings.filter(({ severity }) => severity === "error");
}

/** The number of levels of crews nested in this one. */
export function heightOf(file: OtherCrews): number {
  return listCrews(file).reduce((most, inside) => Math.max(most, heightOf(inside) + 1), 0);
}

/** A script with the entries that the sub-crews' own scripts have for agents it does not name. */
export function withSubScripts(script: Script, { subCrews = new Map() }: Pick<CrewFile, "subCrews">): Script {
  const whole = new Map(script);
  for (const [name, file] of subCrews) {
    for (const [agent, entries] of withSubScripts(file.script ?? new Map(), file)) {
      const path = `${name}/${agent}`;
      if (!whole.has(path)) whole.set(path, entries);
    }
  }
  return whole;
}

function listCrews({ subCrews = new Map(), after }: OtherCrews): readonly CrewFile[] {
  return [...subCrews.values(), ...(after === undefined ? [] : [after])];
}
