import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../../testing/command.ts";
import { Served } from "../../testing/served.ts";
import { SHOP } from "../../testing/shop.ts";

const Key = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  user: z.string(),
  plan: z.enum(["free", "premium"]),
  scopes: z.array(z.string()),
  createdAt: z.number(),
  revokedAt: z.number().optional(),
});
const Keys = z.object({ keys: z.array(Key) });

/** Asks until it is so; the time that the test may take is the limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test("a key is printed once, lets its tenant in, and stops to do so when it is revoked, while the server runs", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop"], { cwd });
    assert.equal((await server.get("/api/runs")).status, 200);
    const made = await baton(["keys", "create", "--tenant", "acme", "--scopes", "run,read"], { cwd });
    assert.equal(made.exitCode, 0);
    assert.match(made.stdout, /^bt_[0-9a-f]{16}_[0-9a-f]{64}\n$/);
    assert.match(
      made.stderr,
      /^key ([0-9a-f]{16}) of acme, user \1 \(run, read\) is stored in \.baton; save it now.*\nfrom now on every server on \.baton needs a key: Authorization: Bearer KEY\n$/,
    );
    const key = made.stdout.trim();
    await until(async () => (await server.get("/api/runs")).status === 401);
    assert.equal((await server.get("/api/runs", key)).status, 200);
    assert.equal((await server.get("/metrics", key)).status, 403);
    const { id } = await server.run({ input: "hello" }, { wait: true, key });
    assert.equal((await server.get(`/api/runs/${id}`, key)).status, 200);
    const other = await baton(["keys", "create", "--tenant", "other", "--scopes", "read", "--json"], { cwd });
    const foreign = z.looseObject({ key: z.string(), id: z.string() }).parse(JSON.parse(other.stdout));
    await until(async () => (await server.get(`/api/runs/${id}`, foreign.key)).status === 404);
    const name = key.slice("bt_".length, "bt_".length + 16);
    const revoked = await baton(["keys", "revoke", name.slice(0, 8)], { cwd });
    assert.deepEqual([revoked.exitCode, revoked.stdout, revoked.stderr], [0, `revoked ${name}\n`, ""]);
    await until(async () => (await server.get("/api/runs", key)).status === 401);
    const last = await baton(["keys", "revoke", foreign.id], { cwd });
    assert.match(
      last.stderr,
      /^no active key is left, but servers on \.baton still need one; create one with `baton keys create/,
    );
    const { stdout, stderr } = await server.stop();
    for (const secret of [key, foreign.key]) assert.equal(`${stdout}${stderr}`.includes(secret), false);
    assert.equal((await readFile(join(cwd, ".baton", "baton.db"))).includes(key.slice(20)), false);
  });
});

test("the first key of a tenant adopts what was there before keys, and no later one does", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop"], { cwd });
    const { id } = await server.run({ input: "hello", session_id: "s" }, { wait: true });
    const make = (...more: string[]) =>
      baton(["keys", "create", "--tenant", "acme", "--scopes", "run,read", ...more], { cwd });
    const made = await make("--user", "ann", "--adopt-local");
    assert.match(made.stderr, /\n1 run and 1 session of local now belong to ann\n/);
    const ann = made.stdout.trim();
    await until(async () => (await server.get("/api/runs")).status === 401);
    assert.equal((await server.get(`/api/runs/${id}`, ann)).status, 200);
    assert.equal((await server.get("/api/sessions/s/messages", ann)).status, 200);
    const late = await make("--user", "bob", "--adopt-local");
    assert.equal(late.exitCode, 2);
    assert.match(
      late.stderr,
      /--adopt-local: it works only with the first key of a tenant, and acme has \w+ in \.baton/,
    );
    assert.equal(Keys.parse(JSON.parse((await baton(["keys", "--json"], { cwd })).stdout)).keys.length, 1);
    const bob = (await make("--user", "bob")).stdout.trim();
    await until(async () => (await server.get("/api/runs", bob)).status === 200);
    assert.equal((await server.get(`/api/runs/${id}`, bob)).status, 404);
    const other = await baton(["keys", "create", "--tenant", "other", "--scopes", "read", "--adopt-local", "--json"], {
      cwd,
    });
    assert.partialDeepStrictEqual(JSON.parse(other.stdout), { adopted: { runs: 0, sessions: 0 } });
    assert.match(other.stderr, /\nthere were no runs or sessions of local to adopt\n$/);
  });
});

test("after the last key is revoked, a new key of the same user sees the same runs", async () => {
  await inFolder(SHOP, async (cwd) => {
    const make = async () =>
      (
        await baton(["keys", "create", "--tenant", "acme", "--user", "ann", "--scopes", "run,read"], { cwd })
      ).stdout.trim();
    const first = await make();
    await using server = await Served.start(["shop"], { cwd });
    const { id } = await server.run({ input: "hello" }, { wait: true, key: first });
    const revoked = await baton(["keys", "revoke", first.slice(3, 11)], { cwd });
    assert.match(
      revoked.stderr,
      /\na key with the --tenant and --user of an old one sees the same runs; `baton keys open` removes the need for keys\n$/,
    );
    await until(async () => (await server.get("/api/runs", first)).status === 401);
    assert.equal((await server.get("/api/runs")).status, 401);
    const second = await make();
    await until(async () => (await server.get(`/api/runs/${id}`, second)).status === 200);
    await using open = await Served.start(["shop", "--data", "other"], { cwd });
    assert.equal((await open.get("/api/runs")).status, 200);
  });
});

test("keys open lets everybody on this machine in again, while no server runs or with an admin key", async () => {
  await inFolder(SHOP, async (cwd) => {
    const make = async (scopes: string) =>
      (await baton(["keys", "create", "--tenant", "acme", "--user", "ann", "--scopes", scopes], { cwd })).stdout.trim();
    const open = (...more: string[]) => baton(["keys", "open", ...more], { cwd });
    const none = await open();
    assert.deepEqual([none.exitCode, none.stdout], [0, ""]);
    assert.match(none.stderr, /^there are no keys in \.baton; servers on 127\.0\.0\.1 need none\n$/);
    const [reader, admin] = [await make("read"), await make("admin")];
    await using server = await Served.start(["shop"], { cwd });
    assert.equal((await server.get("/api/runs")).status, 401);
    const refused = await open();
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /^baton: a server or another command is using \.baton; stop it first, or .*--key/);
    const wrong = await open("--key", reader);
    assert.deepEqual(
      [wrong.exitCode, wrong.stderr],
      [2, "baton: --key: .baton has no such key with the scope admin\n"],
    );
    assert.equal((await server.get("/api/runs")).status, 401);
    const opened = await open("--key", admin);
    assert.deepEqual([opened.exitCode, opened.stdout], [0, "removed 2 keys\n"]);
    assert.match(opened.stderr, /^servers on \.baton now need no key, work only on 127\.0\.0\.1/);
    await until(async () => (await server.get("/api/runs")).status === 200);
    await server.stop();
    await make("read");
    assert.equal((await open()).stdout, "removed 1 key\n");
  });
});

test("a key that is rotated has the same tenant, user, plan and scopes, and the old one stops to work", async () => {
  await inFolder(SHOP, async (cwd) => {
    const create = "create --tenant acme --user ann --plan premium --scopes run,read --json".split(" ");
    const Made = z.looseObject({ key: z.string(), id: z.string() });
    const old = Made.parse(JSON.parse((await baton(["keys", ...create], { cwd })).stdout));
    await using server = await Served.start(["shop"], { cwd });
    const { id } = await server.run({ input: "hello" }, { wait: true, key: old.key });
    const rotated = await baton(["keys", "rotate", old.id.slice(0, 6), "--json"], { cwd });
    const made = Made.parse(JSON.parse(rotated.stdout));
    assert.partialDeepStrictEqual(made, {
      tenant: "acme",
      user: "ann",
      plan: "premium",
      scopes: ["run", "read"],
      replaces: old.id,
    });
    await until(async () => (await server.get("/api/runs", old.key)).status === 401);
    assert.equal((await server.get(`/api/runs/${id}`, made.key)).status, 200);
    const again = await baton(["keys", "rotate", old.id], { cwd });
    assert.equal(again.exitCode, 2);
    assert.match(again.stderr, /^baton: key [0-9a-f]{16} is revoked or damaged; create a new one with/);
    const unnamed = await baton(["keys", "rotate"], { cwd });
    assert.match(unnamed.stderr, /^baton: name the key by its id: baton keys rotate ID\n$/);
  });
});

test("a key that is damaged is listed as that, keeps nobody else out, and can be revoked", async () => {
  await inFolder(SHOP, async (cwd) => {
    const make = ["keys", "create", "--tenant", "acme", "--scopes", "read"];
    const [bad, good] = [(await baton(make, { cwd })).stdout.trim(), (await baton(make, { cwd })).stdout.trim()];
    const id = bad.split("_")[1] ?? "";
    const editor = new DatabaseSync(join(cwd, ".baton", "baton.db"));
    editor.prepare("UPDATE keys SET body = substr(body, 2) WHERE id = ?").run(id);
    editor.close();
    assert.match(
      (await baton(["keys"], { cwd })).stdout,
      new RegExp(`\n${id} +damaged: revoke it and create a new key\n`),
    );
    await using server = await Served.start(["shop"], { cwd });
    assert.equal((await server.get("/api/runs", good)).status, 200);
    assert.equal((await server.get("/api/runs", bad)).status, 401);
    assert.equal((await baton(["keys", "revoke", id], { cwd })).stdout, `revoked ${id}\n`);
    assert.match((await baton(["keys"], { cwd })).stdout, new RegExp(`\n${id} .*revoked`));
  });
});
