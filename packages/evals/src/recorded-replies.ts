/**
 * Recorded replies: each trial's replies in a file of its own. A question that is unchanged is answered from there.
 */
import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BatonError, type Model } from "@baton/core";
import { recordModel, replayModel } from "@baton/models";

/** The name of the model that answered, if the reply was recorded: it cost nothing now. */
export const RECORDED = "recorded";

/** `fresh` asks again, `recorded` never asks. */
export type ReplyMode = "kept" | "fresh" | "recorded";

/** Opens the replies of a folder: the n-th trial has the n-th recording. */
export async function openReplies(folder: string, mode: ReplyMode): Promise<(model: Model, trial: number) => Model> {
  await mkdir(folder, { recursive: true });
  const played = new Map<number, Promise<Model | undefined>>();
  const open = async (trial: number): Promise<Model | undefined> => {
    const path = pathOf(folder, trial);
    if (mode === "fresh") await rm(path, { force: true });
    return existsSync(path) ? replayModel(path) : undefined;
  };
  return (model, trial) => {
    const kept = played.get(trial) ?? open(trial);
    played.set(trial, kept);
    const live = mode === "recorded" ? undefined : recordModel(model, pathOf(folder, trial));
    return withReplies(model, { kept, live });
  };
}

const pathOf = (folder: string, trial: number): string => join(folder, `replies-${trial}.jsonl`);

type Replies = Readonly<{ kept: Promise<Model | undefined>; live: Model | undefined }>;

function withReplies(model: Model, { kept, live }: Replies): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      const replies = await kept;
      if (replies !== undefined) {
        try {
          for await (const chunks of replies.stream(prompt, scope))
            yield chunks.map((chunk) => (chunk.type === "end" ? { ...chunk, model: RECORDED } : chunk));
          return;
        } catch (error) {
          if (!(error instanceof BatonError) || !error.message.includes("has no recorded reply")) throw error;
        }
      }
      if (live === undefined)
        throw new BatonError(
          "model",
          `there is no recorded reply for agent "${prompt.agent}"; --recorded never asks a model`,
        );
      yield* live.stream(prompt, scope);
    },
  };
}
