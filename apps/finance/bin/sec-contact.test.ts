import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { settleContact } from "./sec-contact.ts";

/** Settles a contact in a folder; gives it, what was said, and how often the person was asked. */
async function settle(folder: string, answers: readonly string[] | undefined, env = {}) {
  const said: string[] = [];
  const left = [...(answers ?? [])];
  let asked = 0;
  const ask = async () => {
    asked++;
    return left.shift() ?? "";
  };
  const contact = await settleContact({
    env,
    folder,
    say: (line) => said.push(line),
    ...(answers === undefined ? {} : { ask }),
  });
  return { contact, said, asked };
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), "sec-contact-"));
  try {
    await work(join(parent, "data"));
  } finally {
    await rm(parent, { recursive: true });
  }
}

test("a contact that is set is used as it is, and nobody is asked", async () => {
  await inFolder(async (folder) => {
    const { contact, said, asked } = await settle(folder, ["a@b.org"], { SEC_CONTACT: " lan@example.org " });
    assert.deepEqual([contact, said, asked], ["lan@example.org", [], 0]);
  });
});

test("the person is asked once: the address is kept for its owner alone and used at the next start", async () => {
  await inFolder(async (folder) => {
    const first = await settle(folder, ["lan", "lan@example.org"]);
    assert.deepEqual([first.contact, first.asked], ["lan@example.org", 2]);
    assert.equal(first.said[0], '"lan" is not an e-mail address');
    assert.equal((await stat(join(folder, "finance.json"))).mode & 0o777, 0o600);
    assert.deepEqual(await settle(folder, ["other@example.org"]), { contact: "lan@example.org", said: [], asked: 0 });
  });
});

test("who gives none is told how to set it, and is not asked again", async () => {
  await inFolder(async (folder) => {
    const first = await settle(folder, [""]);
    assert.equal(first.contact, undefined);
    assert.match(first.said[0] ?? "", /the SEC is off.*set SEC_CONTACT/);
    const second = await settle(folder, ["lan@example.org"]);
    assert.deepEqual([second.contact, second.asked], [undefined, 0]);
    assert.match(second.said[0] ?? "", /set SEC_CONTACT/);
  });
});

test("without a terminal one line says how to set it, and nothing is written", async () => {
  await inFolder(async (folder) => {
    const { contact, said } = await settle(folder, undefined);
    assert.deepEqual([contact, said.length], [undefined, 1]);
    await assert.rejects(readFile(join(folder, "finance.json")), { code: "ENOENT" });
  });
});

test("a file that is damaged counts as none", async () => {
  await inFolder(async (folder) => {
    await settle(folder, ["lan@example.org"]);
    await writeFile(join(folder, "finance.json"), '{"sec_contact": 7');
    const { contact, asked } = await settle(folder, ["new@example.org"]);
    assert.deepEqual([contact, asked], ["new@example.org", 1]);
  });
});
