/**
 * Model view: a model that a request may name, as a picker sees it.
 */
import { z } from "zod";

const PRICE = z
  .object({ input: z.number(), output: z.number(), cached: z.number(), cache_write: z.number() })
  .meta({ description: "US dollars a million tokens" });
/** A model in an answer. */
export const MODEL_VIEW = z
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
export type ServedModel = z.output<typeof MODEL_VIEW>;

/** A model of which only the name is known. */
export function toPlainModel(id: string): ServedModel {
  const provider = id.split("/", 1)[0] ?? id;
  const label = id.slice(id.indexOf("/") + 1);
  return { id, provider, label, default: false, available: true, reasoning: false, images: false };
}
