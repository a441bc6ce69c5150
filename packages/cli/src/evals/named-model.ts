/**
 * Named model: a model by its name, or a script that plays one agent (`script:FILE`).
 */
import { isAbsolute, join } from "node:path";
import { BatonError, defineCrew, type Model, scriptModel } from "@baton/core";
import type { OpenedCrew } from "../crew/crew-loader.ts";

const SCRIPT = "script:";

/** Opens a model that stands beside a crew: a judge, or a persona. */
export async function openModel(
  name: string,
  { crew, models }: Pick<OpenedCrew, "crew" | "models">,
  { agent, folder = "" }: Readonly<{ agent: string; folder?: string }>,
): Promise<Model> {
  if (!name.startsWith(SCRIPT)) {
    const [first] = crew.agents.values();
    if (first === undefined) throw new BatonError("internal", "the crew has no agent");
    return models.modelOf({ ...first, model: { name } }, crew);
  }
  const { readScript } = await import("@baton/crewfile");
  const file = name.slice(SCRIPT.length);
  const path = isAbsolute(file) ? file : join(folder, file);
  const { script, findings } = await readScript(path, defineCrew({ name: agent, agents: [{ id: agent }] }));
  if (script !== undefined) return scriptModel(script);
  throw new BatonError("invalid", `${path}: ${findings.map(({ message }) => message).join("; ")}`);
}
