/**
 * Followed stream: the frames of a run's stream as a client reads them, whole, from a place on, or up to some text.
 */
import assert from "node:assert/strict";
import { parseFrames, type SeenFrame } from "./frames.ts";
import type { TestServer } from "./test-server.ts";

/** Reads a stream to its end, after the frame with the last id if there is one. */
export async function follow(server: TestServer, path: string, last?: string): Promise<readonly SeenFrame[]> {
  const answer = await server.get(path, last === undefined ? {} : { "Last-Event-ID": last });
  if (answer.status === 204) return [];
  assert.equal(answer.status, 200);
  return parseFrames(await answer.text());
}

/** Drops frames that are in no log. */
export const inLog = (frames: readonly SeenFrame[]) => frames.filter(({ id }) => id !== undefined);

/** Returns the bytes before and after the end of each frame: in between, a client has the same last id and does the same next. */
export function toCuts(bytes: Buffer): readonly number[] {
  const cuts = new Set([0, bytes.length]);
  for (let end = bytes.indexOf("\n\n"); end >= 0; end = bytes.indexOf("\n\n", end + 1)) {
    for (const cut of [end, end + 1, end + 2]) cuts.add(cut);
  }
  return [...cuts];
}

/** Follows until the text has come, and returns all that came. */
export async function readUntil(server: TestServer, path: string, text: string): Promise<string> {
  const reader = (await server.get(path)).body?.getReader();
  assert.ok(reader);
  const decoder = new TextDecoder();
  let got = "";
  while (!got.includes(text)) {
    const { done, value } = await reader.read();
    assert.ok(!done, got);
    got += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return got;
}
