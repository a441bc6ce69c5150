/** The console's pages and files: who may have them, how long they are kept, and what may run in them. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { SystemClock } from "@baton/core/ports";
import { openMemory } from "@baton/store/sqlite";
import { KeyRing } from "../gateway/keys.ts";
import { RELAY } from "../testing/crews.ts";
import { startTestServer } from "../testing/test-server.ts";

const NEW_PAGES = ["/runs/a/playground", "/runs/a/compare/b", "/evals/x", "/server/tools/c/t", "/share/s"];
const folder = mkdtempSync(join(tmpdir(), "baton-console-"));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "assets"));
writeFileSync(join(folder, "index.html"), "<!doctype html><title>Baton</title>");
writeFileSync(join(folder, "icon.svg"), "<svg/>");
writeFileSync(join(folder, "assets", "index-1a2b.js"), "console.log(1)");
writeFileSync(join(folder, "assets", "index-1a2b.js.gz"), gzipSync("console.log(1)"));
writeFileSync(join(folder, "secret.txt"), "no");

test("every page of the console is its one page, and asked for anew each time", async () => {
  await using server = await startTestServer([RELAY], { console: folder });
  for (const path of [
    "/",
    "/chat/s-1",
    "/runs",
    "/runs/r-1?at=3",
    "/crews",
    "/crews/relay",
    "/overview",
    ...NEW_PAGES,
  ]) {
    const page = await server.get(path);
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8", path);
    assert.equal(page.headers.get("cache-control"), "no-cache");
    assert.match(await page.text(), /<title>Baton/);
  }
  const etag = (await server.get("/")).headers.get("etag") ?? "";
  assert.equal((await server.get("/", { "If-None-Match": etag })).status, 304);
});

test("its files may be kept for ever, and come compressed to those who understand it", async () => {
  await using server = await startTestServer([RELAY], { console: folder });
  const plain = await server.get("/assets/index-1a2b.js", { "Accept-Encoding": "identity" });
  assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(await plain.text(), "console.log(1)");
  const packed = await server.get("/assets/index-1a2b.js", { "Accept-Encoding": "gzip" });
  const bytes = Buffer.from(await packed.arrayBuffer());
  const text = packed.headers.get("content-encoding") === "gzip" && bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  assert.equal(text.toString(), "console.log(1)");
});

test("nothing runs in it but its own files, and nothing else of the folder is given", async () => {
  await using server = await startTestServer([RELAY], { console: folder });
  const policy = (await server.get("/")).headers.get("content-security-policy") ?? "";
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /style-src 'self';/);
  assert.doesNotMatch(policy, /unsafe/);
  for (const path of ["/secret.txt", "/assets/../secret.txt", "/assets/none.js", "/runs/a/b", "/index.html"]) {
    assert.equal((await server.get(path)).status, 404, path);
  }
});

test("an unknown address is the console's own page for a browser, and a problem for others", async () => {
  const database = openMemory();
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  await ring.create("acme", ["read"]);
  await using server = await startTestServer([RELAY], { console: folder, database });
  const headers = { Authorization: "", Accept: "text/html,*/*" };
  const page = await server.get("/nope/x", headers);
  assert.deepEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.match(page.headers.get("content-security-policy") ?? "", /script-src 'self';/);
  assert.match(await page.text(), /<title>Baton/);
  assert.equal((await server.get("/nope/x", { Authorization: "" })).status, 401);
  assert.equal((await server.get("/api/runs", headers)).status, 401);
});

test("pages need no key where data does", async () => {
  const database = openMemory();
  const ring = new KeyRing({ database, clock: new SystemClock(), isLoopback: true });
  await ring.create("acme", ["read"]);
  await using server = await startTestServer([RELAY], { console: folder, database });
  assert.equal((await server.get("/runs", { Authorization: "" })).status, 200);
  assert.equal((await server.get("/api/runs", { Authorization: "" })).status, 401);
});
