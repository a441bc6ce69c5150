/**
 * Conversation: what users and the assistant said, without what agents of the crew told each other.
 */
import { lookInto, type Message, type Prompt } from "@baton/core";
import type { IndexedDirectory } from "../data/directory/directory.ts";
import { toSpoken } from "../intent/past-messages.ts";
import type { Situation } from "../intent/situation.ts";

/** What the rules stand on. */
export interface OfflineOptions {
  readonly openDirectory: () => Promise<IndexedDirectory>;
  /** The day that the data calls today. */
  readonly today: () => Promise<string>;
}

/** What other agents said is shown as `[agent] …`. */
const FROM_AGENT = /^\[[a-z_]+\] /;

/** Whether a message is a user's own. */
export const isQuestion = ({ role, content }: Message): boolean => role === "user" && !FROM_AGENT.test(content);

/** What the question of a prompt is asked in. */
export async function toSituation(prompt: Prompt, options: OfflineOptions): Promise<Situation> {
  const { messages, values, tools } = prompt;
  const spoken = toSpoken(messages);
  const last = spoken.findLastIndex(({ role }) => role === "user");
  return {
    directory: await options.openDirectory(),
    today: await options.today(),
    history: spoken.slice(0, Math.max(0, last)),
    options: values.get("options") ?? {},
    // Tools that are found by a search are there, though they are not offered yet.
    ...(tools.length === 0 || isSearching(prompt) ? {} : { tools: new Set(tools.map(({ name }) => name)) }),
  };
}

/** Whether tools are offered only after a search for them. */
export const isSearching = ({ values }: Prompt): boolean =>
  lookInto(values.get("options") ?? {}, "tool_search_mode") === true;
