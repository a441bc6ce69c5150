/**
 * Dialects by their names.
 */
import { agui } from "./agui.ts";
import { baton } from "./baton.ts";
import { crew } from "./crew.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { openai } from "./openai.ts";
import { responses } from "./responses.ts";
import { ui } from "./ui.ts";

/** Every wire format by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { baton, crew, openai, responses, ui, agui };
