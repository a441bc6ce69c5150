import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isWanted,
  type RunList,
  LISTED_STATE_NAMES,
  LISTED_STATES,
  listedStateOf,
  withNewRunsOnTop,
  withoutRun,
  withRun,
} from "./run-list.ts";
import { runInfo } from "../testing/run-info.ts";

const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
const LIST: RunList = { rows: [runInfo("b", { created_at: at(2) }), runInfo("a", { created_at: at(1) })], newRuns: [] };
const ids = ({ rows, newRuns }: RunList) => [rows.map(({ id }) => id), newRuns.map(({ id }) => id)];

test("a run that changes stays in its row", () => {
  const list = withRun(LIST, runInfo("a", { created_at: at(1), status: "ended", outcome: "done" }), {});
  assert.deepEqual(ids(list), [["b", "a"], []]);
  assert.equal(list.rows[1]?.outcome, "done");
});

test("a new run moves no row until the new ones are shown", () => {
  let list = withRun(LIST, runInfo("c", { created_at: at(3) }), {});
  list = withRun(list, runInfo("d", { created_at: at(4) }), {});
  list = withRun(list, runInfo("c", { created_at: at(3), status: "ended", outcome: "failed" }), {});
  assert.deepEqual(ids(list), [
    ["b", "a"],
    ["d", "c"],
  ]);
  assert.equal(list.newRuns[1]?.outcome, "failed");
  assert.deepEqual(ids(withNewRunsOnTop(list)), [["d", "c", "b", "a"], []]);
});

test("a run that is older than the list, or that the filter leaves out, is not new", () => {
  assert.equal(withRun(LIST, runInfo("z", { created_at: at(0) }), {}), LIST);
  for (const filter of [{ crew: "other" }, { q: "teapot" }, { outcome: "done" }, { status: "ended" }])
    assert.equal(withRun(LIST, runInfo("z", { created_at: at(5) }), filter), LIST);
  assert.ok(isWanted(runInfo("x", { input: "My TEAPOT" }), { q: "teapot", crew: "hello", status: "running" }));
});

test("a run that was removed leaves its row, or never comes", () => {
  const list = withRun(LIST, runInfo("c", { created_at: at(3) }), {});
  assert.deepEqual(ids(withoutRun(list, "a")), [["b"], ["c"]]);
  assert.deepEqual(ids(withoutRun(list, "c")), [["b", "a"], []]);
});

test("runs that follow others are listed only if they are asked for", () => {
  const after = runInfo("n", { created_at: at(5), after_of: "b" });
  assert.equal(isWanted(after, {}), false);
  assert.equal(isWanted(after, { after: "all" }), true);
});

test("each state stands for a filter, and is found from it", () => {
  for (const name of LISTED_STATE_NAMES) assert.equal(listedStateOf(LISTED_STATES[name]), name);
  assert.equal(listedStateOf({}), undefined);
  assert.equal(listedStateOf({ status: "moon" }), undefined);
});
