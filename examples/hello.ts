/**
 * Hello: the smallest crew, on the scripted model, with its events printed as they happen.
 *
 * Run it with `npx node examples/hello.ts`.
 */
import { defineCrew, Engine, scriptModel } from "@baton/core";

const crew = defineCrew({
  name: "hello",
  agents: [{ id: "greeter", systemPrompt: "Greet the person who says hello, in one sentence.", isTerminal: true }],
});

await using engine = new Engine({
  model: () => scriptModel({ greeter: [{ say: "Hello! Baton is running.", delayMs: 20 }] }),
});

const run = engine.start(crew, { input: process.argv[2] ?? "Hello, who is there?" });
for await (const event of run.events()) {
  if (event.type === "turn.started") process.stdout.write(`${event.agent}: `);
  if (event.type === "text.delta") process.stdout.write(event.text);
}
const { outcome } = await run.result;
console.log(`\n— ${outcome}`);
