/**
 * Engine: runs a crew on a store. Spending is counted in the store, so daily limits apply across commands.
 */
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import type { OpenedCrew } from "../crew/crew-loader.ts";
import type { CommandTelemetry } from "./telemetry.ts";

/** Opens an engine for a crew. */
export async function openEngine(
  store: Store,
  { current, models }: Pick<OpenedCrew, "current" | "models">,
  telemetry?: CommandTelemetry,
): Promise<DurableEngine> {
  const { DurableEngine: Opened } = await import("@baton/durable");
  const { toGuard: guardOf } = await import("@baton/policy");
  models.spendIn(store.database.ledger);
  const { modelOf: model, replaceProgram } = models;
  if (telemetry === undefined) return new Opened({ store, crews: [current], model, replaceProgram, guardOf });
  const { observe, watchModel } = telemetry;
  return new Opened({ store, crews: [current], model: watchModel(model), replaceProgram, guardOf, observe });
}
