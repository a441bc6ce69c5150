import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { z } from "zod";
import type { AgentDefinition } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import { Engine, type StartOptions } from "../engine/engine.ts";
import type { Json } from "../words/json.ts";
import { type ScriptEntry, scriptModel } from "../ports/script.ts";
import { collect, of, toolContext } from "../testing/index.ts";
import { toOffered, toSearchTool } from "./tool-search.ts";
import { defineTool, type Tool } from "../definitions/tool.ts";

const tool = (name: string, description: string, set: { readonly [key: string]: Json } = {}): Tool =>
  defineTool({
    name,
    description,
    effect: "read",
    input: z.any(),
    run: (_, { state }) => {
      for (const [key, value] of Object.entries(set)) state.set(key, value);
      return `${name} ran`;
    },
  });

const TOOLS = [
  tool("getStockPrice", "The latest price of a share."),
  tool("getWeather", "The weather in a city."),
  tool("switchOn", "Allows the search of the web.", { options: { web: true } }),
  tool("switchOff", "Forbids it.", { options: { web: false } }),
  tool("searchWeb", "Searches the web."),
];

/** Runs one agent, and gives what it was offered step by step. */
async function offer(
  agent: Partial<AgentDefinition>,
  entries: readonly ScriptEntry[],
  more: Omit<Partial<StartOptions>, "tools"> & { tools?: readonly Tool[] } = {},
) {
  const { tools = TOOLS, ...start } = more;
  const offered: string[][] = [];
  const names = TOOLS.map(({ name }) => name);
  const crew = defineCrew({ name: "t", tools, agents: [{ id: "a", tools: names, isTerminal: true, ...agent }] });
  const script = scriptModel({ a: entries });
  const engine = new Engine({
    model: () => ({
      name: "seen",
      stream: (prompt, scope) => {
        offered.push(prompt.tools.map(({ name }) => name));
        return script.stream(prompt, scope);
      },
    }),
  });
  return { offered, ...(await collect(engine.start(crew, { input: "x", ...start }))) };
}

const call = (name: string, args: Json = {}): ScriptEntry => ({ call: [{ tool: name, args }] });
const conditional = { tools: ["switchOn", "switchOff", { name: "searchWeb", if: "options.web" }] } as const;

test("a tool with a condition is offered while that value of the state is true, from the next step on", async () => {
  const entries = [call("switchOn"), call("switchOff"), { say: "ok" }];
  const { offered } = await offer(conditional, entries);
  assert.deepEqual(offered, [
    ["switchOn", "switchOff"],
    ["switchOn", "switchOff", "searchWeb"],
    ["switchOn", "switchOff"],
  ]);
});

test("only true opens a condition: no other value that looks like it", async () => {
  for (const web of [false, null, "true", 1, {}, [true]]) {
    const { offered } = await offer(conditional, [{ say: "ok" }], { options: { web } });
    assert.deepEqual(offered, [["switchOn", "switchOff"]]);
  }
  const { offered } = await offer(conditional, [{ say: "ok" }], { options: { web: true } });
  assert.deepEqual(offered, [["switchOn", "switchOff", "searchWeb"]]);
});

test("a call of a tool that is not offered is refused, and one that does not exist is named", async () => {
  const { events, outcome } = await offer(conditional, [call("searchWeb"), call("searchwep"), { say: "ok" }]);
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "call.ended").map(({ attempts, error }) => [attempts, error?.kind, error?.message]),
    [
      [0, "permission", "searchWeb is not offered now"],
      [0, "validation", 'there is no tool "searchwep"; this agent has switchOn, switchOff'],
    ],
  );
});

test("with tool_search only pinned tools and the search are offered, then also what it named", async () => {
  const search = call("tool_search", { query: "stock price" });
  const { offered, events } = await offer({ toolSearch: true, pinnedTools: ["switchOn"] }, [
    call("getStockPrice"),
    search,
    call("getStockPrice"),
    { say: "ok" },
  ]);
  const before = ["switchOn", "tool_search"];
  const after = [...before, "getStockPrice"];
  assert.deepEqual(offered, [before, before, after, after]);
  const [refused, found, used] = of(events, "call.ended");
  assert.equal(refused?.error?.message, "getStockPrice is not offered now");
  assert.deepEqual(found?.output, { tools: [{ name: "getStockPrice", description: "The latest price of a share." }] });
  assert.equal(used?.output, "getStockPrice ran");
});

test("a tool whose condition does not hold is not offered, though it is pinned or found", async () => {
  const search = call("tool_search", { query: "search the web" });
  const agent = { ...conditional, toolSearch: true, pinnedTools: ["searchWeb", "switchOn"] };
  const { offered } = await offer(agent, [search, call("switchOn"), { say: "ok" }]);
  assert.deepEqual(
    offered.map((names) => names.includes("searchWeb")),
    [false, false, true],
  );
});

test("tool_search may have a condition of its own: without it all tools are offered and the search is not", async () => {
  const agent = { toolSearch: { if: "options.many" } };
  const all = await offer(agent, [call("tool_search", { query: "price" }), { say: "ok" }]);
  assert.deepEqual(
    all.offered[0],
    TOOLS.map(({ name }) => name),
  );
  assert.equal(of(all.events, "call.ended")[0]?.error?.message, "tool_search is not offered now");
  const few = await offer(agent, [{ say: "ok" }], { options: { many: true } });
  assert.deepEqual(few.offered, [["tool_search"]]);
});

test("a crew's own tool_search takes the place of the built-in one, and what it names that is no tool is not offered", async () => {
  const own = defineTool({
    name: "tool_search",
    description: "The crew's own.",
    effect: "read",
    input: z.any(),
    run: () => ({ tools: [{ name: "getWeather" }, { name: "nowhere" }, "nonsense", null] }),
  });
  const { offered } = await offer({ toolSearch: true }, [call("tool_search"), { say: "ok" }], {
    tools: [...TOOLS, own],
  });
  assert.deepEqual(offered, [["tool_search"], ["tool_search", "getWeather"]]);
});

test("a search that gives nonsense opens nothing, and the run goes on", async () => {
  for (const output of [null, "tools", { tools: "getWeather" }, { tools: [{ name: 5 }] }, [1]]) {
    const own = defineTool({
      name: "tool_search",
      description: "x",
      effect: "read",
      input: z.any(),
      run: () => output,
    });
    const { offered, outcome } = await offer({ toolSearch: true }, [call("tool_search"), { say: "ok" }], {
      tools: [...TOOLS, own],
    });
    assert.deepEqual([outcome, offered], ["done", [["tool_search"], ["tool_search"]]]);
  }
});

test("what is offered is a part of the agent's tools, the search and what was found, whatever the state", () => {
  const name = fc.constantFrom(...TOOLS.map((one) => one.name));
  const names = fc.uniqueArray(name);
  fc.assert(
    fc.property(fc.tuple(names, names, names), fc.boolean(), ([pinned, closed, found], isOpen) => {
      const offers = closed.map((one) => ({ name: one, if: "open" }));
      const crew = defineCrew({
        name: "t",
        tools: TOOLS,
        agents: [{ id: "a", tools: TOOLS.map((one) => one.name), offers, pinnedTools: pinned, toolSearch: true }],
      });
      const agent = crew.agents.get("a");
      assert.ok(agent !== undefined);
      const offered = toOffered(agent, new Map([["open", isOpen]]), new Set(found));
      const wanted = new Set(["tool_search", ...pinned, ...found].filter((one) => isOpen || !closed.includes(one)));
      assert.deepEqual(new Set(offered), wanted);
    }),
  );
});

test("the built-in search ranks by shared words, keeps to top_k and leaves out what is excluded", async () => {
  const search = toSearchTool(TOOLS);
  const find = async (args: Json): Promise<unknown> => {
    const prepared = await search.prepare(args);
    return prepared.ok ? prepared.run(toolContext()()) : prepared.issues.map(({ path }) => path);
  };
  const namesOf = async (args: Json) => JSON.stringify(await find(args)).match(/(?<="name":")\w+/g) ?? [];
  assert.deepEqual(await namesOf({ query: "web search" }), ["searchWeb", "switchOn"]);
  assert.deepEqual(await namesOf({ query: "web search", top_k: 1 }), ["searchWeb"]);
  assert.deepEqual(await namesOf({ query: "WEB search", exclude_tools: ["searchWeb"] }), ["switchOn"]);
  assert.deepEqual(await namesOf({ query: "" }), []);
  assert.deepEqual(await find({ query: 5, top_k: 0, more: 1 }), ["query", "top_k", "more"]);
  assert.deepEqual(await find({}), ["query"]);
});
