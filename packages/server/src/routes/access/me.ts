/**
 * Me: who the server takes the caller for, and what answers here.
 */
import { z } from "zod";
import type { Api } from "../api.ts";
import { LOCAL_IDENTITY, SCOPES } from "../../gateway/keys.ts";
import type { Service } from "../../service.ts";

const ME = z
  .object({
    tenant: z.string(),
    user: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    keys_required: z.boolean().meta({ description: "Requests need an API key" }),
    version: z.string(),
    model: z.string().meta({ description: "Which model answers, and why, in words" }),
  })
  .meta({ id: "Me" });

/** Adds the route that tells callers who they are. */
export function addMe(api: Api, { about: { version, model } }: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/me",
      summary: "The user and scopes of your key, and which model answers",
      scope: "read",
      answers: { 200: { description: "You", schema: ME } },
    },
    ({ json, var: { tenant, user, key, scopes } }) =>
      json({ tenant, user, scopes: [...scopes], keys_required: key !== LOCAL_IDENTITY.key, version, model }),
  );
}
