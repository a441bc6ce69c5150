/**
 * Two steps: starts a run that pauses, or answers it, by its argument; each is a process of its own.
 */
import { defineCrew, defineTool, openBaton, scriptModel } from "@baton/baton";
import { z } from "zod";

const pay = defineTool({
  name: "Pay",
  description: "Pays.",
  effect: "irreversible",
  input: z.object({}),
  run: () => "paid",
});
const crew = defineCrew({ name: "till", agents: [{ id: "clerk", tools: ["Pay"], isTerminal: true }], tools: [pay] });
const model = scriptModel({ clerk: [{ call: [{ tool: "Pay" }] }, { say: "Paid." }] });

await using baton = await openBaton({ crews: [crew], model });
if (process.argv[2] === "start") {
  const { outcome } = await baton.start("till", "Pay, please.", { id: "r" }).result;
  process.stdout.write(`${outcome}\n`);
} else {
  const run = await baton.open("r");
  const { questions } = await run.result;
  await run.answer(questions[0]?.question ?? "", "allow");
  for await (const text of run.text()) process.stdout.write(`${text}\n`);
  process.stdout.write(`${(await run.result).outcome}\n`);
}
