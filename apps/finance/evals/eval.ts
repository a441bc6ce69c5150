/**
 * `npm run eval`: the rules track and the bad-model track as tables; with `--model provider/name` a language model's.
 *
 * Flags: `--seed DAY` for the questions that are made, `--misses` lists what missed (of the held half only counts),
 * `--model`, `--repeat N`, `--limit N` questions, `--keep FILE` where a model's answers are kept.
 */
import { parseArgs } from "node:util";
import { SystemClock } from "@baton/core/ports";
import { ModelRegistry } from "@baton/models";
import { openMarket } from "../market/chain/open-market.ts";
import { BAD_CASES } from "./bad-model/bad-cases.ts";
import { tryBad, type Tried } from "./bad-model/bad-track.ts";
import { openEvalHarness } from "./eval-harness.ts";
import { answerWithModel } from "./model-track.ts";
import { QUESTIONS } from "./questions/index.ts";
import { missesOf, toCostTable, toRulesTable } from "./rules-report.ts";
import { type TrackAnswer, answerAll, seedOf } from "./rules-track.ts";
import { toTable } from "./table.ts";

const { values: flags } = parseArgs({
  options: {
    seed: { type: "string" },
    misses: { type: "boolean", default: false },
    model: { type: "string" },
    repeat: { type: "string", default: "1" },
    limit: { type: "string", default: String(QUESTIONS.length) },
    keep: { type: "string" },
  },
});

const print = (...lines: readonly string[]): void => {
  process.stdout.write(`${lines.join("\n")}\n`);
};

async function rules(): Promise<void> {
  const seed = flags.seed ?? seedOf(new SystemClock().now());
  await using harness = await openEvalHarness();
  const answers = await answerAll(harness, seed);
  print(`Rules, without a model; seed of the questions that were made: ${seed}`, "", toRulesTable(answers), "");
  print(toCostTable(answers), "");
  if (flags.misses) printMisses(answers);
}

/** Prints the misses. The held-out half is not for tuning: only its counts are shown. */
function printMisses(answers: readonly TrackAnswer[]): void {
  const wrong = answers.filter((answer) => missesOf(answer).length > 0);
  for (const answer of wrong.filter(({ part }) => part !== "held")) {
    const { id, earlier, text } = answer.question;
    print(`${id}: ${[...earlier, text].join(" >> ")}`, ...missesOf(answer).map((miss) => `    ${miss}`));
  }
  print(`held: ${wrong.filter(({ part }) => part === "held").length} questions with a miss`, "");
}

async function badModel(): Promise<void> {
  const tried: Tried[] = [];
  for (const bad of BAD_CASES) tried.push(await tryBad(bad));
  const kinds = Map.groupBy(tried, ({ bad }) => bad.id.split("-")[0] ?? "");
  const count = (list: readonly Tried[], end: Tried["end"]): string =>
    String(list.filter((one) => one.isCaught && one.end === end).length);
  const rows = [...kinds, ["all", tried] as const].map(([kind, list]) => [
    kind,
    String(list.length),
    count(list, "flagged"),
    count(list, "corrected"),
    count(list, "refused"),
    String(list.filter(({ isCaught }) => !isCaught).length),
  ]);
  print("A bad model", "", toTable(["", "cases", "flagged", "corrected", "refused", "missed"], rows), "");
  for (const { bad, observed } of tried.filter(({ isCaught }) => !isCaught))
    print(`missed ${bad.id}: ${observed.text}`);
}

async function model(name: string): Promise<void> {
  const models = new ModelRegistry({ env: process.env });
  // Throws now if its key is missing.
  models.resolve({ name });
  await using harness = await openEvalHarness({
    modelOf: ({ toolCalls }) => models.forAgent({ model: { name }, toolCalls }),
  });
  const file = flags.keep ?? `.baton/evals/${name.replaceAll("/", "_")}.jsonl`;
  const questions = QUESTIONS.slice(0, Number(flags.limit));
  const market = await openMarket({ env: { BATON_FINANCE_DATA: "offline" }, clock: new SystemClock() });
  const answers = await answerWithModel({ harness, market, questions, repeat: Number(flags.repeat), file });
  print(`${name}, ${flags.repeat} times; answers are kept in ${file}`, "", toRulesTable(answers), "");
  print(toCostTable(answers), "");
  if (flags.misses) printMisses(answers);
}

if (flags.model === undefined) {
  await rules();
  await badModel();
} else await model(flags.model);
