import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { BatonError } from "@baton/core";
import { baton, inFolder } from "../testing/command.ts";
import { configure } from "./config.ts";
import { listSettings } from "./settings.ts";

const FILE = `port: 9001
host: "::1"
data: kept
crews: [one, /two]
max_runs: 5
log_level:
postgres: postgres://baton:open-sesame@db/baton?password=open-too
qdrant: https://:open-key@vectors:6333?prefix=acme
`;

test("options go before the environment, that before the file, and that before defaults", async () => {
  await inFolder({ "baton.config.yaml": FILE }, async (cwd) => {
    const env = {
      BATON_PORT: "9002",
      BATON_MAX_RUNS: "6",
      BATON_GRACE: "1",
      BATON_DATA: "",
      BATON_MODELS: "offline, openai/gpt-5-mini",
      BATON_REDIS: "redis://ann:open-cache@cache:6379/2",
      BATON_EMBEDDINGS: "ollama/nomic-embed-text",
    };
    const args = ["serve", "three", "--port", "9003", "--max-tool-calls", "9", "--print-config"];
    const { exitCode, stdout, stderr } = await baton(args, { cwd, env });
    assert.deepEqual([exitCode, stderr], [0, ""]);
    const lines = stdout.split("\n").map((line) => line.replace(/ {2,}/, " "));
    assert.deepEqual(lines, [
      "crews: [three] # arguments",
      "host: ::1 # baton.config.yaml:2:7",
      "port: 9003 # --port",
      "data: kept # baton.config.yaml:3:7",
      "postgres: postgres://baton:***@db/baton?password=*** # baton.config.yaml:7:11",
      "redis: redis://ann:***@cache:6379/2 # BATON_REDIS",
      "restate: null # default",
      "restate_admin: null # default",
      "worker_host: 127.0.0.1 # default",
      "worker_port: 9080 # default",
      "worker_url: null # default",
      "public_url: null # default",
      "mcp: on # default",
      "oauth_issuer: null # default",
      "accept_only: false # default",
      "qdrant: https://:***@vectors:6333/?prefix=acme # baton.config.yaml:8:9",
      "embeddings: ollama/nomic-embed-text # BATON_EMBEDDINGS",
      "cassette: null # default",
      "script: null # default",
      "model: null # default",
      "models: [offline, openai/gpt-5-mini] # BATON_MODELS",
      "allowed_hosts: [] # default",
      "origins: [] # default",
      "rate_limit: null # default",
      "telegram: null # default",
      "zalo: null # default",
      "channels: null # default",
      "plans: null # default",
      "max_runs: 6 # BATON_MAX_RUNS",
      "max_tool_calls: 9 # --max-tool-calls",
      "max_code: 16 # default",
      "tool_threads: null # default",
      "tool_heap_mb: 512 # default",
      "max_body_mb: 8 # default",
      "keep_runs: null # default",
      "keep_days: null # default",
      "grace_seconds: 1 # BATON_GRACE",
      "otlp: null # default",
      "otlp_content: false # default",
      "watch: false # default",
      "log_level: info # default",
      "log_format: auto # default",
      "",
    ]);
  });
});

test("what is printed is a configuration again, with every value as it was", async () => {
  const given = { BATON_RATE_LIMIT: "key=5, global=7", BATON_ORIGIN: "https://a.example, https://b.example:8443" };
  await inFolder({}, async (cwd) => {
    const printed = await baton(["serve", "a b", "--allowed-host", "a", "--allowed-host", "b:1", "--print-config"], {
      cwd,
      env: given,
    });
    assert.match(printed.stdout, /^rate_limit: \{key: 5, global: 7\} +# BATON_RATE_LIMIT$/m);
    await inFolder({ "printed.yaml": printed.stdout }, async (folder) => {
      const again = await baton(["serve", "--config", "printed.yaml", "--print-config"], { cwd: folder });
      assert.deepEqual(withoutOrigins(again.stdout), withoutOrigins(printed.stdout));
      assert.match(again.stdout, /^allowed_hosts: \[a, b:1\] +# printed\.yaml:\d+:\d+$/m);
    });
  });
});

test("paths in a file are seen from the folder of that file", async () => {
  await inFolder({ "etc/baton.yaml": "crews: [crews, /srv/crew]\ndata: ../data\nscript: s.yaml\n" }, async (cwd) => {
    const flags = new Map([["config", join(cwd, "etc", "baton.yaml")]]);
    const { config } = await configure({ flags, positionals: [] }, {});
    assert.deepEqual(config.crews, [join(cwd, "etc", "crews"), "/srv/crew"]);
    assert.deepEqual([config.data, config.script], [join(cwd, "data"), join(cwd, "etc", "s.yaml")]);
  });
});

test("a model that the environment names is still the one of agents that name none", async () => {
  const { config } = await configure({ flags: new Map(), positionals: [] }, { BATON_MODEL: "offline" });
  assert.equal(config.model, undefined);
});

suite("what cannot be used is refused with its place", () => {
  const files: [string, string][] = [
    [
      "prot: 1\nport: 2\nlog-level: info\n",
      "1:1: there is no setting `prot`; did you mean `port`?\nF:3:1: there is no setting `log-level`; did you mean `log_level`?",
    ],
    ["frobnicate: 1\n", "1:1: there is no setting `frobnicate`; the settings are crews, host, "],
    ["port: 80.5\nhost: [a]\n", "2:7: host must be a text\nF:1:7: port must be a whole number from 0 to 65535"],
    [
      "plans: { free: { max_cost_per_user_per_day: -1 } }\n",
      "1:8: plans must have free and premium, each with limits such as max_cost_per_user_per_day: 2",
    ],
    [
      "plans: { free: { max_cost: 1 } }\n",
      "1:8: plans must have free and premium, each with limits such as max_cost_per_user_per_day: 2",
    ],
    [
      "rate_limit: { kee: 5 }\n",
      "1:13: rate_limit must be off, or requests a minute such as key=600,premium=3000,session=120,global=6000",
    ],
    ["port: 1\norigins: [foo]\n", "2:10: origins must be origins, each as https://name or https://name:port"],
    ["allowed_hosts: ['a b']\n", "1:16: allowed_hosts must be names of hosts, each as name or name:port"],
    ["model: foo/bar\n", "1:8: model must be a model of openai, "],
    ["postgres: mysql://h/d\n", "1:11: postgres must look like postgres://user:password@host/database"],
    ["redis: localhost:6379\n", "1:8: redis must look like redis://user:password@host:6379/0"],
    ["qdrant: redis://h\n", "1:9: qdrant must look like http://host:6333"],
    ["embeddings: anthropic/x\n", "1:13: embeddings must be a model of openai, google, ollama, openai-compatible"],
    ["embeddings: openai/\n", "1:13: embeddings must be a model of"],
    ["- port\n", "1:1: write settings here, each as `name: value`"],
    ["port: [\n", "2:1: "],
    ["port: 1\nport: 2\n", "2:1: map keys must be unique"],
  ];
  for (const [text, expected] of files) {
    test(JSON.stringify(text), async () => {
      await inFolder({ F: text }, async (cwd) => {
        const path = join(cwd, "F");
        const refused = await messageOf(configure({ flags: new Map([["config", path]]), positionals: [] }, {}));
        assert.ok(refused.replaceAll(path, "F").startsWith(`F:${expected}`), refused);
      });
    });
  }

  const wrong: [string[], { [name: string]: string }, RegExp][] = [
    [["--port", "eighty"], {}, /^--port must be a whole number from 0 to 65535$/],
    [
      [],
      { BATON_PORT: "65536", BATON_LOG_LEVEL: "loud" },
      /^BATON_PORT must be .*\nBATON_LOG_LEVEL must be silent, error, warn, info or debug$/,
    ],
    [["--config", "nowhere.yaml"], {}, /^cannot read the configuration nowhere\.yaml: /],
    [[], { BATON_CONFIG: "nowhere.yaml" }, /cannot read the configuration nowhere\.yaml/],
    [["--rate-limit", "many"], {}, /^--rate-limit must be off, or requests a minute/],
    [["--origin", "foo"], {}, /^--origin must be origins, each as https:/],
    [["--allowed-host", "a,b c"], {}, /^--allowed-host must be names of hosts, each as name or name:port$/],
    [[], { BATON_ORIGIN: "ftp://a" }, /^BATON_ORIGIN must be origins/],
    [["--model", "openai/"], {}, /^--model must be a model of openai, /],
    [["--model", "offline/x"], {}, /^--model must be a model of openai, /],
    [["--models", "offline,foo"], {}, /^--models must be models of openai, .*each such as openai\/gpt-5-mini$/],
    [[], { BATON_MAX_TOOL_CALLS: "0" }, /^BATON_MAX_TOOL_CALLS must be a whole number from 1 to 1000000$/],
    [["--max-body-mb", "0"], {}, /^--max-body-mb must be a whole number from 1 to 1024$/],
  ];
  for (const [args, env, expected] of wrong) {
    test([...args, ...Object.keys(env)].join(" "), async () => {
      const [option, value = ""] = args;
      const flags = new Map(option === undefined ? [] : [[option.slice(2), value]]);
      assert.match(await messageOf(configure({ flags, positionals: [] }, env)), expected);
    });
  }

  test("the command prints it, and ends with the code for wrong usage", async () => {
    await inFolder({ F: "prot: 1\n" }, async (cwd) => {
      const { exitCode, stdout, stderr } = await baton(["serve", "--config", "F", "--print-config"], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""]);
      assert.equal(stderr, "baton: F:1:1: there is no setting `prot`; did you mean `port`?\n");
    });
  });
});

/** Why something was refused. */
async function messageOf(refused: Promise<unknown>): Promise<string> {
  const error = await refused.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof BatonError && error.code === "invalid");
  return error.message;
}

test("docs/serve.md lists every setting with its option, its variable, its default and its meaning", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../../docs/serve.md"), "utf8");
  const rows = listSettings().map(({ name, flag, variable, fallback, meaning }) => {
    const option = name === "crews" ? "CREW…" : flag && `--${flag}`;
    const value = typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : undefined;
    const cells = [name, option, variable, value].map((cell) => (cell === undefined ? "" : `\`${cell}\``));
    return `| ${[...cells, meaning].join(" | ")} |`;
  });
  const start = page.indexOf(`${rows[0]}\n`);
  assert.equal(page.slice(start, page.indexOf("\n\n", start)), rows.join("\n"));
});

function withoutOrigins(text: string): readonly string[] {
  return text.split("\n").map((line) => line.replace(/ +# .*$/, ""));
}
