import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { RunFilter } from "../record.ts";
import { connect } from "./file/open-sqlite.ts";
import { toRunQuery } from "./runs.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-runs-"));
after(() => rmSync(folder, { recursive: true }));

test("runs are looked for by the index that finds fewest, whatever they are looked for by", () => {
  const connection = connect(join(folder, "plans.db"));
  const owner = { tenant: "t", user: "u" };
  const plans: readonly [index: string, filter: RunFilter][] = [
    ["runs_by_owner", owner],
    ["runs_by_session", { ...owner, session: "s", status: "running" }],
    ["runs_by_short_id", { ...owner, shortId: "x" }],
    ["runs_by_short_id", { tenant: "t", shortId: "x" }],
    ["runs_by_request", { ...owner, request: "x" }],
    ["runs_by_request", { tenant: "t", request: "x" }],
    ["runs_by_tenant", { tenant: "t" }],
  ];
  for (const [index, filter] of plans) {
    const { sql, values } = toRunQuery(filter);
    const [first] = connection.all(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    assert.match(String(first?.["detail"]), new RegExp(`USING INDEX ${index} `), JSON.stringify(filter));
  }
  connection.close();
});
