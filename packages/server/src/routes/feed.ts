/**
 * Feed: which runs and crews have changed, as server-sent events.
 */
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Api } from "./api.ts";
import { type Service, visibleRuns } from "../service.ts";

const HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" } as const;

/** Adds the route of the feed. */
export function addFeed(api: Api, { feed }: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/feed",
      summary:
        "Server-sent events: first a `snapshot` with the runs that have not ended and the crews, then each `run` that " +
        "changed, `removed` with the id of one that was removed, and `crews` if they changed",
      scope: "read",
      answers: { 200: { description: "Changes of the runs that you may see", type: "text/event-stream" } },
    },
    async (c) => {
      if (c.req.method === "HEAD") return c.body(null, 200, HEADERS);
      const { outgoing } = c.env;
      outgoing.writeHead(200, HEADERS);
      await feed.open({ outgoing, key: c.var.key, visible: visibleRuns(c) });
      return RESPONSE_ALREADY_SENT;
    },
  );
}
