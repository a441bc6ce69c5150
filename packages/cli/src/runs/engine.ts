/**
 * Engine: runs a crew on a store; what its models spend is counted there too, so that limits of a day hold for all
 * commands of that day.
 */
import type { DurableEngine, Store } from "@baton/store";
import type { OpenedCrew } from "../crew/crew-loader.ts";

/** An engine for a crew: the one that is given, whose tools' code runs. */
export async function openEngine(
  store: Store,
  { current, models }: Pick<OpenedCrew, "current" | "models">,
): Promise<DurableEngine> {
  const { DurableEngine: Opened } = await import("@baton/store");
  models.spendIn(store.database.ledger());
  const { modelOf: model, replaceProgram } = models;
  return new Opened({ store, crews: [current], model, replaceProgram });
}
