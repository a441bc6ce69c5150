/**
 * MCP conformance client: what the official suite starts for each scenario: a crew that calls every tool of its server.
 *
 * Its last argument is the address of the server. Questions are answered, and sign-ins are followed as a browser would.
 */
import { openDatabase } from "@baton/baton/store";
import { defineCrew, defineProgram, Engine, type Json, type Run, type Tool } from "@baton/core";
import type { McpServer } from "@baton/crewfile/mcp";
import { McpHost, mcpTools, SecretBox } from "@baton/mcp";
import { inspectServer, toLockedServer } from "@baton/mcp/lock";
import { login, LoopbackCallback } from "@baton/mcp/login";
import { finishSignIn, parseState } from "@baton/mcp/sign-in";
import { z } from "zod";

const OWNER = { tenant: "local", user: "local" } as const;
const NAME = "suite";
const METADATA_URL = "https://conformance-test.local/client-metadata.json";
const CONTEXT = z.looseObject({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.json() })).optional(),
});

const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = CONTEXT.parse(JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"));
await using database = await openDatabase({ data: "", store: "memory" });
const box = new SecretBox();
const caller = { ...OWNER, documents: database.documents(OWNER) };
let callback = await LoopbackCallback.open();
await using host = new McpHost({ secrets: () => Promise.resolve(box), callbackUrl: () => callback.url });
const server = toServer(process.argv.at(-1) ?? "");

const show = (page: string) => {
  browse(page).catch(() => process.exit(1));
};
if (server.auth === "oauth") await login({ host, name: NAME, server, caller, callback, show });
const inspected = await inspectServer({ host, name: NAME, server, caller });
const lock = { version: 1, servers: { [NAME]: toLockedServer(server, inspected) } } as const;
const tools = mcpTools({ [NAME]: server }, lock, host);
const calls = (context.toolCalls ?? []).map(({ name, arguments: args }) => ({
  tool: `${NAME}__${name}`,
  args: withoutNull(args),
}));
for (const { tool, args } of calls.length > 0 ? calls : tools.map((one) => ({ tool: one.name, args: sampleOf(one) }))) {
  await callTool(tool, args);
}
process.exit(0);

function toServer(url: string): McpServer {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const isByDocument = scenario === "auth/basic-cimd";
  const own = clientId !== undefined ? { clientId } : isByDocument ? { clientMetadataUrl: METADATA_URL } : {};
  const oauth = { ...own, ...(clientSecret === undefined ? {} : { clientSecret }) };
  const isSignedIn = scenario.startsWith("auth/");
  return { url, tools: { "*": "read" }, timeoutMs: 10_000, ...(isSignedIn ? { auth: "oauth", oauth } : {}) };
}

async function callTool(tool: string, args: Json): Promise<void> {
  const program = defineProgram(({ results }) =>
    results.length === 0 ? { call: [{ tool, args }] } : { say: "done", end: true },
  );
  const crew = defineCrew({
    name: "conformance",
    agents: [{ id: "caller", model: { name: "code/call" }, tools: [tool], isTerminal: true }],
    tools,
    programs: new Map([["call", program]]),
  });
  await using engine = new Engine({ model: () => program, documents: () => caller.documents });
  const run = engine.start(crew, { input: tool });
  for (;;) {
    const { outcome, questions } = await run.result;
    for await (const event of run.events())
      if (event.type === "call.ended") process.stderr.write(`${JSON.stringify(event)}\n`);
    if (outcome !== "paused") return;
    for (const { question, url, schema } of questions) await answer(run, { question, url, schema });
  }
}

type Asked = Readonly<{ question: string; url: string | undefined; schema: Json }>;

async function answer(run: Run, { question, url, schema }: Asked): Promise<void> {
  if (url === undefined) {
    await run.answer(question, toSample(schema));
    return;
  }
  await callback[Symbol.asyncDispose]();
  callback = await LoopbackCallback.open();
  await browse(url);
  await run.answer(question, "done");
}

/** Opens a page; the authorization server of the suite sends the browser back at once. */
async function browse(page: string): Promise<void> {
  const response = await fetch(page, { redirect: "manual" });
  const back = response.headers.get("location");
  if (back === null) return;
  const url = new URL(back);
  if (url.href.startsWith(callback.url)) {
    await fetch(url);
    return;
  }
  const state = parseState(box, url.searchParams.get("state") ?? "");
  if (state === undefined) return;
  const { options } = await host.signInOf(state.id, caller);
  await finishSignIn(options, state.state, Object.fromEntries(url.searchParams));
}

/** An argument that is null is one that is not given. */
function withoutNull(args: Json): Json {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function sampleOf({ inputSchema }: Tool): Json {
  return toSample(inputSchema);
}

/** The smallest value that fits a simple schema. */
function toSample(schema: Json): Json {
  const parsed = z
    .looseObject({
      type: z.string().optional(),
      default: z.json().optional(),
      enum: z.array(z.json()).optional(),
      anyOf: z.array(z.json()).optional(),
      properties: z.record(z.string(), z.json()).optional(),
    })
    .parse(schema);
  if (parsed.default !== undefined) return parsed.default;
  if (parsed.enum !== undefined) return parsed.enum[0] ?? null;
  if (parsed.anyOf !== undefined) return toSample(parsed.anyOf[0] ?? {});
  const { properties = {} } = parsed;
  if (parsed.type === "number" || parsed.type === "integer") return 5;
  if (parsed.type === "boolean") return true;
  if (parsed.type === "string") return "text";
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, toSample(part)]));
}
