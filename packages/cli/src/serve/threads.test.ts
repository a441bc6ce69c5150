import assert from "node:assert/strict";
import { test } from "node:test";
import { inFolder } from "../testing/command.ts";
import { Served } from "../testing/served.ts";

const FILES = {
  "desk/crew.yaml": `version: "1.0"
name: desk
agents: [talker, spinner]
tasks: [{ name: spin, description: Spin., agent: spinner }]
settings: { tool_isolation: thread, tool_execution_timeout_seconds: 60 }
`,
  "desk/agents/talker.yaml": "id: talker\nname: T\nrole: talks\nis_terminal: true\n",
  "desk/agents/spinner.yaml": "id: spinner\nname: S\nrole: spins\nis_terminal: true\ntools: [Spin]\n",
  "desk/script.yaml": "talker:\n  - say: Hello there.\nspinner:\n  - call: [{ tool: Spin }]\n  - say: Done.\n",
  "desk/tools.ts": `
import { defineTool } from "@baton/core";
import { z } from "zod";
const run = (_, { progress }) => { progress("spinning"); for (;;); };
export default [defineTool({ name: "Spin", description: "Never yields.", effect: "read", input: z.object({}), run })];
`,
};

test("while a tool spins in its thread, the server answers, other runs end, and a cancel stops the tool", async () => {
  await inFolder(FILES, async (cwd) => {
    await using server = await Served.start(["desk"], { cwd, env: { BATON_MODEL: "script" } });
    const ask = await fetch(`${server.url}/api/crew/stream`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "go", resume_agent_id: "spinner" }),
    });
    const id = ask.headers.get("x-run-id") ?? "";
    const spinning = await server.get(`/api/runs/${id}/events`);
    const reader = spinning.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("call.progressed"); text += (await reader?.read())?.value ?? "");
    assert.equal((await server.get("/health")).status, 200);
    assert.equal((await server.run({ input: "hi" }, { wait: true })).outcome, "done");
    const answer = await fetch(`${server.url}/api/runs/${id}/commands`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: "cancel" }),
    });
    assert.match(await answer.text(), /call:1\.1\.1/);
    await reader?.cancel();
    await ask.body?.cancel();
    assert.equal((await server.stop()).exitCode, 0);
  });
});
