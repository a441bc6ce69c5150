/**
 * Assistant: how long the finance assistant takes from the request to the first word of the answer and to its end, over
 * HTTP: without a language model, and with one that answers at once, so that all the time is Baton's.
 *
 * `node bench/assistant.ts [--json]`. It starts `baton serve` on a folder of its own. What the figures mean is in this
 * folder's README.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const ROUNDS = 40;
const WARM_UP = 5;
const QUESTIONS = [
  ["price", "price of AAPL"],
  ["technical analysis", "Phân tích kỹ thuật AAPL"],
  ["comparison of three", "Compare AAPL, MSFT and GE"],
] as const;
/** A model that understands, looks the price up and cites it, without taking any time. */
const SCRIPT = `intent:
  - say: >-
      {"intent_summary": "price of Apple", "query_type": "stock_price", "complexity": "tool_required", "parts": [],
      "raw_symbols": [{"said": "Apple", "ticker": "AAPL"}], "wants": [], "response_language": "en", "confidence": 1}
analyst:
  - call: [{ tool: getStockQuote, args: { symbol: AAPL } }]
  - say: "The last known price of Apple is {f4.1.1.1}."
`;

interface Row {
  readonly name: string;
  /** On a busy machine the least says most: other work only ever adds. */
  readonly firstLeastMs: number;
  readonly firstP50Ms: number;
  readonly firstP99Ms: number;
  readonly doneP50Ms: number;
  readonly doneP99Ms: number;
}

const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });
const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
const root = join(import.meta.dirname, "..");
const command = [join(root, "packages/cli/bin/baton.js"), "serve", join(root, "apps/finance/crew"), "--port", "0"];
const { BATON_MODEL: _, OPENAI_API_KEY: __, ANTHROPIC_API_KEY: ___, ...inherited } = process.env;
const env = { ...inherited, BATON_FINANCE_DATA: "offline" };
const script = join(folder, "script.yaml");
try {
  await writeFile(script, SCRIPT);
  const demo = await serve([], QUESTIONS);
  const model = await serve(["--script", script], [["price, with a model", "How much is Apple?"]]);
  const rows = [...demo, ...model];
  if (options.json === true) console.log(JSON.stringify({ node: process.version, rows }, null, 2));
  else for (const row of rows) console.log(toLine(row));
} finally {
  await rm(folder, { recursive: true });
}

/** Serves the assistant with these options, and measures the questions. */
async function serve(
  more: readonly string[],
  questions: readonly (readonly [name: string, question: string])[],
): Promise<readonly Row[]> {
  const server = spawn(process.execPath, [...command, "--data", folder, "--log-level", "error", ...more], { env });
  try {
    const url = await listening(server.stdout);
    const rows: Row[] = [];
    for (const [name, question] of questions) rows.push(await measure(url, name, question));
    return rows;
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
}

async function listening(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) {
    const [, url] = /^listening on (.*)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("the server ended before it listened");
}

async function measure(url: string, name: string, question: string): Promise<Row> {
  const first: number[] = [];
  const done: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const times = await ask(url, question);
    if (round < 0) continue;
    first.push(times.first);
    done.push(times.done);
  }
  const at = (times: readonly number[], share: number) =>
    times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    name,
    firstLeastMs: Math.min(...first),
    firstP50Ms: at(first, 0.5),
    firstP99Ms: at(first, 0.99),
    doneP50Ms: at(done, 0.5),
    doneP99Ms: at(done, 0.99),
  };
}

async function ask(url: string, question: string): Promise<Readonly<{ first: number; done: number }>> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v2/chat-assistant/chat/v4`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question_input: question }),
  });
  let first = 0;
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (first === 0 && text.includes('"content_delta"')) first = performance.now() - start;
  }
  if (!text.includes('"type":"done"') || first === 0) throw new Error(`no answer: ${text.slice(0, 500)}`);
  return { first, done: performance.now() - start };
}

function toLine({ name, firstLeastMs, firstP50Ms, firstP99Ms, doneP50Ms, doneP99Ms }: Row): string {
  const figures = [firstLeastMs, firstP50Ms, firstP99Ms, doneP50Ms, doneP99Ms].map((ms) => ms.toFixed(0).padStart(6));
  const [first, end] = [figures.slice(0, 3).join(""), figures.slice(3).join("")];
  return `${name.padEnd(22)} first word least, p50, p99 ${first} ms · end p50, p99 ${end} ms`;
}
