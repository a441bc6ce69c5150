/**
 * Models: those that a request may name, for a picker. It tells no key and no address.
 */
import { z } from "zod";
import type { Api } from "./api.ts";
import type { Service } from "../service.ts";

const PRICE = z
  .object({ input: z.number(), output: z.number(), cached: z.number(), cache_write: z.number() })
  .meta({ description: "US dollars a million tokens" });
const MODEL = z
  .object({
    id: z.string().meta({ description: "The `model` of a run" }),
    provider: z.string(),
    label: z.string(),
    default: z.boolean().meta({ description: "The crews use it if nothing else is chosen" }),
    available: z.boolean(),
    reason: z.string().optional().meta({ description: "Why it is not available" }),
    window: z.int().optional().meta({ description: "The most tokens it reads" }),
    max_output: z.int().optional().meta({ description: "The most tokens it writes" }),
    price: PRICE.optional(),
    reasoning: z.boolean(),
    images: z.boolean(),
  })
  .meta({ id: "Model" });

/** A model that a request may name. */
export type ServedModel = z.output<typeof MODEL>;

/** Adds the route of the models. */
export function addModels(api: Api, { models, listModels }: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/models",
      summary: "The models that a request may name",
      scope: "read",
      answers: { 200: { description: "Models", schema: z.object({ models: z.array(MODEL) }) } },
    },
    async (c) => c.json({ models: [...(await listModels([...models]))] }),
  );
}

/** A model of which only the name is known. */
export function toPlainModel(id: string): ServedModel {
  const provider = id.split("/", 1)[0] ?? id;
  const label = id.slice(id.indexOf("/") + 1);
  return { id, provider, label, default: false, available: true, reasoning: false, images: false };
}
