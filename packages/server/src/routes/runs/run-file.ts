/**
 * Run file: one run as a file of JSON lines, out of a server and into it.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { exportRun, importRun } from "@baton/durable";
import { toShortId } from "@baton/store";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "zod";
import { RUN_HEADERS } from "../api-headers.ts";
import type { Api } from "../api.ts";
import { sendParts } from "../../gateway/compress.ts";
import { readText } from "../../gateway/input/body.ts";
import { readQuery } from "../../gateway/input/query-string.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { Problem } from "../../gateway/problem.ts";
import { runPathOf, STARTED, startedViewOf } from "../../runs/run-view.ts";
import { setRunHeaders } from "../../runs/segment-answer.ts";
import { findVisibleRun, type Service } from "../../service.ts";

const TYPE = "application/jsonl";
const TYPES = [TYPE, "application/x-ndjson", "application/x-jsonlines"];
const EXPORT = z.object({ format: z.enum(["jsonl"]).default("jsonl") });

/** Adds the routes of a run's file. */
export function addRunFile(api: Api, service: Service): void {
  api.add(
    {
      method: "get",
      path: "/api/runs/:id/export",
      summary: "The run as a file: a first line about it, then one event a line",
      scope: "read",
      query: EXPORT,
      answers: { 200: { description: "The file", type: TYPE, headers: RUN_HEADERS } },
    },
    (c) => send(service, c),
  );
  api.add(
    {
      method: "post",
      path: "/api/runs/import",
      summary:
        "Import a run from its file; it keeps its id if that is free. A cut or changed file is refused with its line",
      scope: "admin",
      answers: { 201: { description: "The run", schema: STARTED, headers: [...RUN_HEADERS, "Location"] } },
    },
    (c) => receive(service, c),
  );
}

async function send(service: Service, c: GatewayContext): Promise<Response> {
  readQuery(c, EXPORT);
  const record = await findVisibleRun(service, c, c.req.param("id") ?? "");
  setRunHeaders(c, record);
  const headers = {
    "Content-Type": TYPE,
    "Content-Disposition": `attachment; filename="run-${toShortId(record.id)}.jsonl"`,
  };
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  const { database } = service.store;
  const parts = exportRun(database, record);
  // What cannot be read at first is answered as an error; later it ends the file early, which its import notices.
  const first = await parts.next();
  try {
    await sendParts(c, withFirst(first.value ?? "", parts), { chars: Infinity, headers });
  } catch (error) {
    service.observer.logger.warn("a run was not exported whole", { run: record.id, error: toMessage(error) });
  }
  return RESPONSE_ALREADY_SENT;
}

async function* withFirst(first: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}

async function receive(service: Service, c: GatewayContext): Promise<Response> {
  const { store, admission, maxImageBodyBytes: maxBytes } = service;
  const text = await readText(c, { types: TYPES, maxBytes });
  admission.check();
  const id = await importRun(store, [text], c.var).catch((error: unknown) => {
    if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
    throw new Problem("damaged", error.message, { cause: error, status: 400 });
  });
  const record = await findVisibleRun(service, c, id);
  setRunHeaders(c, record);
  return c.json(startedViewOf(service, record), 201, { Location: runPathOf(service, id) });
}
