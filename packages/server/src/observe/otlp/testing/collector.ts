/**
 * Collector: a collector of OTLP/HTTP for tests, that keeps what it was sent.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";

const VALUE = z.looseObject({ stringValue: z.string().optional(), intValue: z.string().optional() });
const PAIRS = z.array(z.object({ key: z.string(), value: VALUE }));
const SPAN = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: PAIRS,
});
const TRACES = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes: PAIRS }), scopeSpans: z.array(z.object({ spans: z.array(SPAN) })) }),
  ),
});
const METRICS = z.object({
  resourceMetrics: z.array(
    z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(z.looseObject({ name: z.string() })) })) }),
  ),
});

/** A span as it came, with its attributes by name. */
export interface CollectedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceId: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** A collector of a test. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly metrics: readonly string[];
  readonly resources: readonly Readonly<Record<string, string | undefined>>[];
  readonly headers: readonly IncomingMessage["headers"][];
  /** The statuses of the next answers; then 200. `hang` never answers. */
  readonly answers: (number | "hang")[];
}

/** Starts a collector on 127.0.0.1. */
export async function startCollector(): Promise<Collector> {
  const [spans, metrics, headers]: [CollectedSpan[], string[], IncomingMessage["headers"][]] = [[], [], []];
  const resources: Readonly<Record<string, string | undefined>>[] = [];
  const answers: (number | "hang")[] = [];
  const take = (path: string, body: unknown): void => {
    if (path === "/v1/metrics")
      for (const { scopeMetrics } of METRICS.parse(body).resourceMetrics)
        metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics.map(({ name }) => name)));
    if (path !== "/v1/traces") return;
    for (const { resource, scopeSpans } of TRACES.parse(body).resourceSpans) {
      resources.push(toRecord(resource.attributes));
      for (const { attributes, parentSpanId, ...span } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, parentSpanId, attributes: toRecord(attributes) });
    }
  };
  const http = createServer((request, response) => {
    headers.push(request.headers);
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const answer = answers.shift() ?? 200;
      if (answer === "hang") return;
      if (answer === 200) take(request.url ?? "", JSON.parse(text));
      response.writeHead(answer).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    resources,
    headers,
    answers,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}

function toRecord(pairs: z.infer<typeof PAIRS>): Record<string, string | undefined> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
