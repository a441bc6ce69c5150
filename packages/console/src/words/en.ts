/**
 * English: every word of the console. Sentences, no exclamation marks; buttons say what they do.
 */
import { RUN_EN } from "./run-en.ts";

export const EN = {
  runPage: RUN_EN,
  language: "English",
  pages: { chat: "Chat", runs: "Runs", crews: "Crews", overview: "Overview" },
  nav: { label: "Pages", waiting: (count: number) => `${count} waiting for you`, settings: "Settings" },
  settings: {
    theme: "Theme",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    language: "Language",
    density: "Density",
    densities: { normal: "Normal", compact: "Compact" },
    pacing: "Show scripted runs at reading speed",
    shortcuts: "Single-key shortcuts",
    key: "API key",
    keyHint: "Kept in this tab only",
    useKey: "Use this key",
    forgetKey: "Forget the key",
  },
  first: {
    title: "Ask something, and watch a crew pass the baton.",
    text: "Every step is written to one log. Rewind it, look into any prompt, stop it with a receipt, or fork it from any moment.",
    examples: "Things to try",
  },
  conversations: {
    title: "Conversations",
    new: "New conversation",
    none: "None yet. Each one is kept, and can be replayed event by event.",
    search: "Search conversations",
    today: "Today",
    yesterday: "Yesterday",
    earlier: "Earlier",
    untitled: "Untitled",
    delete: "Delete conversation",
  },
  composer: {
    label: "Message",
    ask: (crew: string) => `Ask ${crew}…`,
    say: "Say something while it works…",
    answer: (agent: string) => `Answer ${agent}…`,
    send: "Send",
    stop: "Stop",
    attach: "Add images",
    remove: "Remove image",
    crew: "Crew",
    left: (count: number) => `${count} characters left`,
    tooLong: (limit: number) => `A message may have ${limit} characters`,
    badImage: "Images are png, jpeg or webp, up to 4, each at most 5 MB",
    wait: (seconds: number) => `Try again in ${seconds} s`,
  },
  run: {
    thought: (seconds: string) => `Thought for ${seconds}`,
    thinking: "Thinking",
    tools: (count: number) => (count === 1 ? "1 tool" : `${count} tools`),
    turns: (count: number) => (count === 1 ? "1 turn" : `${count} turns`),
    agents: (count: number) => (count === 1 ? "1 agent" : `${count} agents`),
    handoffs: (count: number) => (count === 1 ? "1 handoff" : `${count} handoffs`),
    tokens: (count: string) => `${count} tokens`,
    replay: "Replay",
    open: "Open run",
    latest: "Latest",
    shownSlowly: (took: string) => `Finished in ${took}, shown at reading speed`,
    skip: "Skip",
    sources: "Sources",
    noSource: "no source",
    simulated: "Simulated",
    showWork: "Show work",
    by: { signal: "by signal", default: "by default", failure: "after a failure", group: "after the group" },
    atOnce: (count: number) => `${count} at once`,
    writing: (agent: string) => `${agent} is writing`,
    waiting: "Waiting for you",
  },
  status: {
    queued: "Queued",
    running: "Working",
    paused: "Waiting",
    done: "Done",
    limit: "Limit",
    cancelled: "Stopped",
    failed: "Failed",
  },
  question: {
    wants: (agent: string, tool: string) => `${agent} wants to use ${tool}`,
    allow: "Allow",
    deny: "Deny",
    effects: {
      read: "Only reads",
      idempotent: "Changes something; doing it twice does no harm",
      irreversible: "Cannot be undone",
    },
    operator: "An operator must answer this; your key may not",
    answered: "Answered",
  },
  receipt: {
    title: "Stopped",
    stopped: "Stopped",
    finished: "Finished before it was stopped",
    abandoned: "Abandoned: it did not stop in time",
    none: "Nothing was running",
  },
  states: {
    offline: (seconds: number) => `Connection lost, next try in ${seconds} s. Your run goes on.`,
    stopping: "The server restarts. Runs go on where they were.",
    tryNow: "Try now",
    notFound: "There is no such page.",
    noRun: (id: string) => `There is no run ${id}, or it is not yours.`,
    toRuns: "All runs",
    broken: "This part could not be drawn.",
    copyReport: "Copy report",
    keyNeeded: "This server needs an API key",
    keyWrong: "The server does not accept this key",
    scopeMissing: (scope: string) => `Your key lacks the scope ${scope}`,
    loading: "Loading",
    failed: "It failed",
    retry: "Try again",
  },
  copy: { link: "Copy link to this moment", copied: "Copied", json: "Copy as JSON" },
  disclaimer: "Not investment advice.",
} as const;

type Texts<T> = {
  readonly [Key in keyof T]: T[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : T[Key] extends string
      ? string
      : Texts<T[Key]>;
};

/** Every text of the console. */
export type Words = Texts<typeof EN>;

/** The texts of the run page and the crew page. */
export type RunWords = Texts<typeof RUN_EN>;
