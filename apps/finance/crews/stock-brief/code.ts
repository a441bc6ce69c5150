/**
 * The crew's writer: a program, so that no figure can be other than a tool's.
 */
import { factsOfState } from "@baton/assistant";
import { defineProgram } from "@baton/core";
import { toBrief } from "./brief.ts";

export default {
  brief: defineProgram(({ values }) => ({ say: toBrief(factsOfState({ entries: () => values })) })),
};
