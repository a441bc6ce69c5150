/**
 * Callback route: where a browser brings the code of a sign-in, so that the run that waits for it goes on by itself.
 */
import { BatonError } from "@baton/core";
import { defineRoute, type RouteMount } from "@baton/server/mount";
import { z } from "zod";
import type { McpHost } from "../mcp-host.ts";

/** The path of the route. */
export const CALLBACK_PATH = "/api/mcp/callback";

const TEXT = z.string().max(4_096);
const QUERY = z.looseObject({
  state: TEXT,
  code: TEXT.optional(),
  iss: TEXT.optional(),
  error: TEXT.optional(),
});

/** The route; `host` gives nothing if no crew has a server. */
export function callbackRoute(host: () => McpHost | undefined): RouteMount {
  return defineRoute({
    method: "get",
    path: CALLBACK_PATH,
    summary: "Takes the code of a sign-in to an MCP server",
    scope: "open",
    query: QUERY,
    answers: { 200: { description: "A page that says that the sign-in is done", type: "text/html" } },
    async handle(request) {
      const { parseState, finishSignIn } = await import("./sign-in.ts");
      const opened = host();
      const found = opened && parseState(await opened.box(), request.query.state);
      if (opened === undefined || found === undefined)
        throw new BatonError("invalid", "`state` is not that of a sign-in that this server has begun");
      const { tenant, user, id, state } = found;
      const owner = { tenant, user };
      const caller = { ...owner, documents: request.store.database.documents(owner) };
      const { code, iss, error } = request.query;
      const { options } = await opened.signInOf(id, caller);
      const callback = { ...(code === undefined ? {} : { code }), ...(iss === undefined ? {} : { iss }) };
      const ended = await finishSignIn(options, state, error === undefined ? callback : {});
      const { run, question, isDenied } = ended;
      if (run !== undefined && question !== undefined) {
        const answer = { type: "answer", question, value: isDenied ? "cancel" : "done" } as const;
        // A run that has ended, or whose question a person has answered, needs no answer.
        await request.actFor(owner).command(run, answer).catch(request.report);
      }
      return toPage(options.server.name, isDenied ? "was denied" : "is done");
    },
  });
}

/** A page for a person; the name of a server has no characters that HTML knows. */
export function toPage(server: string, what: string): Response {
  const text = `The sign-in to ${server} ${what}. You can close this page.`;
  const html = `<!doctype html><meta charset="utf-8"><title>Baton</title><p>${text}</p>\n`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
  };
  return new Response(html, { headers });
}
