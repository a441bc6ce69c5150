/**
 * Eval commands: `baton eval` and `baton policy` in the table of commands.
 */

/** @import { CommandEntry, Flag } from "./commands.js" */

/** @typedef {Readonly<Record<"script" | "model" | "cassette" | "data" | "help", Flag>>} SharedFlags */

/**
 * @param {SharedFlags} shared
 * @returns {readonly CommandEntry[]}
 */
export const evalCommands = (shared) => [...caseCommands(shared), ...faultCommands(shared), ...searchCommands(shared)];

/**
 * @param {SharedFlags} shared
 * @returns {readonly CommandEntry[]}
 */
const caseCommands = ({ script, model, data, help }) => [
  {
    name: "eval",
    usage: "[CREW] [FILE…] | import FILE --out FILE",
    text: "play a crew's cases and check what it did",
    more: "Plays the cases of CREW/evals (or of FILE) and checks each log. Tools that are not `read` are played by the doubles of\na case. Models are asked only what was not asked before; replies are kept in the data folder. Before a paid run it says\nwhat it may cost and asks; without a terminal it needs --max-usd. `import` converts data of OpenAI's evals or Braintrust.\nExit code: 0 all gates hold, 1 one does not, 2 wrong usage or cases.",
    flags: {
      repeat: { value: "K", text: "play each case K times and print pass^k (default: 1)" },
      against: { value: "DIR", text: "play the cases with this crew too, and compare case by case" },
      "min-pass": { value: "SHARE", text: "the share of trials that must pass (default: 1)" },
      "min-pass-k": { value: "SHARE", text: "the least pass^K" },
      "max-cost-usd": { value: "N", text: "fail if the trials cost more than this" },
      "no-worse": { text: "with --against: fail if it is worse on more cases than better" },
      "max-usd": { value: "N", text: "the most money that all trials together may spend" },
      fresh: { text: "ask models again instead of using recorded replies" },
      recorded: { text: "never ask a model: use recorded replies only" },
      runs: { value: "RUN", isList: true, text: "score stored runs with --checks instead of playing cases" },
      checks: { value: "FILE", text: "with --runs: a YAML file with `checks:`" },
      judge: { value: "MODEL", text: "the model that judges criteria, or script:FILE" },
      parallel: { value: "N", text: "trials at once (default: 4)" },
      tag: { value: "TAG", isList: true, text: "only cases with this tag" },
      only: { value: "ID", isList: true, text: "only this case" },
      "live-tools": { text: "let tools run that have no double, also those that change something" },
      "no-store": { text: "store neither the runs nor the result" },
      jsonl: { value: "FILE", text: "write a line of JSON for each trial" },
      junit: { value: "FILE", text: "write the results as JUnit XML" },
      out: { value: "FILE", text: "with import: the file to write" },
      script,
      model,
      json: { text: "print the result as one JSON document" },
      data,
      help,
    },
    examples: [
      "baton eval crews/hello",
      "baton eval crews/hello --repeat 4",
      "baton eval crews/new --against crews/old",
    ],
    load: () => import("../src/evals/eval.ts"),
  },
  {
    name: "policy",
    usage: "try [CREW] [RUN…]",
    text: "try rules on recorded runs",
    more: "Decides about every call of stored runs by the rules of CREW, with the log before the call as it was, and lists the calls\nwhose verdict changes. Nothing is called and nothing is paid. Without RUN, all runs of the crew in the data folder.\nExit code: 0, 2 wrong rules or labels.",
    flags: {
      rules: { value: "FILE", text: "try the rules of this file instead of the crew's" },
      events: { value: "FILE", text: "read events from a file, as `baton runs show --json` prints them" },
      labels: { value: "FILE", text: "count verdicts by label: lines of {run, call, label}" },
      json: { text: "print the result as one JSON document" },
      data,
      help,
    },
    examples: ["baton policy try crews/customer-service", "baton policy try crews/customer-service --rules new.yaml"],
    load: () => import("../src/evals/policy.ts"),
  },
];

/**
 * @param {SharedFlags} shared
 * @returns {readonly CommandEntry[]}
 */
const faultCommands = ({ script, model, cassette, data, help }) => [
  {
    name: "simulate",
    usage: "[CREW]",
    text: "let personas talk with a crew and find what goes wrong",
    more: "Plays conversations of the personas in CREW/simulate, with seeds that follow each other, and looks for loops, dead ends,\nlimits, failures, turns without an answer and refused calls. Tools that are not `read` are played by doubles.\nExit code: 0 no finding, 1 findings, 2 wrong persona.",
    flags: {
      count: { value: "N", short: "n", text: "conversations (default: 20)" },
      seed: { value: "S", text: "the seed of the first conversation (default: 1)" },
      persona: { value: "NAME", text: "only this persona" },
      "max-usd": { value: "N", text: "the most money that all conversations together may spend" },
      "live-tools": { text: "let tools run that have no double, also those that change something" },
      "no-store": { text: "do not store the runs" },
      script,
      model,
      json: { text: "print the result as one JSON document" },
      data,
      help,
    },
    maxPositionals: 1,
    examples: ["baton simulate crews/quiz-exam", "baton simulate crews/quiz-exam --seed 7 -n 1"],
    load: () => import("../src/evals/simulate.ts"),
  },
  {
    name: "chaos",
    usage: "[CREW] [INPUT]",
    text: "break a conversation in every way and see what is left of it",
    more: "Plays a conversation as it should be, then once more for each fault: a process killed after every event, failures of\nproviders and tools, repeated commands, a deployment at every pause. After the first time no real model or tool is\ncalled. Exit code: 0 no defect, 1 work was lost or repeated, or it got stuck, 2 wrong usage.",
    flags: {
      case: { value: "ID", text: "play this case of CREW/evals" },
      run: { value: "RUN", text: "play a stored run: its replies and results" },
      only: { value: "KIND", isList: true, text: "only these faults: kill, provider, tool, command, deploy" },
      "max-usd": { value: "N", text: "the most money that the first play may spend" },
      script,
      model,
      cassette,
      json: { text: "print the result as one JSON document" },
      data,
      help,
    },
    examples: [
      "baton chaos crews/hello 'Hello'",
      "baton chaos crews/customer-service --case broken-teapot --only kill",
    ],
    load: () => import("../src/evals/chaos.ts"),
  },
];

/**
 * @param {SharedFlags} shared
 * @returns {readonly CommandEntry[]}
 */
const searchCommands = ({ data, help }) => [
  {
    name: "shrink",
    usage: "RUN [CREW]",
    text: "make a failed run small and write it as a case",
    more: "Leaves out turns, replies, calls and doubles and halves texts, as long as the run fails in the same way. Models and tools\nare not called. Writes case.yaml and script.yaml. Exit code: 0, 2 if the run does not fail.",
    flags: {
      checks: {
        value: "FILE",
        text: "a YAML file with `checks:` of which some fail (default: the same outcome and error)",
      },
      out: { value: "DIR", text: "the folder to write (default: shrunk-RUN)" },
      data,
      help,
    },
    maxPositionals: 2,
    examples: ["baton shrink 1a2b3c4d", "baton shrink 1a2b3c4d crews/shop --checks checks.yaml --out small"],
    load: () => import("../src/evals/shrink.ts"),
  },
  {
    name: "bisect",
    usage: "RUN… [CREW]",
    text: "find the commit since which stored runs are decided otherwise",
    more: "Replays the runs with the crew of commits that touch its folder, by halving, and prints the first that differs, with\nthe first difference. Models and tools are not called. A commit that cannot be read is passed over.\nExit code: 0, 2 if the good commit differs or the bad one does not.",
    flags: {
      good: { value: "REV", text: "a commit with which nothing differs" },
      bad: { value: "REV", text: "a commit with which something differs (default: HEAD)" },
      data,
      help,
    },
    examples: ["baton bisect 1a2b3c4d --good v1.2", "baton bisect 1a2b3c4d 5e6f7a8b --good HEAD~20 crews/shop"],
    load: () => import("../src/evals/bisect.ts"),
  },
];
