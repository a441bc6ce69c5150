/** A stream that is cut at any byte and resumed, in every dialect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { DIALECTS } from "../dialects/dialects.ts";
import { PICKS_AND_ASKS, RELAY, WAITS } from "../testing/crews.ts";
import { follow, inLog } from "../testing/followed-stream.ts";
import { lastIdOf, parseFrames } from "../testing/frames.ts";
import { startTestServer } from "../testing/test-server.ts";

const CREWS = [RELAY, WAITS, PICKS_AND_ASKS] as const;

for (const { name: dialect } of DIALECTS) {
  test(`a stream in ${dialect} that is cut at any byte continues without loss or repeat`, async () => {
    await using server = await startTestServer(CREWS);
    for (const { crew } of CREWS) {
      const begun = await server.post("/api/runs", { crew: crew.name, input: "hello" }, { Prefer: "wait" });
      const id = begun.headers.get("x-run-id") ?? "";
      // One that waits ends here, so that its stream does.
      await (await server.post(`/api/runs/${id}/commands`, { type: "cancel" })).text();
      const path = `/api/runs/${id}/events?dialect=${dialect}`;
      const bytes = Buffer.from(await (await server.get(path)).text());
      const frames = inLog(parseFrames(bytes.toString()));
      assert.ok(frames.length > 3);
      for (const cut of inSlice(Array.from({ length: bytes.length + 1 }, (_, index) => index))) {
        const seen = inLog(parseFrames(bytes.subarray(0, cut).toString()));
        const rest = inLog(await follow(server, path, lastIdOf(seen)));
        assert.deepEqual([...seen, ...rest], frames, `${crew.name}, cut at byte ${cut}`);
      }
    }
  });
}
