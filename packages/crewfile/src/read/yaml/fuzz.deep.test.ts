import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { defineCrew, type CrewDefinition } from "@baton/core";
import { SETTING_NAMES, SETTINGS, type Group } from "@baton/core/ports";
import * as fc from "fast-check";
import { inSlice } from "@baton/core/testing";
import { stringify } from "yaml";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

const PROVIDERS = ["openai", "ollama"];
const VALID = `version: "1.0"
name: desk
model: openai/gpt-5-mini
agents:
  - { id: router, name: Router, role: Routes, handoff_targets: [helper], tools: [] }
  - id: helper
    name: Helper
    role: Helps
    temperature: 0.2
    is_terminal: true
    system_prompt: |
      You are {{name}}. Write [END] when done.
settings: { max_handoffs: 4, timeout_seconds: 60 }
routing:
  signals:
    router: [{ signal: "[HELP]", target: helper }, { signal: "[ALL]", target: team }]
    helper:
      - signal: "[END]"
        target: ""
  parallel_groups:
    team: { agents: [router, helper], next_agent: helper, timeout_seconds: 5 }
`;

/** Each is added to the seed of the run, so that every slice tries other files. */
const ROUNDS = inSlice(Array.from({ length: 10 }, (_, round) => round));

/** Checks a property in every round of this slice. */
async function assertAlways<Values>(property: fc.IAsyncProperty<Values>, numRuns: number): Promise<void> {
  const { seed = Date.now() } = fc.readConfigureGlobal();
  for (const round of ROUNDS) await fc.assert(property, { numRuns, seed: seed + round });
}

async function readText(folder: string, text: string | Uint8Array) {
  await writeFile(join(folder, "crew.yaml"), text);
  return readCrew(folder, { providers: PROVIDERS });
}

function assertFindings({ crew, findings, texts }: Awaited<ReturnType<typeof readCrew>>): void {
  assert.equal(
    crew === undefined,
    findings.some(({ severity }) => severity === "error"),
  );
  for (const { file, line, column, width, message, fix } of findings) {
    const lines = texts.get(file)?.split("\n") ?? [];
    assert.ok(line >= 1 && line <= lines.length, `line ${line} of ${lines.length}`);
    assert.ok(
      column >= 1 && column + width - 1 <= Math.max(1, (lines[line - 1]?.length ?? 0) + 1),
      `${line}:${column}+${width}`,
    );
    assert.ok(message !== "" && fix !== "");
  }
}

suite("whatever a file holds", () => {
  test("random bytes give findings, never an exception", async () => {
    await using folder = await writeFolder({});
    await assertAlways(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) =>
        assertFindings(await readText(folder.path, bytes)),
      ),
      60,
    );
  });

  test("random YAML signs give findings, never an exception", async () => {
    await using folder = await writeFolder({});
    const sign = fc.constantFrom(
      ..."[]{}:,-?&*!|>'\"%@`#~ \n\t".split(""),
      "a",
      "b",
      "1",
      "<<",
      "---\n",
      "agents: ",
      "version: ",
      "&a ",
      "*a ",
      "id: ",
    );
    await assertAlways(
      fc.asyncProperty(fc.array(sign, { maxLength: 120 }), async (signs) =>
        assertFindings(await readText(folder.path, signs.join(""))),
      ),
      100,
    );
  });

  test("a valid crew with something cut out, doubled or put in gives findings, never an exception", async () => {
    await using folder = await writeFolder({});
    const change = fc.record({
      start: fc.nat(VALID.length),
      length: fc.nat(40),
      text: fc.constantFrom(
        "",
        "x",
        ": ",
        "[",
        "}",
        "- ",
        "\n",
        "  ",
        '"',
        "&a ",
        "*a",
        "<<: *a",
        "null",
        "-1",
        "1e999",
        "__proto__",
        "\u{0}",
        "😀",
      ),
    });
    await assertAlways(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const text = changes.reduce(
          (all, { start, length, text: put }) => all.slice(0, start) + put + all.slice(start + length),
          VALID,
        );
        assertFindings(await readText(folder.path, text));
      }),
      100,
    );
  });

  test("the crew that is changed is itself without errors", async () => {
    await using folder = await writeFolder({});
    const { crew } = await readText(folder.path, VALID);
    assert.ok(crew !== undefined);
  });
});

const words = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() !== "" && !text.includes("\u{0}"));
const ids = fc.uniqueArray(fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/), {
  minLength: 2,
  maxLength: 6,
  selector: (id) => id.toLowerCase(),
});

interface Generated extends CrewDefinition {
  readonly groups: ReadonlyMap<string, Group>;
}

/** Crews that are allowed: every agent may end the run. */
const definitions: fc.Arbitrary<Generated> = ids.chain((all) => {
  const [group = "", ...agents] = all;
  const agent = fc.constantFrom(...agents);
  const signal = fc.stringMatching(/^\[[A-Z0-9_]{1,8}\]$/);
  const routes = fc.uniqueArray(fc.record({ signal, target: fc.constantFrom("", group, ...agents) }), {
    maxLength: 3,
    selector: (route) => route.signal,
  });
  return fc.record({
    name: words,
    description: words,
    agents: fc.tuple(
      ...agents.map((id) =>
        fc.record({
          id: fc.constant(id),
          name: words,
          role: words,
          systemPrompt: words,
          temperature: fc.double({ min: 0, max: 2, noNaN: true }),
          handoffTargets: fc.uniqueArray(agent, { maxLength: 2 }),
          isTerminal: fc.constant(true),
          costLimits: fc.record({ maxTokensPerDay: fc.nat() }),
        }),
      ),
    ),
    entry: fc.constantFrom(...agents),
    signals: fc.array(fc.tuple(agent, routes), { maxLength: 3 }).map((entries) => new Map(entries)),
    defaults: fc.array(fc.tuple(agent, agent), { maxLength: 2 }).map((entries) => new Map(entries)),
    groups: fc
      .record({
        agents: fc.uniqueArray(agent, { minLength: 1 }),
        nextAgent: agent,
        timeoutMs: fc.integer({ min: 1, max: 60 }).map((s) => s * 1_000),
      })
      .map((value) => new Map([[group, value]])),
    settings: fc.record({
      maxHandoffs: fc.nat(50),
      timeoutMs: fc.integer({ min: 60, max: 900 }).map((s) => s * 1_000),
    }),
  });
});

const toObject = (entries: Iterable<readonly [string, unknown]>): Map<string, unknown> => new Map(entries);

/** The YAML that a person would have written for a definition. */
function toYaml(definition: Generated): string {
  const { settings = {} } = definition;
  return stringify({
    version: "1.0",
    name: definition.name,
    description: definition.description,
    entry_point: definition.entry,
    agents: definition.agents.map(
      ({ id, name, role, systemPrompt, temperature, handoffTargets, isTerminal, costLimits }) => ({
        id,
        name,
        role,
        system_prompt: systemPrompt,
        temperature,
        handoff_targets: handoffTargets,
        is_terminal: isTerminal,
        cost_limits: { max_tokens_per_day: costLimits?.maxTokensPerDay },
      }),
    ),
    settings: toObject(
      SETTING_NAMES.filter((name) => settings[name] !== undefined).map((name) => {
        const { yaml, scale } = SETTINGS[name];
        return [yaml, (settings[name] ?? 0) / scale];
      }),
    ),
    routing: {
      signals: definition.signals,
      defaults: definition.defaults,
      parallel_groups: toObject(
        Array.from(definition.groups, ([id, { agents, nextAgent, timeoutMs = 0 }]) => [
          id,
          { agents, next_agent: nextAgent, timeout_seconds: timeoutMs / 1_000 },
        ]),
      ),
    },
  });
}

test("a valid crew written as YAML is read as the same crew", async () => {
  await using folder = await writeFolder({});
  await assertAlways(
    fc.asyncProperty(definitions, async (definition) => {
      const { crew, findings } = await readText(folder.path, toYaml(definition));
      const errors = findings.filter(({ severity }) => severity === "error");
      assert.deepEqual(errors, []);
      assert.ok(isDeepStrictEqual(crew, defineCrew({ autoRoute: true, ...definition })), toYaml(definition));
    }),
    40,
  );
});
