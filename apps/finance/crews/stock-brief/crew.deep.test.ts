/** The crew by its script, with the real command: what is found, what is drawn, what is written, and the replay. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { z } from "zod";
import { ChartSchema } from "../../answer/charts/chart.ts";

const BATON = join(import.meta.dirname, "..", "..", "..", "..", "packages", "cli", "bin", "baton.js");
const cwd = await mkdtemp(join(tmpdir(), "baton-brief-"));
after(() => rm(cwd, { recursive: true }));

/** Runs the command with no key in the environment. */
async function baton(...args: readonly string[]): Promise<string> {
  const options = { cwd, env: { PATH: process.env["PATH"] ?? "", HOME: cwd }, maxBuffer: 64 * 1_024 * 1_024 };
  return (await promisify(execFile)(process.execPath, [BATON, ...args], options)).stdout;
}

const EventSchema = z.looseObject({ type: z.string(), run: z.string(), agent: z.string().optional() });
const FactSchema = z.object({ value: z.number(), kind: z.string(), metric: z.string(), call: z.string() });

async function ask(question: string) {
  const lines = (await baton("run", import.meta.dirname, question, "--json")).trim().split("\n");
  return lines.map((line) => EventSchema.parse(JSON.parse(line)));
}

const of = (events: Awaited<ReturnType<typeof ask>>, type: string) => events.filter((event) => event.type === type);

/** Every fact that the run's tools have set. */
function factsOf(events: Awaited<ReturnType<typeof ask>>) {
  const states = of(events, "call.ended").map(({ state }) =>
    z.record(z.string(), z.unknown()).default({}).parse(state),
  );
  return states.flatMap((state) => Object.values(state).flatMap((value) => z.array(FactSchema).parse(value)));
}

for (const symbol of ["NVDA", "AAPL"]) {
  const asked = ask(`How does ${symbol} look?`);

  test(`${symbol}: the analysts work in a group, and every call succeeds`, async () => {
    const events = await asked;
    assert.deepEqual(
      of(events, "turn.started").map(({ agent }) => agent),
      ["lead", "technical", "fundamental", "writer"],
    );
    assert.deepEqual(of(events, "group.started")[0]?.["agents"], ["technical", "fundamental"]);
    assert.equal(of(events, "call.ended").length, 6);
    for (const { error, output } of of(events, "call.ended")) {
      assert.equal(error, undefined);
      assert.doesNotMatch(JSON.stringify(output), /"no_data":true/);
    }
    assert.equal(of(events, "run.ended")[0]?.["outcome"], "done");
  });

  test(`${symbol}: the chart is a note with bars and panes, and says that it is simulated`, async () => {
    const notes = of(await asked, "note.made");
    assert.deepEqual(
      notes.map(({ kind }) => kind),
      ["chart"],
    );
    const chart = ChartSchema.parse(notes[0]?.["data"]);
    assert.ok(chart.type === "showStockChart" && chart.primary);
    const { bars, panes, provenance } = chart.data;
    assert.deepEqual([chart.symbols, provenance.kind], [[symbol], "synthetic"]);
    assert.ok(bars.length > 240);
    assert.deepEqual(
      panes.map(({ name }) => name),
      ["price", "RSI", "MACD"],
    );
  });

  test(`${symbol}: every figure of the brief is a fact, and the first sentence says what is simulated`, async () => {
    const events = await asked;
    const brief = z.string().parse(of(events, "turn.ended").at(-1)?.["text"]);
    assert.match(
      brief.split("\n")[0] ?? "",
      new RegExp(`^\\*\\*${symbol}\\*\\*, as of 2024-11-22; .* simulated price path`),
    );
    const facts = factsOf(events);
    const told = brief.split("\n").filter((line) => line.startsWith("- "));
    assert.ok(told.length >= 4);
    for (const figure of told.flatMap((line) => line.slice(line.indexOf(": ") + 2).split(" · "))) {
      const fact = facts.find(({ metric, value }) => figure.startsWith(`${metric} `) && isSaid(figure, metric, value));
      assert.ok(fact, figure);
    }
  });
}

/** Whether a figure's number is the value at the precision and scale it is written with. */
function isSaid(figure: string, metric: string, value: number): boolean {
  const [, digits = "", decimals = "", letter = ""] =
    /^(-?[\d,]+)(\.\d+)?([TBM])?/.exec(figure.slice(metric.length + 1)) ?? [];
  const scale = { T: 1e12, B: 1e9, M: 1e6, "": 1 }[letter] ?? 1;
  const said = Number(`${digits.replaceAll(",", "")}${decimals}`);
  return Math.abs(said - value / scale) <= 0.5 * 10 ** -Math.max(0, decimals.length - 1) + 1e-9;
}

test("a stored run is identical when it is replayed", async () => {
  const [started] = await ask("How does NVDA look?");
  const { identical } = z
    .object({ identical: z.boolean() })
    .parse(JSON.parse(await baton("replay", started?.run ?? "", import.meta.dirname, "--json")));
  assert.equal(identical, true);
});

test("asked anything else, the script says what it can answer, and calls no tool", async () => {
  const events = await ask("Should I buy a boat?");
  assert.deepEqual(of(events, "call.started"), []);
  assert.match(z.string().parse(of(events, "run.ended")[0]?.["text"]), /How does NVDA look\?/);
});

test("a setting that is wrong is an error of the call that needs it, not of the crew's file", async () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, BATON_FINANCE_LIVE: "maybe" };
  const args = [BATON, "tools", "call", import.meta.dirname, "getStockQuote", '{"symbol":"AAPL"}'];
  const ended = await promisify(execFile)(process.execPath, args, { cwd, env }).catch((thrown: unknown) => thrown);
  const { stdout } = z.looseObject({ stdout: z.string() }).parse(ended);
  assert.match(stdout, /not_configured: BATON_FINANCE_LIVE is \\"maybe\\": set it to on or off/);
});
