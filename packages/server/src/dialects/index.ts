/**
 * Dialects by their names.
 *
 * Reads: every dialect. Read by: streams.
 */
import { agui } from "./agui.ts";
import { baton } from "./baton.ts";
import { crew } from "./crew.ts";
import type { Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";
import { responses } from "./responses.ts";
import { ui } from "./ui.ts";

/** Every wire format by its name. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [baton, crew, openai, responses, ui, agui].map((dialect: Dialect) => [dialect.name, dialect]),
);
