/**
 * Check crew: the whole check of a crew, however it was made.
 *
 * YAML is checked by the same functions, with the line of each field. Of a crew in code only the place is known where
 * `defineCrew` was called, and every finding has that.
 */
import type { Crew, CrewDefinition } from "@baton/core";
import { checkDefinition } from "@baton/core/engine";
import type { Finding } from "@baton/core/ports";
import { nearestWithin, omitUndefined } from "@baton/core/util";
import { findOrigin } from "./crew-origin.ts";
import { explore } from "./explore.ts";
import { toCodeDefect } from "../read/modules/code-names.ts";
import { findModelDefect, toFullName } from "../read/model-name.ts";
import type { GraphFinding } from "./routing-analysis.ts";
import { checkRules } from "./policy-check.ts";
import { checkSchedules } from "./schedule-check.ts";
import type { FileFinding } from "../read/yaml/finding.ts";

/** Something wrong with a crew; `file`, `line` and `column` are those of the call of `defineCrew`. */
export type CheckFinding = Omit<FileFinding, "file" | "line" | "column" | "width"> &
  Partial<Pick<FileFinding, "file" | "line" | "column">>;

/** Options of a check. */
export interface CheckOptions {
  /** Names of the model providers there are; without it, names of models are not checked. */
  readonly providers?: readonly string[];
}

const MAX_SUGGESTIONS = 100;

/** Everything wrong with the structure, references and routing of a definition, before its graph is looked at. */
export function checkParts(definition: CrewDefinition): readonly Finding[] {
  return [...checkDefinition(definition), ...checkSchedules(definition), ...checkRules(definition)];
}

/** Everything that can be found in a crew before it runs, with the errors of the crews it contains. */
export function checkCrew(crew: Crew, options: CheckOptions = {}): readonly CheckFinding[] {
  const place = findOrigin(crew);
  const own = findAll(crew, options).map(({ part: _part, text: _text, ...finding }) => ({
    ...finding,
    ...toCodeDefect(finding),
    ...place,
  }));
  const inside = [...crew.subCrews].map(([name, other]) => [`subCrews.${name}`, other] as const);
  const others = crew.after === undefined ? inside : [...inside, ["after", crew.after] as const];
  const errors = others.flatMap(([name, other]) =>
    checkCrew(other, options)
      .filter(({ severity }) => severity === "error")
      .map((finding) => ({ ...finding, path: `${name}.${finding.path}` })),
  );
  return [...own, ...errors];
}

/** The graph is looked at only if nothing else is wrong, as in YAML. */
function findAll(crew: Crew, { providers }: CheckOptions): readonly GraphFinding[] {
  const { model, after, wrapModel, interpreter, policies } = crew;
  const found = [
    ...checkParts({
      ...crew,
      entry: crew.entry.id,
      agents: [...crew.agents.values()],
      tools: [...crew.tools.values()],
      ...omitUndefined({ model, after, wrapModel, interpreter, policies }),
    }),
    ...(providers === undefined ? [] : checkModels(crew, providers)),
  ];
  const isBroken = found.some(({ severity, code }) => severity === "error" && code !== "unknown_provider");
  return isBroken ? found : [...found, ...explore(crew).findings];
}

/** Names of models that no provider can have. */
function* checkModels(crew: Crew, providers: readonly string[]): Iterable<Finding> {
  const nearest = nearestWithin(MAX_SUGGESTIONS);
  const agents = [...crew.agents.values()].flatMap(({ model, backup }, index) => [
    { path: ["agents", index, "model"], name: model?.name },
    { path: ["agents", index, "backup"], name: backup?.name },
  ]);
  for (const { path, name } of [{ path: ["model"], name: crew.model?.name }, ...agents]) {
    if (name === undefined || name === "") continue;
    const bare = {
      code: "unknown_model",
      message: `\`${name.slice(0, 60)}\` names no provider`,
      fix: `write \`${toFullName(name)}\``,
    };
    const isBare = !name.includes("/") && !["script", "offline"].includes(name);
    const defect = findModelDefect(name, providers, nearest) ?? (isBare ? bare : undefined);
    if (defect !== undefined) yield { severity: "error", path, ...defect };
  }
}
