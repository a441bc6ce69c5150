/**
 * The crew's model: leaves a mark for each call and each piece of text.
 */
import type { Agent, Model } from "@baton/core";
import { mark } from "../marks.ts";

export default {};

export const wrapModel = (model: Model, _agent: Agent): Model => ({
  ...model,
  async *stream(prompt, scope) {
    const { run, agent, results } = prompt;
    mark({ kind: "model", run, of: `${agent} ${results[0]?.call ?? ""}` });
    for await (const chunks of model.stream(prompt, scope)) {
      mark({ kind: "chunk", run, of: agent });
      yield chunks;
    }
  },
});
