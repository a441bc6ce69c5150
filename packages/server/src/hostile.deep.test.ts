/** No text of a user, and no body of JSON, holds the event loop for more than 50 ms of CPU time, on any route. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inSlice } from "@baton/core/testing";
import { HOSTILE_BODIES, HOSTILE_TEXTS, openMonitored, post, TEXT_ROUTES } from "./testing/hostile-texts.ts";

const MAX_MS = 50;

test("there are at least 40 shapes", () => assert.ok(HOSTILE_TEXTS.length >= 40));

for (const [route, toRequest] of TEXT_ROUTES) {
  test(`no text holds the event loop: ${route}`, async () => {
    await using server = await openMonitored();
    // Code is compiled, and caches are filled.
    for (const text of ["a", "b", "c"]) await server.measure(toRequest(text));
    for (const text of inSlice(HOSTILE_TEXTS)) {
      const first = await server.measure(toRequest(text));
      // A pause of the garbage collector is not the text's: it does not come twice.
      const { maxMs, status } = first.maxMs < MAX_MS ? first : await server.measure(toRequest(text));
      assert.ok(status < 500, `${status} for ${JSON.stringify(text.slice(0, 20))}`);
      assert.ok(maxMs < MAX_MS, `${maxMs.toFixed(0)} ms for ${JSON.stringify(text.slice(0, 20))}`);
    }
  });
}

for (const [name, toBody] of inSlice(HOSTILE_BODIES)) {
  test(`no body of 8 MB holds the event loop: ${name}`, async () => {
    await using server = await openMonitored();
    await server.measure(post("/api/runs", { input: "a" }));
    const body = toBody();
    for (const path of ["/api/runs", "/api/crew/stream", "/v1/responses"]) {
      const first = await server.measure(post(path, body));
      const { maxMs, status } = first.maxMs < MAX_MS ? first : await server.measure(post(path, body));
      assert.equal(status, 400, path);
      assert.ok(maxMs < MAX_MS, `${maxMs.toFixed(0)} ms on ${path}`);
    }
  });
}
