/**
 * The tools that keep a turn, learn from it and sum the session up.
 */
import { defineLearnTools } from "@baton/assistant";

export default defineLearnTools();
