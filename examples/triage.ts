/**
 * Triage: a program sorts messages by rules, and a model is asked only about what the rules do not know.
 *
 * Run it with `npx node examples/triage.ts`: no key, the replies come from a script.
 */
import { defineCrew, defineProgram, Engine, scriptModel } from "@baton/core";
import { z } from "zod";

const RULES = [
  { topic: "billing", words: ["invoice", "refund", "charged"] },
  { topic: "delivery", words: ["parcel", "courier", "tracking"] },
];

/** Costs microseconds, and says "unsure" instead of guessing. */
const rules = defineProgram(({ messages }) => {
  const text = messages.at(-1)?.content.toLowerCase() ?? "";
  const rule = RULES.find(({ words }) => words.some((word) => text.includes(word)));
  return { output: { topic: rule?.topic ?? "unsure" } };
});

const topics = (...names: readonly string[]) => z.object({ topic: z.enum(names) });
const toDesks = (["billing", "delivery"] as const).map((topic) => ({ when: { topic }, target: topic }));

const crew = defineCrew({
  name: "triage",
  programs: { rules },
  agents: [
    { id: "rules", model: { name: "code/rules" }, output: topics("billing", "delivery", "unsure"), audience: "crew" },
    {
      id: "judge",
      systemPrompt: "Decide what the message is about.",
      output: topics("billing", "delivery"),
      audience: "crew",
    },
    { id: "billing", systemPrompt: "You answer questions about money, in one sentence.", isTerminal: true },
    { id: "delivery", systemPrompt: "You answer questions about parcels, in one sentence.", isTerminal: true },
  ],
  signals: { rules: [...toDesks, { when: { topic: "unsure" }, target: "judge" }], judge: toDesks },
});

const model = scriptModel({
  judge: [{ say: '{"topic": "delivery"}' }],
  billing: [{ say: "You get your money back." }],
  delivery: [{ say: "It is with the courier." }],
});

await using engine = new Engine({ model: () => model });
for (const input of ["I was charged twice.", "It has been three weeks!"]) {
  const run = engine.start(crew, { input });
  const path: string[] = [];
  for await (const event of run.events()) if (event.type === "turn.started") path.push(event.agent);
  console.log(`${input}\n  ${path.join(" → ")}: ${(await run.result).content}`);
}
