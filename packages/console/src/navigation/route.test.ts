import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseRoute, type PageRoute, TABS, toAddress } from "./route.ts";

const read = (address: string): PageRoute => {
  const url = new URL(address, "http://console.test");
  return parseRoute(url.pathname, url.search);
};

test("every address of the console is a page", () => {
  assert.deepEqual(read("/"), { page: "chat" });
  assert.deepEqual(read("/chat/s-1?run=r"), { page: "chat", session: "s-1", run: "r" });
  assert.deepEqual(read("/runs?status=paused&q=tea%20pot"), { page: "runs", status: "paused", q: "tea pot" });
  assert.deepEqual(read("/runs?after=all"), { page: "runs", after: "all" });
  assert.deepEqual(read("/runs?after=some"), { page: "runs" });
  assert.deepEqual(read("/runs/r?at=431&sel=3.1&tab=xray&vs=o"), {
    page: "run",
    id: "r",
    at: 431,
    sel: "3.1",
    tab: "xray",
    vs: "o",
  });
  assert.deepEqual(read("/crews/quiz-exam?agent=teacher"), { page: "crew", id: "quiz-exam", agent: "teacher" });
  assert.deepEqual(read("/overview"), { page: "overview" });
  assert.deepEqual(read("/evals/policies"), { page: "policies" });
  assert.deepEqual(read("/evals/refunds?case=c1"), { page: "evals", dataset: "refunds", case: "c1" });
  assert.deepEqual(read("/server/tools/finance/getSMA"), { page: "tools", crew: "finance", tool: "getSMA" });
  assert.deepEqual(read("/runs/a/compare/b"), { page: "compare", id: "a", other: "b" });
});

test("what makes no sense is left out, and other paths are unknown", () => {
  for (const at of ["0", "-3", "1.5", "now", ""]) assert.deepEqual(read(`/runs/r?at=${at}`), { page: "run", id: "r" });
  assert.deepEqual(read("/runs/r?tab=secret"), { page: "run", id: "r" });
  for (const path of ["/nowhere", "/runs/a/b", "/overview/x"]) assert.equal(read(path).page, "unknown");
  assert.equal(read("/chat/%E0%A4%A").page, "chat");
});

test("an address that is written is read as the same route", () => {
  const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abz09-_ /?&=%#é".split("")) });
  const at = fc.integer({ min: 1, max: 1e6 });
  const tab = fc.constantFrom(...TABS);
  const page = <Page extends string>(name: Page) => fc.constant(name);
  const route = fc.oneof(
    fc.record({ page: page("run"), id: word, at, sel: word, tab, vs: word }, { requiredKeys: ["page", "id"] }),
    fc.record({ page: page("runs"), status: word, outcome: word, crew: word, q: word }, { requiredKeys: ["page"] }),
    fc.record({ page: page("crew"), id: word, agent: word }, { requiredKeys: ["page", "id"] }),
    fc.record({ page: page("chat"), session: word, run: word }, { requiredKeys: ["page", "session"] }),
  );
  const property = fc.property(route, (made) => {
    const url = new URL(toAddress(made), "http://console.test");
    assert.deepEqual(parseRoute(url.pathname, url.search), { ...made });
  });
  fc.assert(property);
});
