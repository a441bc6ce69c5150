/**
 * Served assistant: a real `baton serve apps/finance/crew` without a key, and questions to it.
 *
 * It can be told to die at a line of its log, as by `kill -9`; the next one on the same folder goes on.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const CREW = join(import.meta.dirname, "..");
const BATON = fileURLToPath(import.meta.resolve("@baton/cli/bin/baton.js"));

/** Ends the process like `kill -9` before a line of its log is written that has all the words of KILL_AT. */
const KILLER = `const words = (process.env.KILL_AT ?? "").split("|");
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (chunk, ...rest) => {
  if (words[0] !== "" && words.every((word) => String(chunk).includes(word))) process.kill(process.pid, "SIGKILL");
  return write(chunk, ...rest);
};
`;

const FRAME = z.looseObject({ type: z.string() });

/** A frame of the chat with its id. */
export type SeenFrame = Readonly<{ id: string | undefined; frame: z.output<typeof FRAME> }>;

/** The part of an answer that a client has received, whole or not. */
export interface Answer {
  readonly run: string;
  readonly session: string;
  readonly frames: readonly SeenFrame[];
}

/** A folder for runs, and servers on it, one after the other. */
export class ServedAssistant implements AsyncDisposable {
  readonly #folder: string;
  #child: ChildProcessByStdio<null, Readable, null> | undefined;
  #url = "";

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<ServedAssistant> {
    const folder = await mkdtemp(join(tmpdir(), "baton-finance-"));
    await writeFile(join(folder, "killer.mjs"), KILLER);
    return new ServedAssistant(folder);
  }

  /** Starts a server, which dies at the first line of its log that has all of these words, if there are any. */
  async start(...killAt: readonly string[]): Promise<void> {
    const args = ["--import", join(this.#folder, "killer.mjs"), BATON, "serve", CREW];
    const more = ["--port", "0", "--data", join(this.#folder, "data"), "--log-level", "debug"];
    const { PATH = "" } = process.env;
    const env = {
      PATH,
      KILL_AT: killAt.join("|"),
      OLLAMA_BASE_URL: "http://127.0.0.1:1",
      BATON_FINANCE_DATA: "offline",
    };
    const child = spawn(process.execPath, [...args, ...more], { env, stdio: ["ignore", "pipe", "ignore"] });
    this.#child = child;
    const said = String(await Promise.race([once(child.stdout, "data"), once(child, "exit")]));
    this.#url = /^listening on (\S+)/.exec(said)?.[1] ?? "";
    if (this.#url === "") throw new Error(`the server did not start: ${said}`);
  }

  /** Waits until it has died. */
  async died(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await once(this.#child, "exit");
  }

  async stop(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.died();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Asks, and reads the answer as far as it comes; undefined if the server died before it answered at all. */
  async ask(question: string, session: string, more: object = {}): Promise<Answer | undefined> {
    const body = JSON.stringify({ question_input: question, session_id: session, ...more });
    const headers = { "content-type": "application/json" };
    try {
      const path = "/api/v2/chat-assistant/chat/v4";
      return await read(await fetch(this.#url + path, { method: "POST", headers, body }));
    } catch {
      return undefined;
    }
  }

  /** Reads the rest of a run's stream after a frame. */
  async follow(run: string, after?: string): Promise<Answer> {
    const headers: Record<string, string> = after === undefined ? {} : { "Last-Event-ID": after };
    return read(await fetch(`${this.#url}/api/runs/${run}/events?dialect=chat`, { headers }));
  }

  async get(path: string): Promise<unknown> {
    const answer = await fetch(this.#url + path, { headers: { accept: "application/json" } });
    return answer.json();
  }
}

async function read(answer: Response): Promise<Answer> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of answer.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    // the server died; what came before counts
  }
  const [run, session] = [answer.headers.get("x-run-id") ?? "", answer.headers.get("x-session-id") ?? ""];
  return { run, session, frames: text.split("\n\n").slice(0, -1).flatMap(toFrame) };
}

function toFrame(block: string): readonly SeenFrame[] {
  const lines = block.split("\n");
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = valueOf("data");
  if (data === undefined) return [];
  const value: unknown = data === "[DONE]" ? { type: data } : JSON.parse(data);
  const frame = FRAME.parse(value);
  // Heartbeats come when the machine is slow, and are no part of an answer.
  return frame.type === "heartbeat" ? [] : [{ id: valueOf("id"), frame }];
}
