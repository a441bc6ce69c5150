/**
 * Page: starts a run from a browser and writes its text into the page as it streams. The test of installed packages
 * bundles it.
 */
import { createClient } from "@baton/client";

const client = createClient({ url: "" });
const run = await client.start("my-crew", "What time is it in Hanoi?");
for await (const event of client.follow(run.id)) {
  if (event.type === "text.delta") document.body.append(event.text);
  if (event.type === "run.ended") document.title = event.outcome;
}
