/** A client that loses its stream while the run goes on, by a cut of the wire. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DIALECTS } from "../dialects/dialects.ts";
import { GatedModel, SLOW } from "../testing/crews.ts";
import { follow, inLog, readUntil, toCuts } from "../testing/followed-stream.ts";
import { lastIdOf, parseFrames, readBytes } from "../testing/frames.ts";
import { startTestServer } from "../testing/test-server.ts";

for (const { name: dialect } of DIALECTS) {
  test(`a live run in ${dialect}, whose client is interrupted before and after any frame, continues without loss or repeat`, async () => {
    const model = new GatedModel();
    await using server = await startTestServer([SLOW], { model: () => model });
    const begun = await server.post("/api/runs", { input: "hello" });
    const path = `/api/runs/${begun.headers.get("x-run-id")}/events?dialect=${dialect}`;
    model.say("One\r\n");
    model.say("two");
    const opening = await readUntil(server, path, "two");
    const cuts = toCuts(Buffer.from(opening));
    assert.ok(cuts.length > 3);
    const seen = await Promise.all(cuts.map(async (cut) => readBytes(await server.get(path), cut)));
    const again = seen.map(async (text) => {
      const had = inLog(parseFrames(text));
      return [...had, ...inLog(await follow(server, path, lastIdOf(had)))];
    });
    model.say(" three");
    model.end();
    const all = await Promise.all(again);
    const frames = inLog(await follow(server, path));
    for (const [cut, got] of all.entries()) assert.deepEqual(got, frames, `cut at byte ${cut}`);
  });
}
