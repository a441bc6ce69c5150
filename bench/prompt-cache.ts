/**
 * Prompt cache: the tokens that ten questions of one session cost with `prompt_cache: auto` and with `off`.
 *
 * A mock of Anthropic's API keeps what requests mark, and counts by the bytes that arrive: what it has kept, what it
 * keeps anew, and the rest. Run it with `node bench/prompt-cache.ts`, or `--json` for a program.
 */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { defineCrew, defineTool, type Json, openBaton } from "@baton/baton";
import { parseJson } from "@baton/core/util";
import { z } from "zod";

const QUESTIONS = 10;
const CHARS_PER_TOKEN = 4;
/** Shares of the price of input that a token costs if it is read from the cache, and if it is written into it. */
const READ_PRICE = 0.1;
const WRITE_PRICE = 1.25;

/** Tokens of all requests. */
interface Sent {
  requests: number;
  tokens: number;
  cached: number;
  written: number;
}

type Block = { readonly [key: string]: Json };

const isBlock = (value: Json | undefined): value is Block =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toBlocks = (value: Json | undefined): readonly Block[] =>
  Array.isArray(value) ? value.filter((item: Json) => isBlock(item)) : [];

/** The blocks of a request in the order in which they are cached, each without its mark. */
function* blocksOf({
  tools,
  system,
  messages,
}: Block): Iterable<{ readonly text: string; readonly isMarked: boolean }> {
  const said = toBlocks(messages).flatMap(({ content }) => toBlocks(content));
  for (const { cache_control: mark, ...block } of [...toBlocks(tools), ...toBlocks(system), ...said]) {
    yield { text: JSON.stringify(block), isMarked: mark !== undefined };
  }
}

/** The provider's cache: prefixes by their hash. */
class ProviderCache {
  readonly sent: Sent = { requests: 0, tokens: 0, cached: 0, written: 0 };
  readonly #kept = new Set<string>();

  /** Counts a request; returns its usage as the provider tells it. */
  take(body: Block): Record<string, number> {
    const hash = createHash("sha256");
    let chars = 0;
    let cached = 0;
    let marked = 0;
    const marks: string[] = [];
    for (const { text, isMarked } of blocksOf(body)) {
      hash.update(text);
      chars += text.length;
      const prefix = hash.copy().digest("base64");
      if (this.#kept.has(prefix)) cached = chars;
      if (!isMarked) continue;
      marked = chars;
      marks.push(prefix);
    }
    for (const mark of marks) this.#kept.add(mark);
    const [tokens, read, written] = [chars, cached, Math.max(0, marked - cached)].map((count) =>
      Math.ceil(count / CHARS_PER_TOKEN),
    );
    this.sent.requests += 1;
    this.sent.tokens += tokens ?? 0;
    this.sent.cached += read ?? 0;
    this.sent.written += written ?? 0;
    const input = (tokens ?? 0) - (read ?? 0) - (written ?? 0);
    return { input_tokens: input, cache_read_input_tokens: read ?? 0, cache_creation_input_tokens: written ?? 0 };
  }
}

/** The mock: every question is answered after one call of a tool. */
function serveProvider(cache: ProviderCache): Promise<Server> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    request.on("end", () => {
      const read = parseJson(text);
      const body = isBlock(read) ? read : {};
      const usage = { ...cache.take(body), output_tokens: 60 };
      const isCall = !JSON.stringify(toBlocks(body["messages"]).at(-1)).includes("tool_result");
      const block = isCall ? { type: "tool_use", id: "t", name: "FindTea", input: {} } : { type: "text", text: "" };
      const delta = isCall
        ? { type: "input_json_delta", partial_json: '{"name":"oolong"}' }
        : { type: "text_delta", text: "Oolong is a partly oxidised tea from China and Taiwan. ".repeat(4) };
      const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], usage };
      const events = [
        { type: "message_start", message },
        { type: "content_block_start", index: 0, content_block: block },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: isCall ? "tool_use" : "end_turn" }, usage },
        { type: "message_stop" },
      ];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

const findTea = defineTool({
  name: "FindTea",
  description: "Finds a tea by its name, with where it grows, how it is made and what it tastes like. ".repeat(4),
  effect: "read",
  input: z.object({ name: z.string() }),
  run: ({ name }) => `${name}: ${"grows on hills, is withered, rolled and roasted. ".repeat(8)}`,
});

/** Asks ten questions of one session; returns what the provider counted. */
async function ask(promptCache: "auto" | "off"): Promise<Sent> {
  const cache = new ProviderCache();
  const server = await serveProvider(cache);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const agent = {
    id: "expert",
    systemPrompt: "You answer questions about tea, briefly, and only from what the tools say. ".repeat(60),
    context: "The time is {{state.options.time}}.",
    tools: ["FindTea"],
    isTerminal: true,
  };
  const crew = defineCrew({ name: "tea", agents: [agent], tools: [findTea], settings: { promptCache } });
  const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  try {
    await using baton = await openBaton({ store: "memory", model: "anthropic/claude-sonnet-4-5", env });
    for (let count = 1; count <= QUESTIONS; count++) {
      const options = { session: "s", options: { time: `12:${count + 10}` } };
      await baton.start(crew, `Question ${count}: what is oolong?`, options).result;
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return cache.sent;
}

/** Tokens at the price of plain input. */
const toPaid = ({ tokens, cached, written }: Sent): number =>
  Math.round(tokens - cached - written + cached * READ_PRICE + written * WRITE_PRICE);

const [off, auto] = [await ask("off"), await ask("auto")];
const ratio = toPaid(auto) / toPaid(off);
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ off, auto, paid: { off: toPaid(off), auto: toPaid(auto) }, ratio }));
} else {
  console.table({ off: { ...off, paid: toPaid(off) }, auto: { ...auto, paid: toPaid(auto) } });
  console.log(`with the cache ten questions cost ${ratio.toFixed(2)} of what they cost without it`);
}
