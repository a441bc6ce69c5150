/**
 * Agents as tools: an editor asks a researcher and a translator, side by side, and goes on with what they answer.
 *
 * Run it with `npx node examples/agents-as-tools.ts`: no key, the replies come from a script.
 */
import { defineCrew, Engine, scriptModel } from "@baton/core";

const crew = defineCrew({
  name: "newsroom",
  entry: "editor",
  agents: [
    { id: "editor", isTerminal: true, tools: [{ agent: "researcher", as: "research" }, { agent: "translator" }] },
    { id: "researcher", description: "Looks one thing up." },
    {
      id: "translator",
      description: "Translates a text.",
      input: {
        type: "object",
        properties: { text: { type: "string" }, language: { type: "string" } },
        required: ["text", "language"],
      },
    },
  ],
});

const model = scriptModel({
  editor: [
    {
      call: [
        { tool: "research", args: { input: "How tall is Fansipan?" } },
        { tool: "translator", args: { text: "The roof of Indochina", language: "vi" } },
      ],
    },
    { say: "Nóc nhà Đông Dương: 3,143 m." },
  ],
  researcher: [{ say: "3,143 m." }],
  translator: [{ say: "Nóc nhà Đông Dương" }],
});

await using engine = new Engine({ model: () => model });
const run = engine.start(crew, { input: "One line about Fansipan." });
const answers: string[] = [];
for await (const event of run.events()) {
  if (event.type === "call.ended") answers.push(`${event.call} ${event.tool}: ${JSON.stringify(event.output)}`);
}
console.log([...answers.toSorted(), (await run.result).content].join("\n"));
