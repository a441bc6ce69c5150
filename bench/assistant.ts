/**
 * Assistant: how long the finance assistant takes without a language model, from the request to the first word of the
 * answer and to its end, over HTTP.
 *
 * `node bench/assistant.ts [--json]`. It starts `baton serve` on a folder of its own. What the figures mean is in this
 * folder's README.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const ROUNDS = 40;
const WARM_UP = 5;
const QUESTIONS = [
  ["price", "price of AAPL"],
  ["technical analysis", "Phân tích kỹ thuật NVDA"],
  ["comparison of three", "Compare AAPL, MSFT and GE"],
  ["report on three", "full report on AAPL, MSFT and GE"],
] as const;

interface Row {
  readonly name: string;
  readonly firstP50Ms: number;
  readonly firstP99Ms: number;
  readonly doneP50Ms: number;
  readonly doneP99Ms: number;
}

const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });
const folder = await mkdtemp(join(tmpdir(), "baton-bench-"));
const root = join(import.meta.dirname, "..");
const command = [join(root, "packages/cli/bin/baton.js"), "serve", join(root, "apps/finance/crew"), "--port", "0"];
const { BATON_MODEL: _, OPENAI_API_KEY: __, ANTHROPIC_API_KEY: ___, ...env } = process.env;
const server = spawn(process.execPath, [...command, "--data", folder, "--log-level", "error"], { env });
try {
  const rows: Row[] = [];
  const url = await listening();
  for (const [name, question] of QUESTIONS) rows.push(await measure(url, name, question));
  if (options.json === true) console.log(JSON.stringify({ node: process.version, rows }, null, 2));
  else for (const row of rows) console.log(toLine(row));
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  await rm(folder, { recursive: true });
}

async function listening(): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
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

function toLine({ name, firstP50Ms, firstP99Ms, doneP50Ms, doneP99Ms }: Row): string {
  const figures = [firstP50Ms, firstP99Ms, doneP50Ms, doneP99Ms].map((ms) => ms.toFixed(0).padStart(6));
  return `${name.padEnd(22)} first word p50, p99 ${figures.slice(0, 2).join("")} ms · end ${figures.slice(2).join("")} ms`;
}
