/**
 * With charts: a model whose answer brings the charts of its run, each as a note `chart`.
 *
 * They are drawn when the answer is whole, from the calls that the run has made; a chart that cannot be drawn is left
 * out.
 */
import type { Chunk, Json, Model, Prompt } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { z } from "zod";
import type { Chart } from "./chart.ts";
import type { ChartCall } from "./chart-input.ts";

/** Settings for finding charts. */
export interface ChartOptions {
  /** The calls of the run with data, in their order. */
  readonly callsOf: (prompt: Prompt, scope: Scope) => Promise<readonly ChartCall[]>;
  readonly resolve: (calls: readonly ChartCall[], prompt: Prompt, scope: Scope) => Promise<readonly Chart[]>;
}

/** The model, with charts after its answer. */
export function withCharts(model: Model, { callsOf, resolve }: ChartOptions): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      for await (const chunks of model.stream(prompt, scope)) {
        const end = chunks.find((chunk) => chunk.type === "end");
        // A reply that calls tools is no answer yet.
        if (end === undefined || end.finish === "calls") {
          yield chunks;
          continue;
        }
        const before = chunks.filter((chunk) => chunk !== end);
        if (before.length > 0) yield before;
        // Readers have the text before the charts are drawn.
        await letOthersIn(scope);
        const calls = await callsOf(prompt, scope);
        const charts = calls.length === 0 ? [] : await resolve(calls, prompt, scope);
        yield [...charts.map(toNote), end];
      }
    },
  };
}

function letOthersIn({ clock }: Scope): Promise<void> {
  return new Promise((resolve) => {
    clock.soon(resolve);
  });
}

function toNote(chart: Chart): Chunk {
  const data: Json = z.json().parse(chart);
  return { type: "note", kind: "chart", data };
}
