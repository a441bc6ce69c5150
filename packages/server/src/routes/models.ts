/**
 * Models: those that a request may name, for a picker. It tells no key and no address.
 */
import { z } from "zod";
import type { Api } from "./api.ts";
import { MODEL_VIEW } from "../runs/model-view.ts";
import type { Service } from "../service.ts";

/** Adds the route of the models. */
export function addModels(api: Api, { models, listModels }: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/models",
      summary: "The models that a request may name",
      scope: "read",
      answers: { 200: { description: "Models", schema: z.object({ models: z.array(MODEL_VIEW) }) } },
    },
    async (c) => c.json({ models: [...(await listModels([...models]))] }),
  );
}
