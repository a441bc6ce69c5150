/**
 * Say: sends a message into a run that works, and shows it as waiting until the log has it.
 */
import type { Client } from "@baton/client";
import type { RunStore } from "./run-store.ts";

/** Says something to a run; rejects, and shows nothing, if it was refused. */
export async function sayTo(client: Pick<Client, "command">, store: RunStore, text: string): Promise<void> {
  const drop = store.expect(text);
  try {
    await client.command(store.id, { type: "say", text });
  } catch (thrown) {
    drop();
    throw thrown;
  }
}
