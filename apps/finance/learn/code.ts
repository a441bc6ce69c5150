/**
 * The programs of the crew that runs after the assistant, and what its language models are shown: only the text they are
 * for, never the answer or what tools gave.
 */
import { type Agent, defineProgram, type Model } from "@baton/core";
import { keeperProgram } from "./keeper.ts";
import { filerProgram, offlineReply, recorderProgram } from "./scribes.ts";
import { withMaterial } from "./material.ts";

export default {
  keeper: keeperProgram(),
  recorder: recorderProgram(),
  filer: filerProgram(),
  offline: defineProgram(offlineReply),
};

/** Learner and summariser see one text each, and their replies are kept as state. */
export function wrapModel(model: Model, { id }: Agent): Model {
  if (id === "learner") return withMaterial(model, { show: "to_read", keep: "learner_reply" });
  return id === "summariser" ? withMaterial(model, { show: "to_sum_up", keep: "summariser_reply" }) : model;
}
