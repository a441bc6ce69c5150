/**
 * Chat request: what a client of the chat sends, and what of it reaches the crew as the run's options.
 */
import type { Json } from "@baton/core";
import { CAPTION, ID, IMAGES, OPTIONS, QUERY } from "@baton/server/mount";
import { z } from "zod";

const Flag = z.boolean();
const Name = z.string().trim().min(1).max(128);

/** Any object of at most 16 KB: what a page says about itself. */
const ANY_CONTEXT: z.ZodType<Json> = z.record(z.string(), z.json());

/** The body of a chat request. Unknown fields are ignored. */
export const chatBodySchema = (uiContext: z.ZodType<Json> = ANY_CONTEXT) =>
  z
    .object({
      question_input: z.string().default("").describe("The question, 1 to 10,000 characters; may be empty with images"),
      session_id: ID.optional(),
      crew: ID.optional().describe("Which assistant, if several are served"),
      mode: z.enum(["auto", "normal", "deep_research"]).default("auto"),
      model_name: Name.optional(),
      provider_type: Name.optional(),
      ui_context: uiContext.optional(),
      images: IMAGES.optional(),
      enable_thinking: Flag.default(true),
      enable_tools: Flag.default(true),
      enable_web_search: Flag.default(false),
      enable_compaction: Flag.default(true),
      tool_search_mode: z.union([Flag, z.literal("auto")]).default("auto"),
    })
    .superRefine((body, context) => {
      const check = (name: "question_input" | "ui_context", rule: z.ZodType) => {
        const { error } = rule.safeParse(body[name]);
        for (const { message } of error?.issues ?? []) {
          context.addIssue({ code: "custom", path: [name], message, input: body[name] });
        }
      };
      check("question_input", (body.images ?? []).length === 0 ? QUERY : CAPTION);
      check("ui_context", OPTIONS.optional());
    });

export type ChatBody = z.output<ReturnType<typeof chatBodySchema>>;

/** The part of the request that the crew sees: the value `options` of the run's state. */
export function toOptions(request: ChatBody) {
  const { mode, ui_context, enable_thinking, enable_tools, enable_web_search, enable_compaction, tool_search_mode } =
    request;
  return {
    mode,
    enable_thinking,
    enable_tools,
    enable_web_search,
    enable_compaction,
    tool_search_mode,
    ...(ui_context === undefined ? {} : { ui_context }),
  };
}

/** `provider/name`, as the server's list of models has it. */
export function toModelName({ model_name, provider_type }: ChatBody): string | undefined {
  if (model_name === undefined) return undefined;
  return provider_type === undefined || model_name.includes("/") ? model_name : `${provider_type}/${model_name}`;
}
