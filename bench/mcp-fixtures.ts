/**
 * MCP fixtures: the tools that the conformance suite calls, each a crew.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Crew, defineCrew, defineProgram, defineTool, type Json, suspend } from "@baton/core";
import { mcpRoutes } from "@baton/mcp/server";
import { type ServedCrew, startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { z } from "zod";

type Expose = NonNullable<ServedCrew["expose"]>;

/** Waits, fails or gives a text, as the arguments say. */
const work = defineTool({
  name: "work",
  description: "Works for a while.",
  effect: "idempotent",
  input: z.object({ seconds: z.number().default(0), say: z.string().default("done") }),
  async run({ seconds, say }, { scope }) {
    await sleep(seconds * 1_000, undefined, { signal: scope.abort });
    return say;
  },
});

/** Asks the questions of each round, all of a round at once; a question is a form of one field. */
const ask = defineTool({
  name: "ask",
  description: "Asks for something.",
  effect: "read",
  input: z.object({ rounds: z.array(z.array(z.tuple([z.string(), z.string()]))) }),
  run({ rounds }, { kept }) {
    const round = typeof kept === "number" ? kept : 0;
    const questions = rounds[round]?.map(([name, field]) => {
      const type = field === "name" || field === "color" ? "string" : "boolean";
      const schema = { type: "object", properties: { [field]: { type } }, required: [field] };
      return { name, kind: "input", text: `Your ${field}?`, schema } as const;
    });
    return questions === undefined ? "answered" : suspend({ keep: round + 1, questions });
  },
});

const OPEN = { type: "object", properties: {} } as const;

/** A crew of one program; it works as often as asked, then says the text. */
function fixture(
  name: string,
  { say, calls = 0, expose = {} }: Readonly<{ say: string; calls?: number; expose?: Expose }>,
) {
  const decide = ({ state }: Readonly<{ state?: Json }>) => {
    const done = typeof state === "number" ? state : 0;
    if (done < calls) return { call: [{ tool: "work", args: { seconds: 0.05 } }], state: done + 1 };
    if (say === "") throw new Error("This tool intentionally returns an error for testing");
    return { say };
  };
  return served(oneProgram(name, decide), expose);
}

function oneProgram(name: string, decide: Parameters<typeof defineProgram>[0]): Crew {
  return defineCrew({
    name,
    description: `A fixture of the conformance suite: ${name}`,
    examples: ["An example"],
    agents: [{ id: "program", model: { name: "code/program" }, isTerminal: true, tools: ["work", "ask"] }],
    tools: [work, ask],
    programs: { program: defineProgram(decide) },
  });
}

function served(crew: Crew, expose: Expose): ServedCrew {
  return { id: crew.name, crew, findings: [], expose: { input: OPEN, ...expose } };
}

const OPTIONS = z.object({ seconds: z.number().default(0), name: z.string().default("") });

/** Works as long as its caller asks. */
function slow(name: string, expose: Expose): ServedCrew {
  const crew = oneProgram(name, (prompt) => {
    const { seconds } = OPTIONS.parse(prompt.values?.get("options") ?? {});
    return prompt.state === undefined ? { call: [{ tool: "work", args: { seconds } }], state: 1 } : { say: "computed" };
  });
  return served(crew, expose);
}

const greet = served(
  oneProgram("greet", (prompt) => ({ say: `Hello, ${OPTIONS.parse(prompt.values?.get("options") ?? {}).name}!` })),
  { task: "never" },
);

type Rounds = readonly (readonly (readonly [question: string, field: string])[])[];

/** Asks, then says that it is done. */
function asking(name: string, rounds: Rounds, expose: Expose = {}): ServedCrew {
  const args = { rounds: rounds.map((round) => round.map((one) => [...one])) };
  const crew = oneProgram(name, ({ state }) =>
    state === undefined ? { call: [{ tool: "ask", args }], state: 1 } : { say: "state-ok" },
  );
  return served(crew, expose);
}

const CREWS: readonly ServedCrew[] = [
  fixture("test_simple_text", { say: "This is a simple text response for testing." }),
  fixture("test_error_handling", { say: "" }),
  fixture("test_tool_with_progress", { say: "done", calls: 3 }),
  fixture("a_first_tool", { say: "done" }),
  fixture("test_streaming_elicitation", { say: "done" }),
  fixture("test_logging_tool", { say: "done" }),
  fixture("test_missing_capability", { say: "done", expose: { task: "required" } }),
  greet,
  asking("confirm_delete", [[["confirm", "confirm"]]], { task: "prefer" }),
  asking(
    "multi_input",
    [
      [
        ["first", "name"],
        ["second", "name"],
      ],
    ],
    { task: "prefer" },
  ),
  asking("test_input_required_result_elicitation", [[["user_name", "name"]]]),
  asking("test_input_required_result_request_state", [[["confirm", "ok"]]]),
  asking("test_input_required_result_tampered_state", [[["confirm", "ok"]]]),
  asking("test_input_required_result_multi_round", [[["step1", "name"]], [["step2", "color"]]]),
  slow("slow_compute", { task: "prefer" }),
  fixture("failing_job", { say: "", expose: { task: "required" } }),
  fixture("protocol_error_job", { say: "", expose: { task: "prefer" } }),
];

/** Serves the fixtures on a free port of this machine. */
export async function startFixtures(): Promise<AsyncDisposable & Readonly<{ url: string }>> {
  const store = await Store.open({ database: openMemory() });
  const model = () => defineProgram(() => ({ say: "" }));
  const logTo = { write: () => true };
  const server = await startServer({ store, crews: CREWS, model, port: 0, graceMs: 0, logTo, routes: mcpRoutes() });
  return {
    url: `${server.url}/mcp`,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
