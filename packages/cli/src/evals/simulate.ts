/**
 * `baton simulate`: lets personas talk with a crew and says what went wrong.
 */
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openDatabase, openStore } from "@baton/baton/store";
import { BatonError, type Model } from "@baton/core";
import type { Persona, SimulationReport } from "@baton/evals";
import { type CliCommand, type CommandLine, valueOf } from "../command-line.ts";
import { findCrew } from "../crew/crew-path.ts";
import { openCrew, type OpenedCrew } from "../crew/crew-loader.ts";
import { folderOf } from "../runs/data-folder.ts";
import { toShellWord } from "../shell-word.ts";
import { toOneLine } from "../terminal/printable.ts";
import { folderOfCrew } from "./case-files.ts";
import { findPaid, toCap, toNumber } from "./money.ts";
import { openModel } from "./named-model.ts";

const FOUND = 1;
const COUNT = 20;

/** Simulates conversations. */
export const command: CliCommand = async (commandLine) => {
  const { simulate } = await import("@baton/evals");
  const path = await findCrew(commandLine.positionals[0]);
  const personas = await findPersonas(commandLine, path);
  const count = toNumber(commandLine, "count", COUNT);
  await using opened = await openCrew(path, commandLine);
  const { crew, models } = opened;
  const speakers = new Map<Persona, Model | undefined>();
  for (const persona of personas) speakers.set(persona, await openSpeaker(opened, persona));
  const others = personas.flatMap((persona) => {
    const model = speakers.get(persona);
    return model === undefined ? [] : { model, calls: Math.ceil(count / personas.length) * persona.max_turns };
  });
  const turns = Math.max(...personas.map(({ max_turns: most }) => most));
  const what = `${count} conversations`;
  const cap = await toCap(commandLine, opened, { paid: findPaid(opened), what, inputs: count * turns, others });
  await using store = await openStore(
    await openDatabase({ data: folderOf(commandLine), ...(commandLine.flags.has("no-store") && { store: "memory" }) }),
  );
  models.spendIn(store.database.ledger);
  const report = await simulate({
    crew,
    store,
    personas,
    count,
    model: models.modelOf,
    personaModel: (persona) => speakers.get(persona),
    seed: toNumber(commandLine, "seed", 1),
    live: commandLine.flags.has("live-tools") ? "all" : "read",
    maxUsd: cap === undefined ? undefined : cap / count,
    commandOf: (name, seed) => `baton simulate ${toShellWord(path)} --persona ${name} --seed ${seed} -n 1`,
  });
  process.stdout.write(commandLine.flags.has("json") ? `${JSON.stringify(report, undefined, 2)}\n` : toText(report));
  return report.findings.length === 0 ? 0 : FOUND;
};

async function findPersonas(commandLine: CommandLine, path: string): Promise<readonly Persona[]> {
  const { readPersonas } = await import("@baton/evals");
  const folder = join(folderOfCrew(path), "simulate");
  const files = (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  const all = await readPersonas(files.map((name) => join(folder, name)));
  const name = valueOf(commandLine, "persona");
  const personas = all.filter((one) => name === undefined || one.name === name);
  if (personas.length > 0) return personas;
  throw new BatonError(
    "invalid",
    name === undefined ? `there are no personas in ${folder}` : `there is no persona ${toOneLine(name)}`,
  );
}

async function openSpeaker(opened: OpenedCrew, { name, model, program, file }: Persona): Promise<Model | undefined> {
  if (program !== undefined) {
    const found = opened.crew.programs.get(program.slice("code/".length));
    if (found === undefined)
      throw new BatonError(
        "invalid",
        `${file}: persona ${name} wants ${program}, which the crew's code.ts does not have`,
      );
    return found;
  }
  return model === undefined
    ? undefined
    : openModel(model, opened, { agent: "persona", folder: resolve(dirname(file)) });
}

function toText({ conversations, outcomes, findings, agents, never_reached: never }: SimulationReport): string {
  const lines = findings.flatMap(({ kind, persona, seed, agent, text, command: again }) => [
    `${kind}: ${persona}, seed ${seed}, ${agent}: ${toOneLine(text)}`,
    `    ${again}`,
  ]);
  const counts = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
  const missed = never.length === 0 ? [] : [`never reached: ${never.join(", ")}`];
  const sum = `simulate: ${conversations} conversations, ${counts(outcomes)}; ${findings.length} findings`;
  return `${[...lines, `turns: ${counts(agents)}`, ...missed, sum].join("\n")}\n`;
}
