import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";
import { SHOP } from "../testing/shop.ts";

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

test("with --json too, revoking the last key says on standard error that servers stay locked", async () => {
  await inFolder({}, async (cwd) => {
    const make = async () =>
      z
        .looseObject({ id: z.string() })
        .parse(
          JSON.parse(
            (await baton(["keys", "create", "--tenant", "acme", "--scopes", "read", "--json"], { cwd })).stdout,
          ),
        ).id;
    const [first, last] = [await make(), await make()];
    const before = await baton(["keys", "revoke", first, "--json"], { cwd });
    assert.deepEqual([JSON.parse(before.stdout), before.stderr], [{ id: first, revoked: true }, ""]);
    const { exitCode, stdout, stderr } = await baton(["keys", "revoke", last, "--json"], { cwd });
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(stdout), { id: last, revoked: true });
    assert.match(
      stderr,
      /^no active key is left, but servers on \.baton still need one; create one with `baton keys create/,
    );
  });
});

test("keys are listed without their secrets", async () => {
  await inFolder({}, async (cwd) => {
    const none = await baton(["keys"], { cwd });
    assert.deepEqual([none.exitCode, none.stdout], [0, ""]);
    assert.match(
      none.stderr,
      /^no keys in \.baton; create one with `baton keys create --tenant NAME --scopes run,read`\n$/,
    );
    assert.equal(existsSync(join(cwd, ".baton")), false);
    const elsewhere = await baton(["keys", "--data", "my data"], { cwd });
    assert.match(elsewhere.stderr, /`baton keys create --tenant NAME --scopes run,read --data "my data"`\n$/);
    for (const [tenant, ...more] of [
      ["acme", "--user", "ann@example.com"],
      ["other", "--plan", "premium"],
    ] as const)
      await baton(["keys", "create", "--tenant", tenant, "--scopes", "admin , run", ...more], { cwd });
    const { keys } = Keys.parse(JSON.parse((await baton(["keys", "list", "--json"], { cwd })).stdout));
    assert.deepEqual(
      keys.map(({ tenant, user, plan, scopes }) => [tenant, user, plan, scopes]),
      [
        ["acme", "ann@example.com", "free", ["run", "admin"]],
        ["other", keys[1]?.id, "premium", ["run", "admin"]],
      ],
    );
    const id = keys[0]?.id ?? "";
    await baton(["keys", "revoke", id], { cwd });
    assert.equal((await baton(["keys", "revoke", id], { cwd })).stdout, `${id} was already revoked\n`);
    const { stdout } = await baton(["keys", "list"], { cwd });
    assert.match(
      stdout,
      new RegExp(
        `^key +tenant +user +plan +scopes +age +status\n${id} +acme +ann@example.com +free +run,admin +\\d+ s +revoked \\d+ s ago\n`,
      ),
    );
    assert.match(stdout, /\n([0-9a-f]{16}) +other +\1 +premium +run,admin +\d+ s +active\n$/);
  });
});

test("keys are where the configuration of the server says", async () => {
  await inFolder({ "baton.config.yaml": "data: kept\n" }, async (cwd) => {
    await baton(["keys", "create", "--tenant", "acme", "--scopes", "run"], { cwd });
    assert.equal(existsSync(join(cwd, "kept", "baton.db")), true);
    assert.equal(existsSync(join(cwd, ".baton")), false);
    const elsewhere = await baton(["keys", "--data", "my data"], { cwd });
    assert.match(elsewhere.stderr, /`baton keys create --tenant NAME --scopes run,read --data "my data"`\n$/);
  });
});

test("an invalid argument gets an error that says what to write", async () => {
  await inFolder({}, async (cwd) => {
    const wrong: [string[], RegExp][] = [
      [["create"], /--tenant is missing: baton keys create --tenant NAME --scopes run,read\n$/],
      [["create", "--tenant", "a"], /--scopes is missing; name some of run, read, approve, admin: baton keys create/],
      [
        ["create", "--tenant", "a", "--scopes", "run,write"],
        /--scopes must be some of run, read, approve, admin, not "write"\n$/,
      ],
      [["create", "--tenant", "a:b", "--scopes", "run"], /--tenant must be at most 128 letters, digits and/],
      [
        ["create", "--tenant", "a", "--scopes", "run", "--user", "a b"],
        /--user must be at most 128 letters, digits and \. _ @ \+ -\n$/,
      ],
      [
        ["create", "--tenant", "a", "--scopes", "run", "--plan", "gold"],
        /--plan must be free or premium, not "gold"\n$/,
      ],
      [["creat"], /has no action "creat"; did you mean create\?\n$/],
      [["revoke"], /name the key by its id: baton keys revoke ID\n$/],
      [["revoke", "1a2b"], /there is no key 1a2b in \.baton; `baton keys list` shows their ids\n$/],
      [["list", "x"], /takes no "x"; remove it\n$/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(["keys", ...args], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""], stderr);
      assert.match(stderr, expected);
    }
    assert.equal(existsSync(join(cwd, ".baton")), false);
    const elsewhere = await baton(["keys", "--data", "my data"], { cwd });
    assert.match(elsewhere.stderr, /`baton keys create --tenant NAME --scopes run,read --data "my data"`\n$/);
  });
});

/** Asks until it is so; the time that the test may take is the limit. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}
