/**
 * Qdrant server: a Qdrant in this process, for tests: collections, points, filters and exact search in its wire format.
 *
 * It is strict: a path, a field or a type that Qdrant does not know is answered with 400 and noted in `problems`. It can
 * be told to fail in the ways that a real one does.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Buffer } from "node:buffer";

/** Its behaviour. */
export type QdrantMood = "well" | "500" | "html" | "silent" | "empty" | "unfiltered";

type Fields = Readonly<Record<string, unknown>>;

interface Point {
  readonly id: string;
  readonly vector: Float32Array;
  readonly payload: Fields;
}

interface Collection {
  readonly size: number;
  readonly points: Map<string, Point>;
  readonly indexes: Set<string>;
}

/** The answer of a handler. */
interface Said {
  readonly status?: number;
  readonly result?: unknown;
  readonly error?: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Starts one on a free port of this machine. */
export class QdrantServer implements AsyncDisposable {
  readonly collections = new Map<string, Collection>();
  /** The requests so far, as `POST /collections/x/points/query`. */
  readonly asked: string[] = [];
  readonly problems: string[] = [];
  readonly key: string | undefined;
  mood: QdrantMood = "well";
  #port = 0;
  readonly #woken: (() => void)[] = [];
  readonly #http = createServer((request, response) => this.#receive(request, response));

  constructor(key?: string) {
    this.key = key;
  }

  static async start(key?: string): Promise<QdrantServer> {
    const server = new QdrantServer(key);
    server.#http.listen(0, "127.0.0.1");
    await once(server.#http, "listening");
    const address = server.#http.address();
    server.#port = typeof address === "object" && address !== null ? address.port : 0;
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** All points of all collections. */
  get points(): readonly Point[] {
    return [...this.collections.values()].flatMap(({ points }) => [...points.values()]);
  }

  /** Resolves with the next request. */
  async nextRequest(): Promise<void> {
    await new Promise<void>((resolve) => this.#woken.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#http, "close");
    this.#http.close();
    this.#http.closeAllConnections();
    await closed;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      this.asked.push(`${request.method} ${request.url}`);
      for (const wake of this.#woken.splice(0)) wake();
      const text = Buffer.concat(parts).toString();
      if (this.mood === "silent") return;
      if (this.mood === "html" || this.mood === "empty") {
        response.writeHead(200, { "content-type": "text/html" }).end(this.mood === "html" ? "<html>" : "");
        return;
      }
      if (this.mood === "500") return this.#say(response, { status: 500, error: "Service internal error" });
      if (this.key !== undefined && request.headers["api-key"] !== this.key)
        return this.#say(response, { status: 401, error: "Invalid API key" });
      this.#say(response, this.#answer(request, text));
    });
  }

  #say(response: ServerResponse, { status = 200, result, error }: Said): void {
    const body = error === undefined ? { result, status: "ok", time: 0.001 } : { status: { error }, time: 0.001 };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  #answer(request: IncomingMessage, text: string): Said {
    try {
      const { pathname, search } = new URL(request.url ?? "", this.url);
      if (search !== "" && search !== "?wait=true") throw new Error(`unknown query ${search}`);
      if (text !== "" && request.headers["content-type"] !== "application/json") throw new Error("not JSON");
      const body: unknown = text === "" ? {} : JSON.parse(text);
      return this.#route(`${request.method} ${pathname}`, toRecord(body));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.problems.push(`${request.method} ${request.url}: ${problem}`);
      return { status: 400, error: `Format error in JSON body: ${problem}` };
    }
  }

  #route(asked: string, body: Fields): Said {
    if (asked === "GET /collections")
      return { result: { collections: [...this.collections.keys()].map((name) => ({ name })) } };
    const [, method = "", name = "", rest = ""] = /^(\w+) \/collections\/([^/]+)(.*)$/.exec(asked) ?? [];
    if (method === "PUT" && rest === "") return this.#create(name, body);
    const collection = this.collections.get(name);
    if (collection === undefined) return { status: 404, error: `Not found: Collection \`${name}\` doesn't exist!` };
    switch (`${method} ${rest}`) {
      case "PUT /index":
        return addIndex(collection, body);
      case "PUT /points":
        return upsert(collection, body);
      case "POST /points/query":
        return query(collection, body, this.mood);
      case "POST /points/scroll":
        return scroll(collection, body);
      case "POST /points/delete":
        return remove(collection, body);
      default:
        throw new Error("no such route");
    }
  }

  #create(name: string, body: Fields): Said {
    checkFields(body, ["vectors"]);
    const vectors = toRecord(body["vectors"]);
    checkFields(vectors, ["size", "distance"]);
    if (vectors["distance"] !== "Cosine") throw new Error("unknown distance");
    if (this.collections.has(name)) return { status: 409, error: `Collection \`${name}\` already exists!` };
    this.collections.set(name, { size: toCount(vectors["size"]), points: new Map(), indexes: new Set() });
    return { result: true };
  }
}

function addIndex({ indexes }: Collection, body: Fields): Said {
  checkFields(body, ["field_name", "field_schema"]);
  if (body["field_schema"] !== "keyword" || typeof body["field_name"] !== "string") throw new Error("unknown schema");
  indexes.add(body["field_name"]);
  return { result: { operation_id: 1, status: "completed" } };
}

function upsert(collection: Collection, body: Fields): Said {
  checkFields(body, ["points"]);
  const points = toList(body["points"]).map((item) => {
    const point = toRecord(item);
    checkFields(point, ["id", "vector", "payload"]);
    if (typeof point["id"] !== "string" || !UUID.test(point["id"])) throw new Error("value is not a valid point ID");
    return { id: point["id"], vector: toVector(point["vector"]), payload: toRecord(point["payload"]) };
  });
  const wrong = points.find(({ vector }) => vector.length !== collection.size);
  if (wrong !== undefined) return toDimensionError(collection, wrong.vector);
  for (const point of points) collection.points.set(point.id, point);
  return { result: { operation_id: 2, status: "completed" } };
}

function query(collection: Collection, body: Fields, mood: QdrantMood): Said {
  checkFields(body, ["query", "filter", "limit", "params", "with_payload"]);
  const vector = toVector(body["query"]);
  if (vector.length !== collection.size) return toDimensionError(collection, vector);
  const found = [...collection.points.values()].filter((point) => mood === "unfiltered" || fits(point, body["filter"]));
  const scored = found.map(({ id, payload, vector: other }) => {
    const score = other.reduce((sum, part, index) => sum + part * (vector[index] ?? 0), 0);
    return { id, version: 1, score, payload };
  });
  const points = scored.toSorted((one, other) => other.score - one.score).slice(0, toCount(body["limit"]));
  return { result: { points } };
}

function scroll(collection: Collection, body: Fields): Said {
  checkFields(body, ["filter", "limit", "with_payload", "with_vector", "offset"]);
  const all = [...collection.points.values()].filter((point) => fits(point, body["filter"]));
  const sorted = all.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { offset } = body;
  const from = typeof offset === "string" ? sorted.findIndex(({ id }) => id >= offset) : 0;
  const to = from + toCount(body["limit"]);
  const points = sorted.slice(from, to).map(({ id, payload }) => ({ id, payload }));
  return { result: { points, next_page_offset: sorted[to]?.id ?? null } };
}

function remove(collection: Collection, body: Fields): Said {
  if ("filter" in body) {
    checkFields(body, ["filter"]);
    for (const point of collection.points.values()) if (fits(point, body["filter"])) collection.points.delete(point.id);
  } else {
    checkFields(body, ["points"]);
    for (const id of toList(body["points"])) if (typeof id === "string") collection.points.delete(id);
  }
  return { result: { operation_id: 3, status: "completed" } };
}

function fits({ payload }: Point, filter: unknown): boolean {
  const { must, ...others } = toRecord(filter);
  if (Object.keys(others).length > 0) throw new Error("unknown filter");
  return toList(must).every((item) => {
    const condition = toRecord(item);
    checkFields(condition, ["key", "match"]);
    const match = toRecord(condition["match"]);
    checkFields(match, ["value"]);
    if (typeof condition["key"] !== "string") throw new Error("unknown key");
    return payload[condition["key"]] === match["value"];
  });
}

function toDimensionError({ size }: Collection, { length }: Float32Array): Said {
  const error = `Wrong input: Vector dimension error: expected dim: ${size}, got ${length}`;
  return { status: 400, error };
}

/** With cosine, Qdrant keeps vectors of length 1. */
function toVector(value: unknown): Float32Array {
  const numbers = toList(value).map((part) => {
    if (typeof part !== "number" || !Number.isFinite(part)) throw new Error("a vector of something else than numbers");
    return part;
  });
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (part) => (length === 0 ? 0 : part / length));
}

function checkFields(record: Fields, known: readonly string[]): void {
  for (const field of Object.keys(record)) if (!known.includes(field)) throw new Error(`unknown field ${field}`);
}

function toCount(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${String(value)} is not a count`);
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error("not a list");
}

function toRecord(value: unknown): Fields {
  if (isRecord(value)) return value;
  throw new Error("not an object");
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
