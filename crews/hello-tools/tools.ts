/**
 * The librarian's tools: five small looks at the conversation and the clock.
 *
 * All of them only read. What was said comes from `context.messages`, so there is nothing to set up.
 */
import { defineTool } from "@baton/core";
import { z } from "zod";
import { countBy, countByRole, FILTERS, search, summarise } from "./conversation.ts";

const getMessageCount = defineTool({
  name: "GetMessageCount",
  description: "How many messages this conversation has, in all and by role.",
  effect: "read",
  input: z.object({}),
  run: (_input, { messages }) => countByRole(messages),
});

const getConversationSummary = defineTool({
  name: "GetConversationSummary",
  description: "Who took part in this conversation, how it began, the last questions, and the tools used.",
  effect: "read",
  input: z.object({}),
  run: (_input, { messages }) => summarise(messages),
});

const searchMessages = defineTool({
  name: "SearchMessages",
  description: "Messages that contain a text, newest first, whatever its case.",
  effect: "read",
  input: z.object({
    query: z.string().trim().min(1).max(200).describe("The text to look for"),
    limit: z.int().min(1).max(50).default(10).describe("How many messages to return at most"),
  }),
  run: ({ query, limit }, { messages }) => {
    const hits = search(messages, query, limit);
    return { query, found: hits.length, hits };
  },
});

const countMessagesBy = defineTool({
  name: "CountMessagesBy",
  description: "How many messages are of one role, come from one agent, or contain a text.",
  effect: "read",
  input: z.object({
    filter_by: z.enum(FILTERS).describe("What to look at"),
    filter_value: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe("A role (user, assistant, tool), an agent's id, or a text"),
  }),
  run: ({ filter_by, filter_value }, { messages }) => ({
    filter_by,
    filter_value,
    count: countBy(messages, filter_by, filter_value),
  }),
});

const getCurrentTime = defineTool({
  name: "GetCurrentTime",
  description: "The date and time now, in UTC and in the time zone of this machine.",
  effect: "read",
  input: z.object({}),
  run: () => {
    const now = new Date();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      utc: now.toISOString(),
      local: now.toLocaleString("en-GB", { dateStyle: "full", timeStyle: "medium" }),
      time_zone: timeZone,
    };
  },
});

export default [getMessageCount, getConversationSummary, searchMessages, countMessagesBy, getCurrentTime];
