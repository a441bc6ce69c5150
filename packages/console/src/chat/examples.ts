/**
 * Examples: four things to try, each another ability of the crews that are served.
 */
import type { CrewDetail } from "@baton/client";

/** What a crew shows best. */
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

/** How many tools of a crew ask first. */
export function approvalsOf({ permissions }: Pick<CrewDetail, "permissions">): number {
  return Object.values(permissions).filter((rule) => rule === "ask").length;
}

/** What a crew that was chosen offers to try; one ability for all of it. */
export function examplesOf(crew: CrewDetail): readonly Example[] {
  const ability = abilitiesOf(crew)[0] ?? "plain";
  return [...new Set(crew.examples)]
    .slice(0, COUNT)
    .map((text) => ({ crew: crew.id, text, ability, agents: crew.agents.length }));
}

/** One example for each ability; then more crews until there are four. An ability is shown by a crew with few others. */
export function chooseExamples(crews: readonly CrewDetail[]): readonly Example[] {
  const chosen = new Map<string, Example>();
  const open = crews.filter(({ examples }) => examples.length > 0);
  const take = (crew: CrewDetail | undefined, ability: Ability): void => {
    const text = crew?.examples[0];
    if (crew === undefined || text === undefined || chosen.has(crew.id)) return;
    chosen.set(crew.id, { crew: crew.id, text, ability, agents: crew.agents.length });
  };
  for (const ability of WANTED) {
    const able = open.filter((crew) => !chosen.has(crew.id) && abilitiesOf(crew).includes(ability));
    take(able.toSorted((one, other) => abilitiesOf(one).length - abilitiesOf(other).length)[0], ability);
  }
  for (const crew of open) {
    if (chosen.size >= COUNT) break;
    take(crew, abilitiesOf(crew)[0] ?? "plain");
  }
  return [...chosen.values()].slice(0, COUNT);
}
