/** Remove runs: empties a server between two tests that share it. */
import { createClient } from "@baton/client";
import { until } from "./page-suite.ts";

/** Stops and deletes all runs of a server. */
export async function removeRuns(url: string): Promise<void> {
  const client = createClient({ url });
  await until(async () => {
    const { runs } = await client.runs({ limit: 100 });
    for (const { id, status } of runs) {
      const removing = status === "ended" ? client.deleteRun(id) : client.command(id, { type: "cancel" });
      // It may have ended since it was listed: then the next look deletes it.
      await removing.catch(() => undefined);
    }
    return runs.length === 0;
  });
}
