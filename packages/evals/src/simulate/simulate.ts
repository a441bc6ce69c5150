/**
 * Simulate: conversations of personas with a crew, and what goes wrong in them.
 */
import { BatonError, type Crew, type Model, type RunEvent } from "@baton/core";
import { toCrewPath } from "@baton/core/engine";
import { newRunId, type Store } from "@baton/store";
import { playConversation, type TrialModel } from "../conversation.ts";
import type { LiveTools } from "../doubles.ts";
import { findProblems, type LogFinding } from "./findings.ts";
import { openSpeaker, type Persona } from "./persona.ts";

/** Options of a simulation. */
export interface SimulateOptions {
  readonly crew: Crew;
  readonly store: Store;
  readonly personas: readonly Persona[];
  readonly model: TrialModel;
  /** The model or program that speaks for a persona; undefined if its texts are written down. */
  readonly personaModel: (persona: Persona) => Model | undefined;
  /** The command that repeats a conversation. */
  readonly commandOf: (persona: string, seed: number) => string;
  readonly count: number;
  readonly seed: number;
  readonly live?: LiveTools | undefined;
  /** Money that each run may spend. */
  readonly maxUsd?: number | undefined;
  readonly parallel?: number;
}

/** Something that went wrong, and how to see it again. */
export type SimulationFinding = LogFinding & Readonly<{ persona: string; seed: number; command: string }>;

/** The sum of a simulation. */
export interface SimulationReport {
  readonly conversations: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly findings: readonly SimulationFinding[];
  /** Turns by agent. */
  readonly agents: Readonly<Record<string, number>>;
  readonly never_reached: readonly string[];
}

type Talked = Readonly<{ events: readonly RunEvent[]; outcome: string; findings: readonly SimulationFinding[] }>;

/** Plays conversations with seeds that follow each other; the personas take turns. */
export async function simulate(options: SimulateOptions): Promise<SimulationReport> {
  const { count, parallel = 4, crew } = options;
  const talks: Talked[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) talks[at] = await talk(options, at);
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work));
  const turns = talks.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "turn.started" ? toCrewPath(event.lane, crew) + event.agent : [])),
  );
  const names = agentsOf(crew);
  return {
    conversations: count,
    outcomes: toCounts(talks.map(({ outcome }) => outcome)),
    findings: talks.flatMap(({ findings }) => findings),
    agents: toCounts(turns),
    never_reached: names.filter((name) => !turns.includes(name)),
  };
}

function toCounts(words: readonly string[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(words.toSorted(), (word) => word);
  return Object.fromEntries(Array.from(groups, ([word, own]) => [word, own.length]));
}

function agentsOf(crew: Crew, path = ""): readonly string[] {
  const subs = Array.from(crew.subCrews, ([name, sub]) => agentsOf(sub, `${path}${name}/`));
  return [...Array.from(crew.agents.keys(), (id) => path + id), ...subs.flat()];
}

async function talk(options: SimulateOptions, at: number): Promise<Talked> {
  const { crew, store, personas, model, personaModel, commandOf, maxUsd, live } = options;
  const seed = options.seed + at;
  const persona = personas[at % personas.length];
  if (persona === undefined) throw new Error("there is no persona");
  const speak = openSpeaker(persona, seed, personaModel(persona));
  let hasStopped = false;
  const { events, missing } = await playConversation({
    crew,
    store,
    model,
    live,
    maxUsd,
    tools: persona.tools,
    answers: persona.answers,
    session: `simulate-${newRunId(store.clock.now())}`,
    next: async (heard) => {
      const said = await speak(heard);
      hasStopped = said === null;
      return said ?? undefined;
    },
  });
  const [problem] = missing;
  if (problem !== undefined) throw new BatonError("invalid", `persona ${persona.name}: ${problem}`);
  const last = events.at(-1);
  const outcome = last?.type === "run.ended" ? last.outcome : "paused";
  const about = { persona: persona.name, seed };
  const findings = findProblems(events, hasStopped ? "stopped" : "open").map(({ kind, agent, text }) => ({
    kind,
    ...about,
    agent,
    text,
    command: commandOf(persona.name, seed),
  }));
  return { events, outcome, findings };
}
