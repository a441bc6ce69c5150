/**
 * Money: which models cost some, and how much may be spent.
 */
import { createInterface } from "node:readline/promises";
import { type Agent, BatonError, type Crew, type Model } from "@baton/core";
import { type CommandLine, valueOf } from "../command-line.ts";
import type { OpenedCrew } from "../crew/crew-loader.ts";
import { isInteractive } from "../terminal/output.ts";
import { toOneLine } from "../terminal/printable.ts";

/** Whether calls of a model cost money. */
export const isPaid = ({ name, isProgram }: Pick<Model, "name" | "isProgram">): boolean =>
  isProgram !== true &&
  name !== "script" &&
  name !== "none" &&
  !name.startsWith("offline") &&
  !name.startsWith("code/");

/** Names of the models that cost money. */
export function findPaid({ crew, models }: Pick<OpenedCrew, "crew" | "models">): readonly string[] {
  const agents = (own: Crew): readonly (readonly [Agent, Crew])[] => [
    ...[...own.agents.values()].map((agent) => [agent, own] as const),
    ...[...own.subCrews.values()].flatMap(agents),
  ];
  const isProgram = ({ model }: Agent, own: Crew) => (model ?? own.model)?.name.startsWith("code/") === true;
  const named = agents(crew).flatMap(([agent, own]) => (isProgram(agent, own) ? [] : models.modelOf(agent, own)));
  return [...new Set(named.filter(isPaid).map(({ name }) => name))];
}

type Price = Readonly<{ paid: readonly string[]; trials: number }>;

/** The most money for all trials; on a terminal a person is asked, elsewhere it must be given. */
export async function toCap(commandLine: CommandLine, { paid, trials }: Price): Promise<number | undefined> {
  const given = valueOf(commandLine, "max-usd");
  const cap = given === undefined ? undefined : toNumber(commandLine, "max-usd", 0);
  if (paid.length === 0) return cap;
  const what = `${trials} trials with ${paid.join(", ")}`;
  process.stderr.write(`baton: ${what}; at most ${cap === undefined ? "without a cap" : `${cap} USD`}\n`);
  if (cap !== undefined) return cap;
  if (!isInteractive())
    throw new BatonError("invalid", `${what} cost money, and nobody can be asked: set --max-usd N, or use --recorded`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const asked = Number(await lines.question("The most that may be spent, in USD: ").finally(() => lines.close()));
  if (!(asked > 0)) throw new BatonError("cancelled", "nothing was started");
  return asked;
}

/** The number of an option. */
export function toNumber(commandLine: CommandLine, name: string, otherwise: number): number {
  const text = valueOf(commandLine, name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new BatonError("invalid", `--${name} is ${toOneLine(text)}; write a number`);
}
