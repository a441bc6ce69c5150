import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrewFile } from "../crew-file.ts";
import { readCrew } from "../read-crew.ts";
import { writeFolder } from "../../testing/folder.ts";

async function readAgentLines(lines: string, more = ""): Promise<CrewFile> {
  const agent = ["- id: a", "name: A", "role: Does it", "is_terminal: true", ...lines.split("\n")].join("\n    ");
  await using folder = await writeFolder({ "crew.yaml": `version: "1.0"\nagents:\n  ${agent}\n${more}` });
  return await readCrew(folder.path, { providers: ["openai", "anthropic"] });
}

test("how a model is asked is read: context, reasoning, cache, options of providers, tools of requests", async () => {
  const lines = [
    'context: "It is {{state.now}}."',
    "reasoning: low",
    "prompt_cache: long",
    "client_tools: [Locate]",
    "provider_options: { openai: { service_tier: flex, metadata: { a: 1 } }, anthropic: {} }",
  ];
  const settings = "settings: { signal_position: end, on_missing_signal: correct, prompt_cache: off, max_depth: 2 }\n";
  const behaviors = "routing: { agent_behaviors: { a: { signal_position: anywhere, on_missing_signal: ignore } } }\n";
  const { crew, findings } = await readAgentLines(lines.join("\n"), settings + behaviors);
  assert.deepEqual(findings, []);
  const { context, reasoning, promptCache, clientTools, providerOptions } = crew?.agents.get("a") ?? {};
  assert.deepEqual(
    { context, reasoning, promptCache, clientTools, providerOptions },
    {
      context: "It is {{state.now}}.",
      reasoning: "low",
      promptCache: "long",
      clientTools: ["Locate"],
      providerOptions: { openai: { service_tier: "flex", metadata: { a: 1 } }, anthropic: {} },
    },
  );
  const own = crew?.settings;
  assert.deepEqual(
    [own?.signalPosition, own?.onMissingSignal, own?.promptCache, own?.maxDepth],
    ["end", "correct", "off", 2],
  );
  assert.deepEqual(crew?.behaviors.get("a"), { signalPosition: "anywhere", onMissingSignal: "ignore" });
});

test("a field of the request that Baton fills, and a provider that is not known, are errors at their place", async () => {
  const { findings } = await readAgentLines("provider_options: { openai: { messages: [] }, opnai: { a: 1 } }");
  assert.deepEqual(
    findings.map(({ code, path, fix }) => [code, path, fix]),
    [
      ["reserved_option", "agents[0].provider_options.openai.messages", "remove it"],
      ["unknown_provider", "agents[0].provider_options.opnai", "did you mean `openai`?"],
    ],
  );
});

test("client_tools is a flag or a list, and other words are refused", async () => {
  assert.equal((await readAgentLines("client_tools: true")).crew?.agents.get("a")?.clientTools, true);
  const { findings } = await readAgentLines("client_tools: 3\nreasoning: hgh\nprompt_cache: never");
  assert.deepEqual(
    findings.map(({ code, path }) => [code, path]),
    [
      ["wrong_type", "agents[0].client_tools"],
      ["invalid_value", "agents[0].reasoning"],
      ["invalid_value", "agents[0].prompt_cache"],
    ],
  );
});
