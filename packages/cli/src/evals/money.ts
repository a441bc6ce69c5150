/**
 * Money: which models cost some, and how much may be spent.
 */
import { createInterface } from "node:readline/promises";
import { type Agent, BatonError, type Crew, type Model } from "@baton/core";
import { costUsd } from "@baton/models";
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

type Crewed = Pick<OpenedCrew, "crew" | "models">;

/** The models of a crew's agents, programs left out. */
function modelsOf({ crew, models }: Crewed): readonly Readonly<{ agent: Agent; crew: Crew; model: Model }>[] {
  const agents = (own: Crew): readonly (readonly [Agent, Crew])[] => [
    ...[...own.agents.values()].map((agent) => [agent, own] as const),
    ...[...own.subCrews.values()].flatMap(agents),
  ];
  const isProgram = ({ model }: Agent, own: Crew) => (model ?? own.model)?.name.startsWith("code/") === true;
  return agents(crew).flatMap(([agent, own]) =>
    isProgram(agent, own) ? [] : { agent, crew: own, model: models.modelOf(agent, own) },
  );
}

/** Names of the models that cost money. */
export function findPaid(crewed: Crewed): readonly string[] {
  const paid = modelsOf(crewed).filter(({ model }) => isPaid(model));
  return [...new Set(paid.map(({ model }) => model.name))];
}

/** A plan that costs money: so many inputs of a crew, calls of models beside it, and what they cost earlier. */
type PaidPlan = Readonly<{
  paid: readonly string[];
  what: string;
  inputs: number;
  others?: readonly Readonly<{ model: Model; calls: number }>[];
  earlierUsd?: number | undefined;
}>;

/** The most money for all of it; on a terminal a person is asked, elsewhere it must be given. */
export async function toCap(
  commandLine: CommandLine,
  opened: Crewed & Pick<OpenedCrew, "maxModelCalls">,
  price: PaidPlan,
): Promise<number | undefined> {
  const { what, inputs, others = [], earlierUsd } = price;
  const paidOthers = others.filter(({ model }) => isPaid(model));
  const paid = [...new Set([...price.paid, ...paidOthers.map(({ model }) => model.name)])];
  const given = valueOf(commandLine, "max-usd");
  const cap = given === undefined ? undefined : toNumber(commandLine, "max-usd", 0);
  if (paid.length === 0) return cap;
  const asked = `${what} with ${paid.join(", ")}`;
  const own = price.paid.length === 0 ? 0 : toMostUsd(opened) * inputs;
  const most = paidOthers.reduce((sum, { model, calls }) => sum + calls * toCallUsd(model, UNKNOWN), own);
  const bound = Number.isFinite(most) ? `at most ${toUsdText(most)}` : "the most it can cost is not known";
  const earlier = earlierUsd === undefined ? "" : `; earlier replies suggest about ${toUsdText(earlierUsd)}`;
  const capped = cap === undefined ? "" : `; --max-usd stops it at ${toUsdText(cap)}`;
  process.stderr.write(`baton: ${asked}: ${bound}${earlier}${capped}\n`);
  if (cap !== undefined) return cap;
  if (!isInteractive())
    throw new BatonError("invalid", `${asked} cost money, and nobody can be asked: set --max-usd N, or use --recorded`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = Number(await lines.question("The most that may be spent, in USD: ").finally(() => lines.close()));
  if (!(answer > 0)) throw new BatonError("cancelled", "nothing was started");
  return answer;
}

/** Tokens that a call may read and write if no setting of a crew says so. */
const UNKNOWN = { read: 1_000_000, written: 32_000 } as const;

function toCallUsd(model: Model, { read, written }: Readonly<{ read: number; written: number }>): number {
  const inputTokens = Math.min(model.contextTokens ?? read, read);
  const outputTokens = model.outputTokens?.(written) ?? written;
  return costUsd(model.name, { inputTokens, outputTokens }) ?? Infinity;
}

/** The most that one input can cost: every call of the worst case with a full context and the longest reply. */
function toMostUsd(opened: Crewed & Pick<OpenedCrew, "maxModelCalls">): number {
  const calls = modelsOf(opened).flatMap(({ agent, crew: { settings }, model }) => {
    const written = agent.maxTokens ?? (settings.maxTokensPerCall || UNKNOWN.written);
    return isPaid(model) ? toCallUsd(model, { read: settings.maxContextTokens, written }) : [];
  });
  return Math.max(0, ...calls) * opened.maxModelCalls;
}

const toUsdText = (usd: number): string => `${usd < 0.01 && usd > 0 ? usd.toPrecision(2) : usd.toFixed(2)} USD`;

/** The number of an option. */
export function toNumber(commandLine: CommandLine, name: string, otherwise: number): number {
  const text = valueOf(commandLine, name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new BatonError("invalid", `--${name} is ${toOneLine(text)}; write a number`);
}
