import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, openBaton, scriptModel } from "@baton/baton";

const CREW = defineCrew({ name: "talker", agents: [{ id: "host", isTerminal: true }] });
const LIST = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
};

test("a server of an application offers its crews by MCP and A2A, unless MCP is off", async () => {
  await using baton = await openBaton({
    store: "memory",
    crews: [CREW],
    model: scriptModel({ host: [{ say: "Hi." }] }),
  });
  await using server = await baton.serve({ port: 0, console: false });
  assert.match(await (await fetch(`${server.url}/mcp`, LIST)).text(), /"talker"/);
  assert.match(await (await fetch(`${server.url}/.well-known/agent-card.json`)).text(), /"talker"/);
  await using off = await baton.serve({ port: 0, console: false, mcp: false });
  assert.equal((await fetch(`${off.url}/mcp`, LIST)).status, 404);
  await assert.rejects(
    baton.serve({ port: 0, console: false, oauthIssuer: "https://login.example.com" }),
    /public URL/,
  );
});
