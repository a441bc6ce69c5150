/**
 * Examples: four things to try, each another ability of the crews that are served.
 */
import type { CrewDetail } from "@baton/client";
import { isInLanguage } from "../../words/is-in-language.ts";
import type { Language } from "../../words/words.ts";

/** The ability that a crew shows best. */
export type Ability = "assistant" | "approval" | "group" | "pause" | "plain";

/** Something to try. */
export interface Example {
  readonly crew: string;
  readonly text: string;
  readonly ability: Ability;
  readonly agents: number;
}

const WANTED: readonly Ability[] = ["assistant", "approval", "group", "pause"];
const COUNT = 4;
/** The largest number of examples in another language than the reader's. */
const MOST_FOREIGN = 1;

/** Everything a crew can show. */
function abilitiesOf(crew: Pick<CrewDetail, "kind" | "permissions" | "groups" | "agents">): readonly Ability[] {
  return [
    ...(crew.kind === "assistant" ? (["assistant"] as const) : []),
    ...(approvalsOf(crew) > 0 ? (["approval"] as const) : []),
    ...(crew.groups.length > 0 ? (["group"] as const) : []),
    ...(crew.agents.some(({ pause }) => pause) ? (["pause"] as const) : []),
    "plain",
  ];
}

/** Counts the tools of a crew that ask before they act. */
export function approvalsOf({ permissions }: Pick<CrewDetail, "permissions">): number {
  return Object.values(permissions).filter((rule) => rule === "ask" || rule === "ask_operator").length;
}

/** Returns the examples of one crew, those in the reader's language first, all with the crew's ability. */
export function examplesOf(crew: CrewDetail, language: Language): readonly Example[] {
  const ability = abilitiesOf(crew)[0] ?? "plain";
  return textsOf(crew, language)
    .slice(0, COUNT)
    .map((text) => toExample(crew, text, ability));
}

/**
 * One example for each ability; then more crews until there are four. An ability is shown by a crew with few others.
 *
 * A crew that has an example in the reader's language goes before one that has none. More than one in another language is
 * shown only if there is nothing else.
 */
export function chooseExamples(crews: readonly CrewDetail[], language: Language): readonly Example[] {
  const isOwn = ({ text }: Pick<Example, "text">): boolean => isInLanguage(text, language);
  const all = toCandidates(crews, language);
  const foreign = all.filter((example) => !isOwn(example));
  const first = all.filter((example) => isOwn(example) || foreign.indexOf(example) < MOST_FOREIGN).slice(0, COUNT);
  return [...first, ...foreign.filter((example) => !first.includes(example))].slice(0, COUNT);
}

/** Everything to try, the best first: a crew for each ability, other crews, then what else crews offer. */
function toCandidates(crews: readonly CrewDetail[], language: Language): readonly Example[] {
  const rankOf = (crew: CrewDetail): number => (crew.examples.some((text) => isInLanguage(text, language)) ? 0 : 1);
  const open = crews
    .filter(({ examples }) => examples.length > 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const chosen = new Map<string, Example>();
  const take = (crew: CrewDetail | undefined, ability: Ability): void => {
    const text = crew === undefined ? undefined : textFor(crew, ability, language);
    if (crew !== undefined && text !== undefined) chosen.set(crew.id, toExample(crew, text, ability));
  };
  for (const ability of WANTED) {
    const able = open.filter((crew) => !chosen.has(crew.id) && abilitiesOf(crew).includes(ability));
    const others = (crew: CrewDetail): number => abilitiesOf(crew).length;
    take(able.toSorted((one, other) => rankOf(one) - rankOf(other) || others(one) - others(other))[0], ability);
  }
  for (const crew of open) if (!chosen.has(crew.id)) take(crew, abilitiesOf(crew)[0] ?? "plain");
  const first = [...chosen.values()];
  const isNew = ({ crew, text }: Example): boolean => !first.some((one) => one.crew === crew && one.text === text);
  return [...first, ...open.flatMap((crew) => examplesOf(crew, language).filter(isNew))];
}

/** The text that shows an ability best: the first, but an agent asks back if it was told little. */
function textFor(crew: CrewDetail, ability: Ability, language: Language): string | undefined {
  const texts = textsOf(crew, language);
  const own = texts.filter((text) => isInLanguage(text, language));
  const all = own.length === 0 ? texts : own;
  return ability === "pause" ? all.toSorted((one, other) => one.length - other.length)[0] : all[0];
}

function toExample({ id, agents }: CrewDetail, text: string, ability: Ability): Example {
  return { crew: id, text, ability, agents: agents.length };
}

/** The examples of a crew, each once, those in the reader's language first. */
function textsOf({ examples }: CrewDetail, language: Language): readonly string[] {
  const texts = [...new Set(examples)];
  return [
    ...texts.filter((text) => isInLanguage(text, language)),
    ...texts.filter((text) => !isInLanguage(text, language)),
  ];
}
