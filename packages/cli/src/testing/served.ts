/**
 * Served: a real `baton serve` on a free port, and requests to it.
 */
import assert from "node:assert/strict";
import type { createClient } from "@baton/client";
import { z } from "zod";
import { type Child, startBaton } from "./command.ts";
import type { Ran, RunOptions } from "./in-process.ts";

const Result = z.looseObject({ id: z.string(), outcome: z.string().optional() });

/** A run as the server shows it. */
export type ServedRun = z.infer<typeof Result>;

/** A running server; it ends with the test. */
export class Served implements AsyncDisposable {
  readonly child: Child;
  readonly url: string;

  private constructor(child: Child, url: string) {
    this.child = child;
    this.url = url;
  }

  /** Starts one; resolves when it says that it listens. */
  static async start(args: readonly string[], options: RunOptions): Promise<Served> {
    const child = startBaton(["serve", ...args, "--port", "0"], options);
    await child.sees("listening on http://");
    await child.sees("\n");
    return new Served(child, child.stdout.slice("listening on ".length, child.stdout.indexOf("\n")));
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ran> {
    this.child.process.kill(signal);
    return this.child.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.process.kill("SIGKILL");
    await this.child.ended();
  }

  async get(path: string, key?: string): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: toHeaders(key) });
  }

  /** Starts a run, and waits for its end or pause if asked. */
  async run(body: object, { wait = false, key }: { wait?: boolean; key?: string } = {}): Promise<ServedRun> {
    const response = await fetch(`${this.url}/api/runs`, {
      method: "POST",
      headers: { ...toHeaders(key), "content-type": "application/json", ...(wait ? { prefer: "wait" } : {}) },
      body: JSON.stringify(body),
    });
    return Result.parse(await response.json());
  }

  /** The log of a run, to its end. */
  async events(id: string): Promise<string> {
    return (await this.get(`/api/runs/${id}/events`)).text();
  }
}

function toHeaders(key: string | undefined): { readonly authorization?: string } {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** The lists of crews that come after a change. */
export async function followCrews(client: ReturnType<typeof createClient>) {
  const abort = new AbortController();
  const feed = client.feed({ abort: abort.signal });
  const next = async () => {
    for (;;) {
      const { value, done } = await feed.next();
      if (done === true) assert.fail("the feed ended");
      if (value.type === "crews") return value.crews;
    }
  };
  await feed.next();
  return { next, abort };
}
