/**
 * Say to: sends a message into a run that works, and shows it as waiting until the log has it.
 */
import type { Client } from "@baton/client";
import type { RunStore } from "./run-store.ts";
import { sendOrKeep } from "./send-or-keep.ts";

/** Says something to a run, now or when this machine is online again; rejects, and shows nothing, if it was refused. */
export async function sayTo(client: Pick<Client, "command">, store: RunStore, text: string): Promise<void> {
  const { drop, mark } = store.expect(text);
  try {
    const how = await sendOrKeep(
      () => client.command(store.id, { type: "say", text }),
      (failure) => mark(failure === undefined ? "waiting" : "unread"),
    );
    if (how === "kept") mark("unsent");
  } catch (thrown) {
    drop();
    throw thrown;
  }
}
