/** A long session: how much longer one more question takes in a new process after 300 exchanges than in an empty session. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemProcess } from "./system.ts";

/** Milliseconds of one question in a new process, in an empty session and in one of 300 exchanges. */
export interface LongSession {
  readonly emptyMs: number;
  readonly longMs: number;
}

/** About 6,000 events in Baton's log: a reply comes in some fifty pieces, which are stored by the batch. */
const exchanges = 300;

const chat = async (adapter: string, folder: string, count: number): Promise<number> => {
  const process = new SystemProcess(adapter, [folder, "http://127.0.0.1:1", "1"]);
  try {
    await process.state();
    const begin = performance.now();
    process.send(`chat ${count}`);
    const { state, message } = await process.state();
    if (state !== "ended") throw new Error(`the session broke: ${message ?? state}`);
    return performance.now() - begin;
  } finally {
    await process.end();
  }
};

/** Asks one question in an empty session, 300 in a row, and one more. */
export async function playLongSession(adapter: string): Promise<LongSession> {
  const folder = await mkdtemp(join(tmpdir(), "baton-crash-"));
  try {
    const emptyMs = await chat(adapter, folder, 1);
    await chat(adapter, folder, exchanges);
    return { emptyMs, longMs: await chat(adapter, folder, 1) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
