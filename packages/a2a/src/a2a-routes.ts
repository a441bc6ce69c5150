/**
 * A2A routes: crews as agents of the Agent2Agent protocol, version 1.0, by JSON-RPC.
 *
 * A task is a run and a context is a session, so tasks survive restarts and another caller's task does not exist.
 * Cards are public, as the protocol wants; everything else needs a key.
 */
import {
  defineRoute,
  type MountedCrew,
  type MountRequest,
  JSON_BODY,
  type RouteMount,
  toProblem,
} from "@baton/server/mount";
import { toAgentCard } from "./agent-card.ts";
import { answerRpc, RpcError } from "./rpc-methods.ts";
import { readObject, readText } from "./wire.ts";

/** Options of the routes. */
export interface A2aRoutesOptions {
  /** Address of the server as clients write it, without a path. Default: the one that a request names. */
  readonly publicUrl?: string;
  readonly version?: string;
}

const CARD = ".well-known/agent-card.json";
const VERSION = "1.0";

/** The routes to mount. */
export function a2aRoutes({ publicUrl, version = "0.0.0" }: A2aRoutesOptions = {}): readonly RouteMount[] {
  const own = publicUrl?.replace(/\/+$/, "");
  const showCard = (request: MountRequest) => {
    const address = own ?? `http://${request.headers.get("host") ?? "127.0.0.1"}`;
    const crew = findCrew(request);
    return crew === undefined ? notFound() : Response.json(toAgentCard(crew, { address, version }));
  };
  const answers = { 200: { description: "The agent card", schema: JSON_BODY } };
  return [
    defineRoute({
      method: "get",
      path: `/${CARD}`,
      summary: "The card of the first crew",
      scope: "open",
      answers,
      handle: showCard,
    }),
    defineRoute({
      method: "get",
      path: `/a2a/:crew/${CARD}`,
      summary: "The card of a crew",
      scope: "open",
      answers,
      handle: showCard,
    }),
    defineRoute({
      method: "post",
      path: "/a2a/:crew",
      summary: "A crew as an agent, by the Agent2Agent protocol",
      scope: "run",
      body: JSON_BODY,
      answers: { 200: { description: "A JSON-RPC answer, or a stream of them", schema: JSON_BODY } },
      handle: answer,
    }),
  ];
}

function findCrew({ crews, params }: MountRequest): MountedCrew | undefined {
  const visible = crews.filter(({ expose }) => expose?.visible !== false);
  return params["crew"] === undefined ? visible[0] : visible.find(({ id }) => id === params["crew"]);
}

function notFound(): Response {
  return Response.json({ error: "there is no such agent" }, { status: 404 });
}

async function answer(request: MountRequest): Promise<Response> {
  const crew = findCrew(request);
  if (crew === undefined) return notFound();
  const body = readObject(request.body) ?? {};
  const id = toId(body["id"]);
  try {
    const asked = request.headers.get("a2a-version") ?? VERSION;
    if (asked !== VERSION) throw new RpcError(-32_009, `version ${asked} is not supported; this is ${VERSION}`);
    const method = readText(body["method"]);
    if (body["jsonrpc"] !== "2.0" || method === undefined)
      throw new RpcError(-32_600, "this is not a JSON-RPC request");
    const answered = await answerRpc({ request, crew, method, params: readObject(body["params"]) ?? {} });
    if (!("stream" in answered)) return Response.json({ jsonrpc: "2.0", id, result: answered.result });
    return new Response(
      toSse(answered.stream, (result) => ({ jsonrpc: "2.0", id, ...result }), request),
      {
        headers: { "Content-Type": "text/event-stream; charset=utf-8" },
      },
    );
  } catch (error) {
    return Response.json({ jsonrpc: "2.0", id, error: toError(error, request) });
  }
}

function toId(id: unknown): string | number | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function toError(error: unknown, { report }: MountRequest): object {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  const { status, detail } = toProblem(error);
  if (status >= 500) report(error);
  return { code: status >= 500 || status === 429 ? -32_603 : -32_602, message: detail };
}

/** A stream of answers; a client that disconnects ends it, and the run goes on. */
function toSse(
  results: AsyncGenerator<object, void>,
  toAnswer: (answered: Readonly<{ result?: object; error?: object }>) => object,
  request: MountRequest,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const toEvent = (answered: Parameters<typeof toAnswer>[0]) =>
    encoder.encode(`data: ${JSON.stringify(toAnswer(answered))}\n\n`);
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await results.next();
        if (next.done === true) controller.close();
        else controller.enqueue(toEvent({ result: next.value }));
      } catch (error) {
        controller.enqueue(toEvent({ error: toError(error, request) }));
        controller.close();
      }
    },
    async cancel() {
      await results.return();
    },
  });
}
