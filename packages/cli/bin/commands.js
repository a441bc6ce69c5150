/**
 * Commands: what each takes and what it is for, as data.
 *
 * The one place where a command or a flag is written down: arguments are read by it and the help text is made of it.
 * A flag with a `value` takes one; `settings` are flags that are written down with the settings they set.
 */
const help = { short: "h", text: "show this text" };
const model = { value: "NAME", text: "use this model for every agent, e.g. openai/gpt-5-mini, offline" };
const script = { value: "FILE", text: "answer from a script instead of a model" };

const data = { value: "DIR", text: "the folder that runs are kept in (default: .baton, or BATON_DATA)" };

const config = { value: "FILE", text: "the configuration (default: baton.config.yaml in this folder, if it is there)" };
const settings = async (names) => (await import("../src/serve/settings.ts")).toFlags(names);

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
    more: "CREW is a folder with a crew.yaml, a YAML file, or a folder of crews (default: this folder).\nA crew without findings is passed over in silence.\nExit code: 0, or 2 if there are errors.",
    flags: {
      verbose: { text: "say of crews without findings too that they are ok, with their size and worst case" },
      notes: { text: "show notes too: what is normal for many crews and worth knowing" },
      json: { text: "print all findings, notes included, as one JSON document" },
      help,
    },
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
    more: "Write - for INPUT to read it from standard input. Without CREW, the crew in this folder runs.\nA pause is asked about on the terminal; with no terminal, or with --json, the run stops there,\nand the last line says how to go on. With --resume, a run that waits or was interrupted goes on:\nINPUT is then the message it waits for, its answer (allow, deny), or the result of a tool that\nyou carry out, as JSON. If several questions are open, write QUESTION=ANSWER for each.\nExit code: 0 done, 1 failed, 2 wrong usage or invalid crew, 3 paused, 4 limit reached, 130 interrupted.",
    flags: {
      script,
      model,
      task: { value: "NAME", text: "start with this task of the crew" },
      resume: { value: "RUN", text: "go on with this run; a part of its id will do, as `baton runs` shows it" },
      data,
      json: { text: "print one event of the log a line, and nothing else" },
      help,
    },
    examples: [
      'baton run crews/hello "Hi there"',
      'baton run crews/it-support "My computer is slow" --script replies.yaml',
      "cat report.txt | baton run crews/research - --json",
      'baton run crews/it-support --resume 1a2b3c4d "Windows 11"',
    ],
    load: () => import("../src/commands/run.ts"),
  },
  {
    name: "chat",
    usage: "[CREW]",
    text: "talk with a crew",
    more: "What was said is kept from one input to the next, and with --session from one day to the next.\nCtrl-C stops a reply, Ctrl-D or /quit ends.",
    flags: {
      script,
      model,
      session: { value: "NAME", text: "go on with the conversation of this name, or begin it" },
      data,
      help,
    },
    maxPositionals: 1,
    examples: ["baton chat crews/hello"],
    load: () => import("../src/commands/chat.ts"),
  },
  {
    name: "runs",
    usage: "[show RUN | delete RUN… | prune]",
    text: "list, show and delete what was run before",
    more: "Lists the newest runs. `show` prints one as it was, what it waits for and how to go on;\n`delete` and `prune` forget runs for good, `prune` only such as have ended.\nRUN is an id, its beginning, or its end as the list shows it, at least four characters.\nA status is queued, running, interrupted, paused, done, failed, limit, cancelled, or ended\nfor the last four.",
    flags: {
      crew: { value: "NAME", text: "list only runs of this crew" },
      status: { value: "STATUS", text: "list only runs with this status" },
      session: { value: "NAME", text: "list only runs of this conversation" },
      limit: { value: "N", text: "list at most so many (default: 20)" },
      keep: { value: "N", text: "with prune: keep the newest that have ended, delete the others" },
      "older-than": { value: "DAYS", text: "with prune: delete what ended longer ago" },
      yes: { text: "with delete: do not ask" },
      json: { text: "list as one JSON document; show one event of the log a line" },
      data,
      help,
    },
    examples: ["baton runs --status paused", "baton runs show 1a2b", "baton runs prune --older-than 30"],
    load: () => import("../src/commands/runs.ts"),
  },
  {
    name: "replay",
    usage: "RUN [CREW]",
    text: "check a stored run, show it again, or go on from a place in it",
    more: "Runs the log through the engine with no model and no tool called, and says that it is identical\nor where it first differs. CREW is where its tools are (default: a crew of that name near here).\nWith --fork, a new run begins with all that was finished by event SEQ and goes on live; what\ncannot be undone is asked about.\nExit code: 0 identical, 1 it differs; with --fork as for `baton run`.",
    flags: {
      against: { value: "DIR", text: "use this crew: what would it decide differently?" },
      speed: { value: "X", fallback: "1", text: "show it as it happened, X times faster (default: 1)" },
      fork: { value: "SEQ", text: "begin a new run from this event" },
      script,
      model,
      json: { text: "print the result as one JSON document, or events one a line" },
      data,
      help,
    },
    maxPositionals: 2,
    examples: ["baton replay 1a2b3c4d", "baton replay 1a2b3c4d --against crews/new", "baton replay 1a2b3c4d --speed 4"],
    load: () => import("../src/commands/replay.ts"),
  },
  {
    name: "tools",
    usage: "[CREW | call [CREW] TOOL [JSON]]",
    text: "list a crew's tools, or call one by hand",
    more: 'Lists what each tool does, takes and changes, and who may use it. `call` calls one with the arguments JSON\n(default: {}; - reads them from standard input) and prints its output as JSON, or what went wrong as\n{"error": {"kind", "message"}}. Its state is empty, and its documents are those that --data\nkeeps; the crew\'s permissions and the tool\'s own are for\nagents and are not asked. Progress and notes go to standard error.\nExit code: 0 done, 1 the call failed, 2 wrong usage or invalid crew, 130 interrupted.',
    flags: {
      json: { text: "list them as one JSON document; with call: print one line, and no progress or notes" },
      yes: { text: "with call: call a tool whose effect cannot be undone" },
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
    more: "CREW is a folder with a crew.yaml, or a folder of crews (default: the crew in this folder, or those in\ncrews); each is served under the name of its folder. Every option can also be set in the environment,\nas BATON_PORT for --port, and in baton.config.yaml, as port; options go before the environment, that\nbefore the file. The first line on standard output says where it listens; logs go to standard error.\nCtrl-C stops it: running runs may go on for a while, the rest goes on with the next start.\nExit code: 0 stopped, 1 it failed while it served, 2 it could not start.",
    settings,
    flags: {
      config,
      "print-config": { text: "print each setting and where it comes from, and end" },
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
    name: "keys",
    usage: "[create | list | rotate ID | revoke ID | open]",
    text: "make, list, rotate and revoke the keys of a server",
    more: "From the first key on, every server on that data needs one: Authorization: Bearer KEY. `create` prints\nthe key, this once. A key sees what its tenant and user own; two keys with the same --user see the same.\nScopes are run (start and command runs), read (look at runs and sessions) and admin (metrics, the runs\nof all users of the tenant, answers for operators); none contains another. A running server knows of a\nchange within about a second. ID is what `list` shows, or its first characters, at least four.\n`rotate` makes a key for the same tenant, user and scopes, and revokes the old one. `open` removes all keys, so\nthat servers on 127.0.0.1 need none: while no server runs, or with an admin key.",
    settings: () => settings(["data", "postgres"]),
    flags: {
      tenant: { value: "NAME", text: "with create: the tenant, e.g. a company or a team" },
      user: { value: "NAME", text: "with create: the user of the tenant (default: the key's own id)" },
      scopes: { value: "SCOPES", text: "with create: what it may do, e.g. run,read" },
      plan: { value: "PLAN", text: "with create: which rate limit holds, free or premium (default: free)" },
      key: { value: "KEY", text: "with open: a key with the scope admin, if a server runs" },
      "adopt-local": { text: "with the first key of a tenant: it gets the runs and sessions from before keys" },
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
    name: "schedule",
    usage: "[add INPUT | list | remove NAME]",
    text: "add, list and remove runs that servers start by the clock",
    more: "`add` makes a schedule: at the times of --cron, in --time-zone, a run of the crew starts with INPUT, once\nhowever many servers run. It belongs to --tenant and --user (default: local), and with --session its runs\nare part of that conversation. A running server knows of a change within about a second; times that were\nmissed because no server ran lead to one run, at the next start. Schedules of crew.yaml are listed too.",
    settings: () => settings(["data", "postgres"]),
    flags: {
      crew: { value: "NAME", text: "with add: the crew, as `baton serve` names it" },
      cron: { value: "CRON", text: "with add: minute, hour, day of month, month, day of week" },
      "time-zone": { value: "ZONE", text: "with add: e.g. Asia/Ho_Chi_Minh (default: this machine's)" },
      session: { value: "ID", text: "with add: the conversation that the runs belong to" },
      name: { value: "NAME", text: "with add: what it is called (default: made of INPUT)" },
      tenant: { value: "NAME", text: "whose: the tenant, with --user" },
      user: { value: "NAME", text: "whose: the user of the tenant" },
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
