/**
 * Material: a model that is shown one value of the run's state instead of the conversation, and whose reply becomes
 * another. So what it works on is all that can reach it.
 */
import type { Chunk, Json, Model } from "@baton/core";

/** Which state is shown, and which one holds the reply. */
export interface MaterialOptions {
  readonly show: string;
  readonly keep: string;
}

/** The model with that material. */
export function withMaterial(model: Model, { show, keep }: MaterialOptions): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      let text = "";
      const messages = [{ role: "user", content: toText(prompt.values.get(show)) }] as const;
      for await (const chunks of model.stream({ ...prompt, messages }, scope)) {
        for (const chunk of chunks) {
          if (chunk.type === "restart") text = "";
          if (chunk.type === "text") text += chunk.text;
        }
        yield chunks.map((chunk) => (chunk.type === "end" ? toEnd(chunk, keep, text) : chunk));
      }
    },
  };
}

function toEnd(end: Extract<Chunk, { type: "end" }>, key: string, text: string): Chunk {
  const reply: Json = end.output ?? text;
  return { ...end, set: { ...end.set, [key]: reply } };
}

/** A value as text. */
export const toText = (value: Json | undefined): string => {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
};
