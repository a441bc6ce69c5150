/**
 * Check model: refuses a model that requests may not name.
 */
import { Problem } from "../gateway/problem.ts";
import type { Service } from "../service.ts";

/** Models cost money: a request may name only those that the server was started with. */
export function checkModel({ models }: Pick<Service, "models">, model: string, field = "model"): void {
  if (models.has(model)) return;
  const known = [...models].join(", ");
  const must =
    known === "" ? "must be left out: this server does not let requests choose a model" : `must be one of ${known}`;
  throw new Problem("unknown_model", `The request asks for a model that this server does not offer: see ${field}.`, {
    problems: [{ field, message: `${must} (baton serve --models)` }],
  });
}
