/** docs/production.md: its files name settings that exist, leave runs the time that they have, and repeat true defaults. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SETTING_NAMES, SETTINGS } from "@baton/core/ports";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const page = read("docs/production.md");
const settingsTable = read("docs/serve.md");
const baton = join(root, "packages", "cli", "bin", "baton.js");

test("every variable of Baton that the page sets is a setting of the server", () => {
  const known = new Set(settingsTable.match(/BATON_[A-Z_]+/g));
  const named = new Set(page.match(/BATON_[A-Z_]+/g));
  assert.ok(named.size > 3, `${named.size} variables`);
  assert.deepEqual(
    [...named].filter((name) => !known.has(name)),
    [],
  );
});

test("the configuration file is one that the server takes", () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-production-"));
  try {
    symlinkSync(join(root, "crews"), join(folder, "crews"));
    writeFileSync(join(folder, "baton.config.yaml"), blockOf("# baton.config.yaml"));
    const args = [baton, "serve", "--print-config"];
    const shown = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", env: { PATH: "" } });
    assert.match(shown, /crews\.example\.com/);
    assert.match(shown, /90/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Docker, Compose, Kubernetes and systemd wait longer than the grace period of a server", () => {
  const grace = Number(/`grace_seconds` \| [^|]+\| [^|]+\| `(\d+)`/.exec(settingsTable)?.[1]);
  const patience = [/--stop-timeout (\d+)/, /terminationGracePeriodSeconds: (\d+)/, /stop_grace_period: (\d+)s/];
  for (const pattern of [...patience, /TimeoutStopSec=(\d+)/])
    assert.ok(Number(pattern.exec(page)?.[1]) > grace, String(pattern));
});

test("the Compose file keeps data where the image has it", () => {
  assert.match(blockOf("# compose.yaml"), /volumes: \["crews-data:\/data"\]/);
  assert.match(blockOf("# Dockerfile"), /BATON_DATA=\/data/);
});

test("nginx lets through what the server does", () => {
  const body = Number(/`max_body_mb` \| [^|]+\| [^|]+\| `(\d+)`/.exec(settingsTable)?.[1]);
  assert.equal(/client_max_body_size (\d+)m/.exec(page)?.[1], String(4 * body));
  const headers = /MAX_HEADER_BYTES = (\d+) \* 1_024/.exec(read("packages/server/src/gateway/http-server.ts"))?.[1];
  assert.equal(/large_client_header_buffers 4 (\d+)k/.exec(page)?.[1], headers);
});

test("every metric that the page recommends is one that the server has", () => {
  const metrics = read("docs/metrics.md");
  const named = page.match(/baton_[a-z_]+_(?:total|seconds|runs)/g) ?? [];
  assert.ok(named.length >= 5, `${named.length} metrics`);
  for (const name of named) assert.ok(metrics.includes(`\`${name}\``), name);
});

test("the limits have the defaults of a crew", () => {
  const defaults = new Map(
    SETTING_NAMES.map((name) => [SETTINGS[name].yaml, SETTINGS[name].value / SETTINGS[name].scale]),
  );
  const rows = page.slice(page.indexOf("## Limits to set")).split("\n");
  const crews = rows.filter((row) => /`max_\w+`/.test(row) && !row.includes("limits.max_usd"));
  assert.equal(crews.length, 2);
  for (const row of crews) {
    const [, , settings = "", values = ""] = row.split("|");
    const names = Array.from(settings.matchAll(/`(max_\w+)`/g), ([, name = ""]) => name);
    const shown = Array.from(
      values
        .replaceAll(/(\d),(\d{3})/g, "$1$2")
        .replaceAll(/(\d),(\d{3})/g, "$1$2")
        .matchAll(/\d+/g),
      Number,
    );
    assert.deepEqual(
      shown,
      names.map((name) => defaults.get(name)),
      row,
    );
  }
});

/** The fenced block whose first line is this comment, or holds it. */
function blockOf(comment: string): string {
  const blocks = Array.from(page.matchAll(/^```\w+[^\n]*\n(.*?)^```$/gms), ([, text = ""]) => text);
  const found = blocks.find((text) => text.startsWith(comment));
  assert.ok(found !== undefined, `there is no block ${comment}`);
  return found;
}
