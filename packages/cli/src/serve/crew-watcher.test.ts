/** `baton serve --watch`: crews as their files become. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@baton/client";
import { inFolder } from "../testing/command.ts";
import { followCrews, Served } from "../testing/served.ts";

const crewOf = (description: string) =>
  `version: "1.0"\nname: watched\ndescription: ${description}\nentry_point: one\nagents: [one]\n`;
const agentOf = (prompt: string) =>
  `id: one\nname: One\nrole: Helper\ndescription: Helps.\nis_terminal: true\nsystem_prompt: ${prompt}\n`;

const FILES = {
  "watched/crew.yaml": crewOf("The first version."),
  "watched/agents/one.yaml": agentOf("You help."),
  "watched/script.yaml": "one:\n  - say: An answer.\n",
};

test("a crew is read again when its files change, and keeps its last good version if they have errors", async () => {
  await inFolder(FILES, async (cwd) => {
    await using server = await Served.start(["watched", "--watch"], { cwd });
    const client = createClient({ url: server.url });
    const { next, abort } = await followCrews(client);
    assert.equal((await client.crew("watched")).description, "The first version.");

    await writeFile(join(cwd, "watched/crew.yaml"), crewOf("The second version."));
    await next();
    assert.equal((await client.crew("watched")).description, "The second version.");
    const first = await server.run({ input: "hello" }, { wait: true });
    assert.equal(first.outcome, "done");

    await writeFile(join(cwd, "watched/agents/one.yaml"), "id: [");
    const [broken] = await next();
    assert.ok((broken?.errors ?? 0) > 0);
    const kept = await client.crew("watched");
    assert.equal(kept.description, "The second version.");
    assert.ok(kept.findings.some(({ severity }) => severity === "error"));
    assert.equal((await server.run({ input: "hello" }, { wait: true })).outcome, "done");

    await writeFile(join(cwd, "watched/agents/one.yaml"), agentOf("You help gladly."));
    const [mended] = await next();
    assert.equal(mended?.errors, 0);
    const { agents } = await client.crew("watched");
    assert.equal(agents[0]?.system_prompt, "You help gladly.");
    const before = await client.runCrew(first.id);
    assert.equal(before.agents[0]?.system_prompt, "You help.");
    abort.abort();
    assert.equal((await server.stop()).exitCode, 0);
  });
});
