import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findContact, keepContact } from "./kept-contact.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), "sec-contact-"));
  try {
    await work(join(parent, "data"));
  } finally {
    await rm(parent, { recursive: true });
  }
}

test("a contact that is set is used as it is, else the one that was kept, for its owner alone", async () => {
  await inFolder(async (folder) => {
    assert.equal(await findContact({}, folder), undefined);
    await keepContact(folder, " lan@example.org ");
    assert.equal((await stat(join(folder, "finance.json"))).mode & 0o777, 0o600);
    assert.equal(await findContact({ SEC_CONTACT: "" }, folder), "lan@example.org");
    assert.equal(await findContact({ SEC_CONTACT: " other@example.org " }, folder), "other@example.org");
  });
});

test("what is not an address is not kept, and a file that is damaged counts as none", async () => {
  await inFolder(async (folder) => {
    await assert.rejects(keepContact(folder, "lan"), { message: '"lan" is not an e-mail address' });
    await keepContact(folder, "lan@example.org");
    await writeFile(join(folder, "finance.json"), '{"sec_contact": 7');
    assert.equal(await findContact({}, folder), undefined);
  });
});
