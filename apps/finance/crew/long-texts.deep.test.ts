/** Whatever a text of 10,000 characters looks like, reading it blocks the process for less than 50 ms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@baton/core";
import { inSlice, toolContext } from "@baton/core/testing";
import { lookInto } from "@baton/core/util";
import { z } from "zod";
import { chooseTools } from "../intent/calls/tool-choice.ts";
import { classify } from "../intent/classify.ts";
import { detectLanguage } from "../intent/language.ts";
import { namedInAnswer } from "../intent/past-messages.ts";
import { toOwnWords } from "../intent/wishes/own-words.ts";
import { loadMarket } from "../market/chain/open-market.ts";
import { readHoldings } from "../tools/portfolio/csv/read-holdings.ts";
import { resolveRows } from "../tools/portfolio/csv/resolve-rows.ts";
import { createTools } from "../tools/catalogue.ts";
import { stubMarket } from "../tools/testing/stub-market.ts";
import { parseSpokenTime } from "../tools/watch/times/spoken-time.ts";

const CHARS = 10_000;
const MOST_MS = 50;

/** Pieces that texts are made of by repeating them. */
const PIECES: readonly string[] = [
  "a",
  "A",
  "1",
  "$",
  ".",
  "-",
  " ",
  "\n",
  "\t",
  "(",
  "[",
  "{",
  "<",
  '"',
  "'",
  "`",
  ",",
  "|",
  "%",
  "/",
  "é",
  "đ",
  "🙂",
  "\u0301",
  "a ",
  "1 ",
  "1,",
  "1.",
  "$1 ",
  "A-",
  "a.b",
  "(A)",
  "ă ",
  "AAPL ",
  "apple ",
  "100 usd ",
  "every ",
  "> a\n",
  "```\n",
  "| a | b |\n",
  "a,1,2\n",
  '"a" ',
  "lúc 7 giờ ",
  "giá cổ phiếu ",
  "thứ 2, ",
  "from 2012 to ",
  "remember that ",
];
const SHAPES = inSlice(PIECES.map((piece) => piece.repeat(Math.ceil(CHARS / piece.length)).slice(0, CHARS)));

const { directory } = loadMarket();
const SITUATION = { directory, today: "2024-11-22" };

/** Everything that reads a text of a user or a model in one piece. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  question: (text) => classify(text, SITUATION),
  history: (text) => classify("and its RSI?", { ...SITUATION, history: [{ role: "user", content: text }] }),
  "tool choice": (text) => chooseTools(classify("price of AAPL", SITUATION), text, SITUATION),
  "own words": toOwnWords,
  language: (text) => detectLanguage(text),
  answer: (text) => namedInAnswer(directory, text),
  name: (text) => directory.resolve(text),
  symbol: (text) => directory.get(text),
  "spoken time": (text) => parseSpokenTime(text, "vi"),
  table: (text) => {
    const { rows, style } = readHoldings(`Symbol,Quantity\n${text}`);
    return resolveRows(rows, { directory, region: style.region, account: undefined, standardAccount: "a" });
  },
};

const TRIES = 10;

/**
 * CPU time of this thread, the least of some times: other work must not count, and the first time compiles what it runs.
 * Once it is short enough, no more is tried.
 */
async function cpuMs(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let times = 0; times < TRIES && least >= MOST_MS; times++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

for (const [name, read] of Object.entries(READERS)) {
  test(`${name}: no shape of a long text takes ${MOST_MS} ms`, async () => {
    for (const text of SHAPES) {
      const ms = await cpuMs(() => read(text));
      assert.ok(ms < MOST_MS, `${JSON.stringify(text.slice(0, 12))}… takes ${ms.toFixed(0)} ms`);
    }
  });
}

const PROPERTIES = z.record(z.string(), z.json());

/** A call whose texts are all the same, long one; what else is required is usual. */
function toArgs(schema: Json, text: string): Json {
  const properties = Object.entries(PROPERTIES.parse(lookInto(schema, "properties") ?? {}));
  return Object.fromEntries(
    properties.flatMap(([name, property]): readonly (readonly [string, Json])[] => {
      const type = lookInto(property, "type");
      if (type === "string" && lookInto(property, "enum") === undefined) return [[name, text]];
      return type === "array" ? [[name, [text]]] : [];
    }),
  );
}

test(`no argument of a tool takes ${MOST_MS} ms, whether it is refused or read`, async () => {
  const market = stubMarket({}, { directory });
  for (const tool of createTools(market)) {
    for (const text of SHAPES) {
      const args = toArgs(z.json().parse(tool.inputSchema), text);
      const prepared = await tool.prepare(args);
      const ms = await cpuMs(() => tool.prepare(args));
      assert.ok(ms < MOST_MS, `${tool.name}: ${JSON.stringify(text.slice(0, 12))}… takes ${ms.toFixed(0)} ms`);
      if (!prepared.ok) continue;
      const runMs = await cpuMs(() => Promise.resolve(prepared.run(toolContext()())).catch(() => undefined));
      assert.ok(runMs < MOST_MS, `${tool.name}: ${JSON.stringify(text.slice(0, 12))}… runs ${runMs.toFixed(0)} ms`);
    }
  }
});
