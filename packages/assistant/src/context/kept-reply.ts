/**
 * Kept reply: a model whose structured reply becomes a value of the run's state, where programs and prompts find it.
 */
import type { Chunk, Json, Model } from "@baton/core";
import { parseJson } from "@baton/core/util";

/** The model, whose reply is kept under a key as the JSON that it is; a reply without JSON is not kept. */
export function withKeptReply(model: Model, key: string): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      let text = "";
      for await (const chunks of model.stream(prompt, scope)) {
        for (const chunk of chunks) {
          if (chunk.type === "restart") text = "";
          if (chunk.type === "text") text += chunk.text;
        }
        yield chunks.map((chunk) => (chunk.type === "end" ? keep(chunk, key, text) : chunk));
      }
    },
  };
}

function keep(end: Extract<Chunk, { type: "end" }>, key: string, text: string): Chunk {
  const value = end.output ?? readReply(text);
  return value === undefined ? end : { ...end, set: { [key]: value, ...end.set } };
}

/** The JSON of a reply, also inside a code fence or prose. */
export function readReply(text: string): Json | undefined {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  return start === -1 || end < start ? undefined : parseJson(text.slice(start, end + 1));
}
