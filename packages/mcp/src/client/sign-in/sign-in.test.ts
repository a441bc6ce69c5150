import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineProgram } from "@baton/core";
import { startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";
import { McpHost } from "../mcp-host.ts";
import { mcpTools } from "../mcp-tools.ts";
import { toLockedServer } from "../inspect-server.ts";
import { type ServerSetup, startHttpServer } from "../testing/http-server.ts";
import { SERVER } from "../testing/mcp-calls.ts";
import { callbackRoute } from "./callback-route.ts";
import { SecretBox } from "./secret-box.ts";

const TOOL = { name: "whoami", description: "Says who you are.", inputSchema: { type: "object", properties: {} } };
const STARTED = z.looseObject({ id: z.string(), result: z.looseObject({ outcome: z.string() }) });
const EVENTS = z.object({
  events: z.array(
    z.looseObject({
      type: z.string(),
      question: z.string().optional(),
      kind: z.string().optional(),
      url: z.string().optional(),
    }),
  ),
});

type Opening = NonNullable<ServerSetup["oauth"]> & { readonly takesCodes?: boolean };

/** A Baton whose only crew calls a tool of a server that wants a sign-in. */
async function openBaton({ takesCodes = true, ...oauth }: Opening = {}) {
  const partner = await startHttpServer({
    tools: [TOOL],
    oauth,
    handlers: { "tools/call": () => ({ content: [{ type: "text", text: "Ann" }] }) },
  });
  const box = new SecretBox();
  const at: { url?: string } = {};
  const callbackUrl = () => (at.url === undefined || !takesCodes ? undefined : `${at.url}/api/mcp/callback`);
  const host = new McpHost({ secrets: () => Promise.resolve(box), callbackUrl });
  const target = { url: partner.url, auth: "oauth", tools: { "*": "read" } } as const;
  const tools = new Map([[TOOL.name, TOOL]]);
  const lock = {
    version: 1,
    servers: { [SERVER]: toLockedServer(target, { protocol: "2026-07-28", tools }) },
  } as const;
  const tool = `${SERVER}__whoami`;
  const program = defineProgram(({ results: [result] }) =>
    result === undefined ? { call: [{ tool, args: {} }] } : { say: JSON.stringify(result.output ?? result), end: true },
  );
  const crew = defineCrew({
    name: "asker",
    agents: [{ id: "a", model: { name: "code/call" }, tools: [tool], isTerminal: true }],
    tools: mcpTools({ [SERVER]: target }, lock, host),
    programs: new Map([["call", program]]),
  });
  const store = await Store.open({ database: openMemory() });
  const server = await startServer({
    store,
    crews: [{ id: "asker", crew, findings: [] }],
    model: () => program,
    port: 0,
    graceMs: 0,
    logTo: { write: () => true },
    routes: [callbackRoute(() => host)],
  });
  at.url = server.url;
  const events = async (id: string) => {
    const answer = await fetch(`${server.url}/api/runs/${id}/events`, { headers: { accept: "application/json" } });
    return EVENTS.parse(await answer.json()).events;
  };
  return {
    partner,
    url: server.url,
    /** Starts a run; gives it at its pause or end, with the page of its sign-in. */
    start: async () => {
      const answer = await fetch(`${server.url}/api/runs`, {
        method: "POST",
        headers: { "content-type": "application/json", prefer: "wait" },
        body: JSON.stringify({ crew: "asker", input: "go" }),
      });
      const { id, result } = STARTED.parse(await answer.json());
      const question = (await events(id)).findLast(({ type }) => type === "question.opened");
      return { run: id, outcome: result.outcome, question, page: question?.url ?? "" };
    },
    /** The log of a run after its end. */
    ended: async (id: string) => {
      await (await fetch(`${server.url}/api/runs/${id}/events`)).text();
      return JSON.stringify(await events(id));
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await host[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await partner[Symbol.asyncDispose]();
    },
  };
}

/** Opens the page of a sign-in as a browser does; gives the address that it is sent back to. */
async function openPage(url: string | undefined): Promise<string> {
  const page = await fetch(url ?? "", { redirect: "manual" });
  return page.headers.get("location") ?? "";
}

test("a call that needs a sign-in pauses the run with the page; the callback continues it, and its code works once", async () => {
  await using baton = await openBaton();
  const { run, outcome, question, page } = await baton.start();
  assert.deepEqual([outcome, question?.kind, question?.question], ["paused", "link", "1.1.1/sign-in"]);
  const asked = new URL(page).searchParams;
  assert.deepEqual([asked.get("code_challenge_method"), asked.get("resource")], ["S256", baton.partner.url]);
  const back = await openPage(page);
  const first = await fetch(back);
  assert.equal(first.status, 200);
  assert.match(await first.text(), /The sign-in to it is done/);
  const log = await baton.ended(run);
  assert.match(log, /"outcome":"done"/);
  assert.equal((await fetch(back)).status, 400);
  assert.equal((await fetch(`${baton.url}/api/mcp/callback?state=forged&code=x`)).status, 400);
  for (const secret of ["secret-token", "again", "code_verifier"]) assert.ok(!log.includes(secret), secret);
  assert.equal((await baton.start()).outcome, "done");
  assert.deepEqual(baton.partner.grants, ["authorization_code"]);
});

test("two tabs: each run has its own page, and the second sign-in harms nothing", async () => {
  await using baton = await openBaton();
  const [one, other] = [await baton.start(), await baton.start()];
  const pages = [await openPage(one.page), await openPage(other.page)];
  assert.notEqual(pages[0], pages[1]);
  const answers = await Promise.all(pages.map((page) => fetch(page)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  for (const { run } of [one, other]) assert.match(await baton.ended(run), /"outcome":"done"/);
});

test("a sign-in that the user refuses fails the call and nothing else", async () => {
  await using baton = await openBaton();
  const { run, page } = await baton.start();
  const back = new URL(await openPage(page));
  back.searchParams.delete("code");
  back.searchParams.set("error", "access_denied");
  assert.match(await (await fetch(back)).text(), /was denied/);
  const log = await baton.ended(run);
  assert.match(log, /"kind":"permission","message":"sign-in to it was denied"/);
  assert.match(log, /"outcome":"done"/);
});

test("a code from another issuer is refused", async () => {
  await using baton = await openBaton();
  const { page } = await baton.start();
  const back = new URL(await openPage(page));
  back.searchParams.set("iss", "https://evil.example.com");
  assert.equal((await fetch(back)).status, 400);
  assert.deepEqual(baton.partner.grants, []);
});

test("an expired token is refreshed once for all calls that wait", async () => {
  await using baton = await openBaton({ expiresIn: 5 });
  const { run, page } = await baton.start();
  await fetch(await openPage(page));
  await baton.ended(run);
  const before = baton.partner.grants.length;
  const runs = await Promise.all(Array.from({ length: 4 }, () => baton.start()));
  assert.ok(runs.every(({ outcome }) => outcome === "done"));
  assert.deepEqual(baton.partner.grants.slice(before), ["refresh_token"]);
});

test("a token that the server refuses is renewed, and if that fails the user signs in again", async () => {
  await using baton = await openBaton();
  const { run, page } = await baton.start();
  await fetch(await openPage(page));
  await baton.ended(run);
  baton.partner.tokens.clear();
  assert.equal((await baton.start()).outcome, "done");
  baton.partner.tokens.clear();
  baton.partner.refusals.add("refresh_token");
  const { outcome, question } = await baton.start();
  assert.deepEqual([outcome, question?.kind], ["paused", "link"]);
});

test("a Baton that cannot take codes says how to sign in", async () => {
  await using baton = await openBaton({ takesCodes: false });
  const { run, outcome } = await baton.start();
  assert.equal(outcome, "done");
  assert.match(await baton.ended(run), /"kind":"permission","message":"it needs a sign-in: run `baton mcp login it`"/);
});
