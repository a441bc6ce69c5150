/**
 * Conversation: what users and the assistant said, without what agents of the crew said to each other.
 */
import type { Message, Prompt } from "@baton/core";
import { lookInto } from "@baton/core/util";
import { runState } from "../crew/run-state.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { symbolsOf } from "../intent/intent-program.ts";
import { toSpoken } from "../intent/past-messages.ts";
import type { Situation } from "../intent/situation.ts";

/** What the rules stand on. */
export interface OfflineOptions {
  readonly openDirectory: () => Promise<IndexedDirectory>;
  /** The day that the data calls today. */
  readonly today: (of?: "records") => Promise<string>;
  /** Names of all tools, for questions whose tools are found by a search. */
  readonly toolNames?: readonly string[];
}

/** What other agents said is shown as `[agent] …`. */
const FROM_AGENT = /^\[[a-z_]+\] /;

/** Whether a message is a user's own. */
export const isQuestion = ({ role, content }: Message): boolean => role === "user" && !FROM_AGENT.test(content);

/** What the question of a prompt is asked in. */
export async function toSituation(prompt: Prompt, options: OfflineOptions): Promise<Situation> {
  const { messages, values } = prompt;
  const spoken = toSpoken(messages);
  const last = spoken.findLastIndex(({ role }) => role === "user");
  return {
    directory: await options.openDirectory(),
    today: await options.today(),
    recordsToday: await options.today("records"),
    history: spoken.slice(0, Math.max(0, last)),
    options: runState.get({ values }, "options"),
    recent: symbolsOf(runState.get({ values }, "working")),
    ...toolsOf(prompt, options),
  };
}

/** Tools that are found by a search are there, though they are not offered yet. */
function toolsOf(prompt: Prompt, { toolNames }: OfflineOptions): Pick<Situation, "tools"> {
  const offered = prompt.tools.map(({ name }) => name);
  if (offered.length > 0 && !isSearching(prompt)) return { tools: new Set(offered) };
  return toolNames === undefined ? {} : { tools: new Set(toolNames) };
}

/** Whether tools are offered only after a search for them. */
export const isSearching = ({ values }: Prompt): boolean =>
  lookInto(runState.get({ values }, "options"), "tool_search_mode") === true;
