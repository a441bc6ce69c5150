/**
 * Log level: which lines the server writes, until it stops.
 */
import { z } from "zod";
import type { Api } from "../api.ts";
import { readJson } from "../../gateway/input/body.ts";
import type { Service } from "../../service.ts";

const LEVEL = z.object({ level: z.enum(["silent", "error", "warn", "info", "debug"]) });

/** Adds the routes of the log level. */
export function addLogLevel(api: Api, { observer: { logger }, maxBodyBytes }: Service): void {
  const answers = { 200: { description: "The level", schema: LEVEL } };
  const path = "/api/log-level";
  api.add({ method: "get", path, summary: "The server's log level", scope: "admin", answers }, (c) =>
    c.json({ level: logger.level() }),
  );
  api.add(
    {
      method: "put",
      path,
      summary: "Change the server's log level until it stops",
      scope: "admin",
      body: LEVEL,
      answers,
    },
    async (c) => {
      const { level } = await readJson(c, LEVEL, { maxBytes: maxBodyBytes });
      const before = logger.level();
      // Said under whichever level lets it through.
      logger.info("log level", { now: level, before, request: c.var.requestId });
      const isSaid = logger.isOn("info");
      logger.setLevel(level);
      if (!isSaid) logger.info("log level", { now: level, before, request: c.var.requestId });
      return c.json({ level });
    },
  );
}
