/**
 * Keys: the API keys of the caller's tenant, and tokens that a browser holds instead of one.
 */
import { omitUndefined } from "@baton/core/util";
import type { KeyRecord } from "@baton/store";
import { z } from "zod";
import type { Api } from "../api.ts";
import { readJson } from "../../gateway/input/body.ts";
import { text } from "../../gateway/input/text.ts";
import { PLANS, SCOPES } from "../../gateway/keys.ts";
import { notFound, Problem } from "../../gateway/problem.ts";
import type { Service } from "../../service.ts";

const MAX_NAME_CHARS = 128;
const NAME = text({ minChars: 1, maxChars: MAX_NAME_CHARS });
const KEY = z
  .object({
    id: z.string(),
    user: z.string(),
    scopes: z.array(z.string()),
    plan: z.enum(PLANS),
    crews: z.array(z.string()).optional().meta({ description: "The crews that it may use; all if absent" }),
    created_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().optional(),
  })
  .meta({ id: "Key" });
const NEW_KEY = z.object({
  user: NAME.optional().meta({ description: "Default: the key's own id" }),
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  plan: z.enum(PLANS).optional(),
  crews: z.array(NAME).min(1).max(100).optional(),
});
const CREATED = KEY.extend({ key: z.string().meta({ description: "Shown this once" }) });
const TOKEN = z.object({ token: z.string(), expires_at: z.iso.datetime() });

/** Adds the routes of keys. */
export function addKeys(api: Api, service: Service): void {
  const { keys, store, maxBodyBytes } = service;
  const path = "/api/keys";
  const ofTenant = async (tenant: string) =>
    (await store.database.keys.list()).filter((key) => key.error === undefined && key.tenant === tenant);
  api.add(
    {
      method: "get",
      path,
      summary: "The API keys of your tenant",
      scope: "admin",
      answers: { 200: { description: "Keys, oldest first", schema: z.object({ keys: z.array(KEY) }) } },
    },
    async (c) => c.json({ keys: (await ofTenant(c.get("tenant"))).map(toView) }),
  );
  api.add(
    {
      method: "post",
      path,
      summary: "Create an API key of your tenant",
      scope: "admin",
      body: NEW_KEY,
      answers: { 201: { description: "The key, shown this once", schema: CREATED } },
    },
    async (c) => {
      const { scopes, ...options } = await readJson(c, NEW_KEY, { maxBytes: maxBodyBytes });
      if (await keys.isOpen()) {
        throw new Problem(
          "conflict",
          "This server needs no key yet; the first one is created with `baton keys create`.",
        );
      }
      const { key, record } = await keys.create(c.get("tenant"), scopes, omitUndefined(options));
      return c.json({ ...toView(record), key }, 201);
    },
  );
  api.add(
    {
      method: "delete",
      path: `${path}/:id`,
      summary: "Revoke an API key of your tenant",
      scope: "admin",
      answers: { 204: { description: "It is revoked" } },
    },
    async (c) => {
      const id = c.req.param("id") ?? "";
      const found = (await ofTenant(c.get("tenant"))).find((key) => key.id === id && key.revokedAt === undefined);
      if (found === undefined) throw notFound(`key ${id}`, { next: "GET /api/keys has the keys of your tenant." });
      await keys.revoke(id);
      return c.body(null, 204);
    },
  );
}

/** Adds the routes by which a browser exchanges a key for a token, and ends it. */
export function addSignIn(api: Api, { keys }: Service): void {
  const path = "/api/session";
  api.add(
    {
      method: "post",
      path,
      summary: "Exchange your API key for a token that ends after 12 hours, or an hour without a request",
      answers: { 201: { description: "Send it as `Authorization: Bearer TOKEN`", schema: TOKEN } },
    },
    async (c) => {
      const made = await keys.signIn({ tenant: c.get("tenant"), user: c.get("user"), key: c.get("key") });
      if (made === undefined)
        throw new Problem("conflict", "This server needs no key, so there is nothing to exchange.");
      return c.json({ token: made.token, expires_at: new Date(made.expiresAt).toISOString() }, 201);
    },
  );
  api.add(
    {
      method: "delete",
      path,
      summary: "End the token that this request is sent with",
      answers: { 204: { description: "It has ended" } },
    },
    async (c) => {
      await keys.signOut({ tenant: c.get("tenant"), user: c.get("user") }, c.req.header("authorization"));
      return c.body(null, 204);
    },
  );
}

function toView({ id, user, scopes, plan = "free", crews, createdAt, revokedAt }: KeyRecord): z.infer<typeof KEY> {
  const revoked = revokedAt === undefined ? undefined : new Date(revokedAt).toISOString();
  return {
    id,
    user,
    scopes: [...scopes],
    plan,
    created_at: new Date(createdAt).toISOString(),
    ...omitUndefined({ crews: crews && [...crews], revoked_at: revoked }),
  };
}
