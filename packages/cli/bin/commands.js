/**
 * Commands: what each takes and what it is for, as data.
 *
 * The one place where a command or a flag is written down: arguments are read by it and the help text is made of
 * it. A flag with a `value` takes one. Reads nothing. Read by: baton, help, arguments.
 */
const help = { short: "h", text: "show this text" };
const model = { value: "NAME", text: "use this model for every agent, e.g. openai/gpt-5-mini, offline" };
const script = { value: "FILE", text: "answer from a script instead of a model" };

/** Every command, in the order of the help text. */
export const COMMANDS = [
  {
    name: "init",
    usage: "[DIR]",
    text: "write a small crew to start from",
    more: "Writes a crew with a tool, a script and a test into DIR (default: my-crew), and overwrites nothing.",
    flags: { help },
    maxPositionals: 1,
    examples: ["baton init my-crew"],
    load: () => import("../src/commands/init.ts"),
  },
  {
    name: "check",
    usage: "[CREW…]",
    text: "find what is wrong with a crew before it runs",
    more: "CREW is a folder with a crew.yaml, a YAML file, or a folder of crews (default: this folder).\nExit code: 0, or 2 where there are errors.",
    flags: { json: { text: "print the findings as one JSON document" }, help },
    examples: ["baton check crews/it-support", "baton check crews"],
    load: () => import("../src/commands/check.ts"),
  },
  {
    name: "graph",
    usage: "[CREW]",
    text: "draw a crew: agents, signals, groups, pauses, ends",
    more: "Prints Mermaid, or writes a drawing with --svg.",
    flags: { svg: { value: "FILE", text: "write an SVG drawing instead" }, help },
    maxPositionals: 1,
    examples: ["baton graph crews/quiz-exam", "baton graph crews/quiz-exam --svg quiz.svg"],
    load: () => import("../src/commands/graph.ts"),
  },
  {
    name: "run",
    usage: '[CREW] "INPUT"',
    text: "run a crew on one input and watch it work",
    more: "Write - for INPUT to read it from standard input. Without CREW, the crew in this folder runs.\nA pause is asked about on the terminal; with no terminal, or with --json, the run stops there.\nExit code: 0 done, 1 failed, 2 wrong usage or invalid crew, 3 paused, 4 limit reached, 130 interrupted.",
    flags: {
      script,
      model,
      task: { value: "NAME", text: "start with this task of the crew" },
      json: { text: "print one event of the log a line, and nothing else" },
      help,
    },
    examples: [
      'baton run crews/hello "Hi there"',
      'baton run crews/it-support "My computer is slow" --script replies.yaml',
      "cat report.txt | baton run crews/research - --json",
    ],
    load: () => import("../src/commands/run.ts"),
  },
  {
    name: "chat",
    usage: "[CREW]",
    text: "talk with a crew",
    more: "What was said is kept from one input to the next. Ctrl-C stops a reply, Ctrl-D or /quit ends.",
    flags: { script, model, help },
    maxPositionals: 1,
    examples: ["baton chat crews/hello"],
    load: () => import("../src/commands/chat.ts"),
  },
  {
    name: "tools",
    usage: "[CREW]",
    text: "list a crew's tools, what they do and who may use them",
    flags: { json: { text: "print them as one JSON document" }, help },
    maxPositionals: 1,
    examples: ["baton tools crews/it-support"],
    load: () => import("../src/commands/tools.ts"),
  },
];
