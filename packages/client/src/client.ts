/**
 * Client: what a program does with a server: starts runs, follows and commands them, and looks at what was.
 *
 * Every method throws `ClientError` if the server refuses or cannot be reached; an abort is thrown unchanged.
 * `start` retries by itself: its requests carry an `Idempotency-Key`, so that one start is one run.
 */
import type { Command, Json, Outcome, Receipt, Run, RunEvent, RunLimits } from "@baton/core";
import type { RequestTool } from "@baton/core/ports";
import {
  type CallInfo,
  type CancelledRun,
  type CrewInfo,
  parseCall,
  parseCancelled,
  parseCrews,
  parseMessages,
  parseReceipt,
  parseRun,
  parseRunPage,
  parseSessionPage,
  parseStarted,
  type RunInfo,
  type RunPage,
  type RunStatus,
  type SessionMessage,
  type SessionPage,
  type StartedRun,
} from "./run-answers.ts";
import type { BackoffLimits } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import { ask, type Endpoint, type Query, send, tryAgain } from "./endpoint.ts";
import { type FeedChange, type FeedOptions, followFeed } from "./feed.ts";
import { followBatches, type FollowOptions, followRun } from "./follow.ts";
import {
  type CrewDetail,
  type Me,
  type ModelInfo,
  type ServerOverview,
  parseCrewDetail,
  parseEvents,
  parseMe,
  parseModels,
  parseOverview,
  parsePrompt,
  type HowToFork,
  parseReplayed,
  parseSignedIn,
  parseTools,
  type Replayed,
  type SignedIn,
  type StepPrompt,
  type ToolInfo,
} from "./detail-answers.ts";
import { createClientRun } from "./run.ts";
import { SharedSocket } from "./shared-socket.ts";

/** Where the server is. */
export interface ClientOptions {
  /** As `http://127.0.0.1:8080`; empty in a page that the server itself gives. */
  readonly url: string;
  /** An API key, if the server asks for one. */
  readonly key?: string;
  /** `websocket`: starts, commands and events share one WebSocket. Default `http`. */
  readonly transport?: "http" | "websocket";
  /** Instead of the platform's. */
  readonly fetch?: typeof fetch;
  /** The longest time between two signs of life of a stream; after twice this time in silence the client reconnects. */
  readonly pingMs?: number;
  /** Of waits between tries. */
  readonly backoff?: BackoffLimits;
}

/** A picture for a run: a png, jpeg or webp of at most 5 MB. */
export interface StartImage {
  /** Base64, or a data URL. */
  readonly data: string;
  /** A description for readers who cannot see the picture. */
  readonly altText?: string;
}

/** Options for starting a run. */
export interface StartRunOptions {
  /** Up to four; with them the input may be empty. */
  readonly images?: readonly StartImage[];
  /** The conversation it belongs to. */
  readonly session?: string;
  readonly limits?: RunLimits;
  /** Metadata that agents and tools of the crew can read: JSON of at most 16 KB, in the run's state under `options`. */
  readonly options?: Json;
  /** The model of every agent that writes for the user; one that the server offers (`--models`). */
  readonly model?: string;
  /** Tools that your program carries out: their calls are questions of the kind `tool`, whose answer is the result. */
  readonly tools?: readonly RequestTool[];
  /** The idempotency key: two starts with the same key and input start one run. Without it every start is a new run. */
  readonly idempotencyKey?: string;
  /** The most tries while the server is busy or cannot be reached; 5 by default. */
  readonly tries?: number;
  readonly abort?: AbortSignal;
}

/** A filter for the list of runs, which has the newest first. */
export interface RunListOptions {
  readonly status?: RunStatus;
  readonly outcome?: Outcome;
  /** Created at this time or later, ISO 8601. */
  readonly since?: string;
  /** Created before this time. */
  readonly until?: string;
  readonly crew?: string;
  readonly session?: string;
  /** Words that must all occur in its texts; the last may be a beginning, `"…"` is a phrase. */
  readonly q?: string;
  /** The rating that a user gave it, any, or none. */
  readonly feedback?: "up" | "down" | "any" | "none";
  /** The `X-Request-Id` of the request that started it. */
  readonly request?: string;
  /** Without runs that follow another one (`after_of`). */
  readonly after?: "none";
  /** Older than the one of this id. */
  readonly before?: string;
  readonly limit?: number;
}

/** A filter for the list of a run's events. */
export interface EventListOptions {
  /** Only events after this one. */
  readonly after?: number;
  /** The last event wanted. */
  readonly to?: number;
  /** Without the pieces of text as they were written. */
  readonly deltas?: "none";
  /** Without the conversation before the run. */
  readonly history?: "none";
}

/** A filter for the list of conversations, which has the most recently used first. */
export interface SessionListOptions {
  /** Part of the title. */
  readonly q?: string;
  /** The `next` of the page before. */
  readonly before?: string;
  readonly limit?: number;
}

/** A client of one Baton server. */
export interface Client {
  /** Starts a run, and gives its handle. */
  start(crew: string, input: string, options?: StartRunOptions): Promise<StartedRun & Run>;
  /** The handle of a run by its id. */
  open(run: string): Run;
  /** The run's events, each once and in order, to its end; connects again by itself. */
  follow(run: string, options?: FollowOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** The same, as many at once as came at once: for pages that draw once a frame. */
  followBatches(run: string, options?: FollowOptions): AsyncGenerator<readonly RunEvent[], void, undefined>;
  /**
   * Yields a snapshot of the open runs and then every change of runs and crews, until it is aborted; reconnects by
   * itself.
   */
  feed(options?: FeedOptions): AsyncGenerator<FeedChange, void, undefined>;
  /** The log as it is now. */
  events(run: string, options?: EventListOptions): Promise<readonly RunEvent[]>;
  /** Sends a command to the run; a cancel gives the receipt. */
  command(run: string, command: Command): Promise<Receipt | undefined>;
  /** By its id or its short id; of several with the same short id the newest. */
  run(id: string): Promise<RunInfo>;
  /** One call of a tool, by its position as events name it (`4/quiz/student/1.1.2`). */
  call(run: string, position: string): Promise<CallInfo>;
  runs(filter?: RunListOptions): Promise<RunPage>;
  /** Removes a run that has ended, with its log. */
  deleteRun(run: string): Promise<void>;
  /** Rates a run that has ended or paused; `null` removes your rating. */
  rateRun(run: string, rating: "up" | "down" | null, comment?: string): Promise<void>;
  /** The run as the text of a file. */
  exportRun(run: string): Promise<string>;
  /** Imports a run from the text of its file; needs a key with the scope `admin`. */
  importRun(file: string): Promise<StartedRun>;
  sessions(filter?: SessionListOptions): Promise<SessionPage>;
  messages(session: string): Promise<readonly SessionMessage[]>;
  /** Renames or pins a conversation; the title `null` gives the automatic one back. */
  editSession(session: string, edit: { readonly title?: string | null; readonly pinned?: boolean }): Promise<void>;
  /** The conversation as the text of a file. */
  exportSession(session: string, format?: "json" | "markdown"): Promise<string>;
  /** Cancels what runs and waits in a conversation, and keeps its messages and runs. */
  cancelSession(session: string): Promise<readonly CancelledRun[]>;
  /** Removes a conversation with its messages and runs. */
  deleteSession(session: string): Promise<void>;
  crews(): Promise<readonly CrewInfo[]>;
  crew(id: string): Promise<CrewDetail>;
  tools(): Promise<readonly ToolInfo[]>;
  /** The models that a run may name, those that are not available with the reason. */
  models(): Promise<readonly ModelInfo[]>;
  /** The identity that the server gives the caller. */
  me(): Promise<Me>;
  /** Exchanges the key for a token that ends by itself; a client uses it as its `key`. */
  signIn(): Promise<SignedIn>;
  /** Ends the token that this client uses as its `key`. */
  signOut(): Promise<void>;
  /** Figures of the runs of the last minutes (default 60), and the state of the server. */
  overview(minutes?: number): Promise<ServerOverview>;
  /** The crew that a run began with. */
  runCrew(run: string): Promise<CrewDetail>;
  /** The prompt that the model got in a step, by the step's position (`3.1`). */
  prompt(run: string, step: string): Promise<StepPrompt>;
  /** Runs the log through the engine with nothing called; with a crew: as that one would decide now. */
  replay(run: string, crew?: string): Promise<Replayed>;
  /** Begins a new run with everything that was finished by event `seq`; it continues live. */
  fork(run: string, seq: number, how?: HowToFork): Promise<StartedRun>;
  /** Closes the WebSocket, if there is one; follows end with an error. The next call opens another. */
  close(): void;
}

const PING_MS = 30_000;
const MISSED_PINGS = 2;
const BACKOFF: BackoffLimits = { minMs: 250, maxMs: 10_000 };

/** A client of the server at `url`. Nothing is sent until a method is called. */
export function createClient(options: ClientOptions): Client {
  const endpoint = toEndpoint(options);
  const get = (path: readonly string[], search: Query["search"] = {}) => ask(endpoint, { path, search });
  const past = pastMethods(endpoint);
  const command: Client["command"] = async (run, sent) => {
    const body = toWireCommand(sent);
    const { socket } = endpoint;
    return parseReceipt(
      await (socket === undefined
        ? ask(endpoint, { method: "POST", path: ["runs", run, "commands"], body })
        : socket.ask({ op: "command", run, command: body })),
    );
  };
  const follow: Client["follow"] = (run, followOptions = {}) => followRun(endpoint, run, followOptions);
  const events = (run: string) => past.events(run, { deltas: "none", history: "none" });
  const open: Client["open"] = (run) => createClientRun(run, { follow, command, events, crew: past.runCrew });
  return {
    start: async (crew, input, startOptions = {}) => {
      const { id, ...started } = await startRun(endpoint, { crew, input, ...startOptions });
      return Object.assign(open(id), started);
    },
    open,
    follow,
    followBatches: (run, followOptions = {}) => followBatches(endpoint, run, followOptions),
    feed: (feedOptions = {}) => followFeed(endpoint, feedOptions),
    command,
    call: async (run, position) => parseCall(await get(["runs", run, "calls", position])),
    run: async (id) => parseRun(await get(["runs", id])),
    runs: async (filter = {}) => parseRunPage(await get(["runs"], { ...filter })),
    deleteRun: async (run) => {
      await ask(endpoint, { method: "DELETE", path: ["runs", run] });
    },
    sessions: async (filter = {}) => parseSessionPage(await get(["sessions"], { ...filter })),
    messages: async (session) => parseMessages(await get(["sessions", session, "messages"])),
    cancelSession: async (session) =>
      parseCancelled(await ask(endpoint, { method: "POST", path: ["sessions", session, "cancel"] })),
    deleteSession: async (session) => {
      await ask(endpoint, { method: "DELETE", path: ["sessions", session] });
    },
    crews: async () => parseCrews(await get(["crews"])),
    crew: async (id) => parseCrewDetail(await get(["crews", id])),
    tools: async () => parseTools(await get(["tools"])),
    models: async () => parseModels(await get(["models"])),
    overview: async (minutes) => parseOverview(await get(["overview"], { minutes })),
    me: async () => parseMe(await get(["me"])),
    signIn: async () => parseSignedIn(await ask(endpoint, { method: "POST", path: ["session"] })),
    signOut: async () => {
      await ask(endpoint, { method: "DELETE", path: ["session"] });
    },
    ...past,
    ...fileMethods(endpoint),
    editSession: async (session, edit) => {
      await ask(endpoint, { method: "PATCH", path: ["sessions", session], body: edit });
    },
    close: () => endpoint.socket?.close(),
    rateRun: async (run, rating, comment) => {
      await ask(endpoint, { method: "PUT", path: ["runs", run, "feedback"], body: { rating, comment } });
    },
  };
}

/** Builds the methods that export and import files. */
function fileMethods(endpoint: Endpoint): Pick<Client, "exportRun" | "importRun" | "exportSession"> {
  const read = async (query: Query) => (await send(endpoint, query)).text();
  return {
    exportRun: (run) => read({ path: ["runs", run, "export"] }),
    importRun: async (text) => {
      const headers = { "Content-Type": "application/jsonl" };
      return parseStarted(await ask(endpoint, { method: "POST", path: ["runs", "import"], headers, text }));
    },
    exportSession: (session, format) => read({ path: ["sessions", session, "export"], search: { format } }),
  };
}

/** Builds the methods that read, replay and fork existing runs. */
function pastMethods(endpoint: Endpoint): Pick<Client, "events" | "runCrew" | "prompt" | "replay" | "fork"> {
  const json = { Accept: "application/json" };
  return {
    events: async (run, listed = {}) =>
      parseEvents(await ask(endpoint, { path: ["runs", run, "events"], search: { ...listed }, headers: json })),
    runCrew: async (run) => parseCrewDetail(await ask(endpoint, { path: ["runs", run, "crew"] })),
    prompt: async (run, step) => parsePrompt(await ask(endpoint, { path: ["runs", run, "steps", step, "prompt"] })),
    replay: async (run, crew) =>
      parseReplayed(await ask(endpoint, { method: "POST", path: ["runs", run, "replay"], body: { crew } })),
    fork: async (run, seq, how = {}) =>
      parseStarted(await ask(endpoint, { method: "POST", path: ["runs", run, "fork"], body: { seq, ...how } })),
  };
}

function toEndpoint(options: ClientOptions): Endpoint {
  const { url, key, pingMs = PING_MS, backoff = BACKOFF, fetch: given, transport } = options;
  // Only in a page can an address be relative.
  const base = "location" in globalThis ? globalThis.location.href : undefined;
  if (!URL.canParse(url, base))
    throw new ClientError("invalid", `"${url}" is not the address of a server; use one such as http://127.0.0.1:8080`);
  const plain = url.endsWith("/") ? url.slice(0, -1) : url;
  return {
    url: plain,
    key,
    ...(transport === "websocket"
      ? { socket: new SharedSocket({ url: new URL(`${plain}/api/ws`, base), key, pingMs }) }
      : {}),
    // The browser's `fetch` throws if it is called as a method of another object.
    fetch: given ?? ((input, init) => fetch(input, init)),
    backoff,
    silenceMs: pingMs * MISSED_PINGS,
  };
}

interface Start extends StartRunOptions {
  readonly crew: string;
  readonly input: string;
}

async function startRun(endpoint: Endpoint, start: Start): Promise<StartedRun> {
  const { crew, input, session, images, limits, options, model, tools } = start;
  const { idempotencyKey = crypto.randomUUID(), tries, abort } = start;
  const body = {
    crew,
    input,
    images: images?.map(({ data, altText }) => ({ data, alt_text: altText })),
    session_id: session,
    limits: limits === undefined ? undefined : toWireLimits(limits),
    options,
    model,
    tools: tools?.map(({ inputSchema, ...tool }) => ({ ...tool, input_schema: inputSchema })),
  };
  const { socket, backoff } = endpoint;
  const headers = { "Idempotency-Key": idempotencyKey };
  return tryAgain({ backoff, tries, abort }, async () => {
    if (socket === undefined)
      return parseStarted(await ask(endpoint, { method: "POST", path: ["runs"], headers, body, abort }));
    const op = { op: "start", ...body, follow: false, idempotency_key: idempotencyKey };
    const { run, ...started } = await socket.ask(op, abort);
    return parseStarted({ id: run, ...started });
  });
}

function toWireCommand(command: Command): object {
  if (command.type !== "configure") return command;
  const { maxTokens, ...rest } = command;
  return { ...rest, max_tokens: maxTokens };
}

function toWireLimits({ maxUsd, maxTokens, timeoutMs }: RunLimits): object {
  const seconds = timeoutMs === undefined ? undefined : timeoutMs / 1_000;
  return { max_usd: maxUsd, max_tokens: maxTokens, max_seconds: seconds };
}
