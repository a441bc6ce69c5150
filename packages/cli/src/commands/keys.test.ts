import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { baton, inFolder } from "../testing/command.ts";

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
