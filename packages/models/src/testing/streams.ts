/**
 * Streams: the events of a short reply, as each provider sends them.
 */

/** An event of a stream; a text is sent as it is. */
export type StreamEvent = string | { readonly [key: string]: unknown };

const anthropic = [
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "c",
      content: [],
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Well." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];

const item = { id: "i", type: "message", status: "completed", role: "assistant", content: [] };
const responses = [
  { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
  { type: "response.output_item.added", output_index: 0, item },
  { type: "response.output_text.delta", item_id: "i", output_index: 0, content_index: 0, delta: "Well." },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.completed", response: { usage: { input_tokens: 5, output_tokens: 3 } } },
];

const toChunk = (delta: object, finish_reason: string | null) => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const chat = [toChunk({ role: "assistant", content: "Well." }, null), toChunk({}, "stop"), "[DONE]"];

const google = [
  { candidates: [{ content: { role: "model", parts: [{ text: "Well." }] } }] },
  { candidates: [{ finishReason: "STOP" }], usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 3 } },
];

const ollama = [
  { model: "q", message: { role: "assistant", content: "Well." }, done: false },
  { model: "q", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
];

/** The events of a reply that says "Well.", by the model that is asked. */
export const REPLIES: ReadonlyMap<string, readonly StreamEvent[]> = new Map<string, readonly StreamEvent[]>([
  ["openai/gpt-5-mini", responses],
  ["openai-chat/gpt-4o", chat],
  ["openai-compatible/m", chat],
  ["anthropic/claude-haiku-4-5", anthropic],
  ["google/gemini-2.5-flash", google],
  ["ollama/qwen3", ollama],
]);

/** Events as bytes of a stream. */
export function toStream(model: string, events: readonly StreamEvent[]): string {
  const isLines = model.startsWith("ollama/");
  return events
    .map((event) => {
      const data = typeof event === "string" ? event : JSON.stringify(event);
      const name = typeof event !== "string" && typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
      return isLines ? `${data}\n` : `${name}data: ${data}\n\n`;
    })
    .join("");
}
