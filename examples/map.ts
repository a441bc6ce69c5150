/**
 * Map: one agent on every item of a list that is known only at run time, two at once, and a summary of what they found.
 *
 * Run it with `npx node examples/map.ts`: no key, the replies come from a script.
 */
import { defineCrew, Engine, scriptModel } from "@baton/core";

const crew = defineCrew({
  name: "screening",
  agents: [
    {
      id: "lister",
      output: {
        type: "object",
        properties: { found: { type: "boolean" }, companies: { type: "array", maxItems: 20 } },
        required: ["found", "companies"],
      },
    },
    { id: "checker" },
    { id: "summary", isTerminal: true },
  ],
  signals: { lister: [{ when: { found: true }, target: "checks" }] },
  groups: {
    checks: {
      map: "checker",
      over: "output.companies",
      input: "Check {{item.symbol}} ({{index}} of {{count}})",
      maxParallel: 2,
      nextAgent: "summary",
    },
  },
});

const companies = ["FPT", "VNM", "XYZ"].map((symbol) => ({ symbol }));
const model = scriptModel({
  lister: [{ say: JSON.stringify({ found: true, companies }) }],
  checker: [{ when: "fpt", say: "debt is low" }, { when: "vnm", say: "debt is high" }, { fail: "no such company" }],
  summary: [{ say: "One of two is sound." }],
});

await using engine = new Engine({ model: () => model });
const run = engine.start(crew, { input: "Screen these companies." });
for await (const event of run.events()) {
  if (event.type !== "group.ended") continue;
  for (const { index, text, error } of event.results) console.log(index, text ?? `failed: ${error?.message}`);
}
console.log((await run.result).content);
