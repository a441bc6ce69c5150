/**
 * Description: the API described by the schemas it validates with, as OpenAPI.
 */
import { z } from "zod";
import type { Api } from "./api.ts";
import { toOpenApi } from "./openapi.ts";

/** Adds the description of all routes. */
export function addDescription(api: Api): void {
  api.add(
    {
      method: "get",
      path: "/openapi.json",
      summary: "This description",
      answers: { 200: { description: "OpenAPI 3.1", schema: z.looseObject({ openapi: z.string() }) } },
    },
    (c) => c.json(toOpenApi(api.routes)),
  );
}
