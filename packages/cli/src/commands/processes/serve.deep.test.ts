import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, BATON, Child, inFolder } from "../../testing/command.ts";
import { CREW_FILES } from "../../testing/crew-files.ts";
import { Served } from "../../testing/served.ts";
import { SHOP, usesIn } from "../../testing/shop.ts";

const ROOT = join(import.meta.dirname, "../../../../..");

/** Reads a stream until it holds a text, and then to its end. */
function readUntil(response: Response, text: string) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  const next = async (): Promise<boolean> => {
    const part = await reader?.read();
    read += part?.value ?? "";
    return part?.done === false;
  };
  const found = (async () => {
    while (!read.includes(text)) assert.ok(await next(), `ended without ${text}: ${read}`);
  })();
  const rest = async () => {
    while (await next());
    return read;
  };
  return { found, rest };
}

function seqsOf(stream: string): readonly number[] {
  return Array.from(stream.matchAll(/^id: (\d+)$/gm), ([, seq]) => Number(seq)).filter((seq) => seq > 0);
}

test("every crew in a folder is served under the name of its folder, and a signal ends it cleanly", async () => {
  await inFolder({ ...CREW_FILES, ...SHOP }, async (cwd) => {
    await using server = await Served.start(["."], { cwd });
    assert.equal((await server.get("/ready")).status, 200);
    const desk = await server.run({ crew: "desk", input: "clear" }, { wait: true });
    const shop = await server.run({ crew: "shop", input: "hello" }, { wait: true });
    assert.deepEqual([desk.outcome, shop.outcome], ["done", "done"]);
    const { exitCode, stdout, stderr } = await server.stop();
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /^listening on http:\/\/127\.0\.0\.1:\d+\nmodel script: no provider's key .* \(desk, shop\)\n/,
    );
    for (const line of stderr.trimEnd().split("\n")) assert.equal(typeof JSON.parse(line), "object", line);
    assert.equal(existsSync(join(cwd, ".baton", "baton.db")), true);
    assert.equal(await readFile(join(cwd, ".baton", ".gitignore"), "utf8"), "*\n");
  });
});

test("a folder that is called crew is served under the name of the one it is in", async () => {
  const crew = Object.fromEntries(
    Object.entries(SHOP).map(([path, text]) => [path.replace("shop/", "shop/crew/"), text]),
  );
  await inFolder(crew, async (cwd) => {
    await using server = await Served.start(["shop/crew"], { cwd });
    assert.equal((await server.run({ crew: "shop", input: "hello" }, { wait: true })).outcome, "done");
    assert.equal((await server.stop()).exitCode, 0);
  });
});

test("the crew in this folder is served where none is named, or those in crews", async () => {
  const crews = Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [`crews/${path}`, text]));
  await inFolder(crews, async (cwd) => {
    for (const [folder, data] of [
      [cwd, "one"],
      [join(cwd, "crews", "shop"), "two"],
    ] as const) {
      await using server = await Served.start(["--data", data], { cwd: folder });
      assert.equal((await server.run({ crew: "shop", input: "hello" }, { wait: true })).outcome, "done");
      assert.equal((await server.stop("SIGINT")).exitCode, 0);
    }
  });
});

test("a run that is running when the server stops continues at the next start, and its stream has no gap", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop", "--grace", "0"], { cwd });
    const { id } = await server.run({ input: "look" });
    const stream = await server.get(`/api/runs/${id}/events`);
    const first = readUntil(stream, '"tool":"Look"');
    await first.found;
    assert.equal((await server.stop()).exitCode, 0);
    const seen = seqsOf(await first.rest());
    await using next = await Served.start(["shop"], { cwd });
    const all = await next.events(id);
    assert.match(all, /"type":"run\.ended".*"outcome":"done"/);
    const seqs = seqsOf(all);
    assert.deepEqual(
      seqs,
      [...seqs.keys()].map((index) => index + 1),
    );
    assert.deepEqual(seqs.slice(0, seen.length), seen);
    assert.deepEqual(await usesIn(cwd), ["note", "looked", "looked"]);
    assert.equal((await next.stop()).exitCode, 0);
  });
});

test("a second signal ends the process at once, with the code of that signal", async () => {
  await inFolder(SHOP, async (cwd) => {
    for (const [signal, exitCode] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
    ] as const) {
      await using server = await Served.start(["shop", "--data", signal], { cwd });
      const { id } = await server.run({ input: "pay" });
      await readUntil(await server.get(`/api/runs/${id}/events`), '"tool":"Pay"').found;
      server.child.process.kill(signal);
      await server.child.sees("stopping");
      const timer = setInterval(() => server.child.process.kill(signal), 50);
      const ended = await server.child.ended();
      clearInterval(timer);
      assert.equal(ended.exitCode, exitCode);
      await writeFile(join(cwd, "uses.txt"), "");
    }
  });
});

test("what a crew's tools.ts exports as onShutdown is awaited when the server stops", async () => {
  const more = `
export const onShutdown = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  use("closed");
  throw new Error("could not say goodbye");
};
`;
  await inFolder({ ...SHOP, "shop/tools.ts": SHOP["shop/tools.ts"] + more }, async (cwd) => {
    await using server = await Served.start(["shop"], { cwd });
    await server.run({ input: "hello" }, { wait: true });
    const { exitCode, stderr } = await server.stop();
    assert.equal(exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["closed"]);
    assert.match(stderr, /"level":"error".*"crew":"shop","error":"could not say goodbye".*a shutdown callback failed/);
  });
});

test("signals that come together are one, as when npm passes on what the terminal sent", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop", "--grace", "1"], { cwd });
    const { id } = await server.run({ input: "look" });
    await readUntil(await server.get(`/api/runs/${id}/events`), '"tool":"Look"').found;
    for (const signal of ["SIGINT", "SIGTERM"] as const) server.child.process.kill(signal);
    assert.equal((await server.child.ended()).exitCode, 0);
  });
});

test("a stored run continues with the models of the crew it started with; if a key is missing now, the run fails", async () => {
  const before = CREW_FILES["desk/crew.yaml"]
    .replace("entry_point", "model: script\nentry_point")
    .replace("name: worker,", "name: worker, model: openai/gpt-5-mini,");
  await inFolder({ ...CREW_FILES, "desk/crew.yaml": before }, async (cwd) => {
    const refused = await baton(["serve", "desk", "--port", "0"], { cwd });
    assert.deepEqual([refused.exitCode, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /^baton: .*OPENAI_API_KEY/);
    assert.equal(existsSync(join(cwd, ".baton")), false);
    await using server = await Served.start(["desk"], { cwd, env: { OPENAI_API_KEY: "sk-of-nobody" } });
    const old = { input: "vague", session_id: "old" };
    assert.equal((await server.run(old, { wait: true })).outcome, "paused");
    await server.stop();
    await writeFile(join(cwd, "desk", "crew.yaml"), CREW_FILES["desk/crew.yaml"]);
    await using next = await Served.start(["desk"], { cwd });
    assert.equal((await next.run({ input: "clear" }, { wait: true })).outcome, "done");
    const failed = await next.run({ ...old, input: "Monday" }, { wait: true });
    assert.equal(failed.outcome, "failed");
    assert.match(JSON.stringify(failed), /OPENAI_API_KEY/);
    await next.stop();
  });
});

test("an uncaught error of a tool is logged, and the server continues", async () => {
  const tools = `import { defineTool } from "@baton/core";
import { z } from "zod";
const stray = { name: "Stray", description: "s", effect: "read", input: z.object({}) };
export default [
  defineTool({ ...stray, run: () => { Promise.reject(new Error("nobody waits for me")); return "done"; } }),
  defineTool({ ...stray, name: "Timer", run: () => { setTimeout(() => { throw new Error("late and loud"); }); return "done"; } }),
];
`;
  const crew = `version: "1.0"
name: shop
agents: [{ id: a, name: Ada, role: works, is_terminal: true, tools: [Stray, Timer] }]
`;
  const script = `a:
  - { when: go, call: [{ tool: Stray, args: {} }, { tool: Timer, args: {} }] }
  - { say: "All done." }
`;
  const files = { "shop/crew.yaml": crew, "shop/script.yaml": script, "shop/tools.ts": tools };
  await inFolder(files, async (cwd) => {
    await using server = await Served.start(["shop"], { cwd });
    assert.equal((await server.run({ input: "go" }, { wait: true })).outcome, "done");
    assert.equal((await server.run({ input: "hello" }, { wait: true })).outcome, "done");
    const { exitCode, stderr } = await server.stop();
    assert.equal(exitCode, 0);
    const errors = stderr.split("\n").filter((line) => line.includes('"level":"error"'));
    assert.deepEqual(errors.map((line) => /nobody waits for me|late and loud/.exec(line)?.[0] ?? line).toSorted(), [
      "late and loud",
      "nobody waits for me",
    ]);
  });
});

test("a log that cannot be written stops nothing", { skip: !existsSync("/dev/full") }, async () => {
  await inFolder(SHOP, async (cwd) => {
    const child = new Child(["sh", "-c", `exec "${process.execPath}" "${BATON}" serve shop --port 0 2>/dev/full`], {
      cwd,
    });
    await child.sees("listening on ");
    await child.sees("\n");
    const url = child.stdout.slice("listening on ".length, child.stdout.indexOf("\n"));
    assert.equal((await fetch(`${url}/api/runs/nobody`)).status, 404);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    child.process.kill("SIGTERM");
    assert.equal((await child.ended()).exitCode, 0);
  });
});

test("as a service, it is started as docs/serve.md says, and has the signal that is sent to what was started", async () => {
  const page = await readFile(join(ROOT, "docs", "serve.md"), "utf8");
  const command = /^PATH=.* exec baton serve crews --port 8080$/m.exec(page)?.[0];
  assert.ok(command !== undefined);
  const crews = Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [`crews/${path}`, text]));
  await inFolder(crews, async (cwd) => {
    await symlink(join(ROOT, "node_modules"), join(cwd, "node_modules"));
    const child = new Child(["sh", "-c", command.replace("8080", "0")], { cwd });
    await child.sees("listening on ");
    await child.sees("\n");
    const url = child.stdout.slice("listening on ".length, child.stdout.indexOf("\n"));
    assert.equal((await fetch(`${url}/ready`)).status, 200);
    child.process.kill("SIGTERM");
    assert.equal((await child.ended()).exitCode, 0);
  });
});

test("a body may be as large as max_body_mb, four times that with images, and no larger", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop", "--max-body-mb", "1"], { cwd });
    const post = (chars: number) =>
      fetch(`${server.url}/api/runs`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ input: "hello", more: "x".repeat(chars) }),
      });
    assert.deepEqual([(await post(4_100_000)).status, (await post(4_200_000)).status], [202, 413]);
  });
});

test("a port that is in use, and an address of another machine, are said so", async () => {
  await inFolder(SHOP, async (cwd) => {
    await using server = await Served.start(["shop"], { cwd });
    const { port } = new URL(server.url);
    const second = await baton(["serve", "shop", "--port", port, "--log-level", "silent"], { cwd });
    assert.deepEqual([second.exitCode, second.stdout], [2, ""]);
    const hint = "stop the other program, or choose another port with --port";
    assert.equal(second.stderr, `baton: port ${port} of 127.0.0.1 is in use; ${hint}\n`);
    assert.equal((await server.run({ input: "hello" }, { wait: true })).outcome, "done");
    await server.stop();
    await baton(["keys", "create", "--tenant", "acme", "--scopes", "run"], { cwd });
    // An address that is kept free for documents.
    const foreign = await baton(["serve", "shop", "--port", "0", "--host", "203.0.113.7"], { cwd });
    assert.deepEqual([foreign.exitCode, foreign.stdout], [2, ""]);
    assert.match(foreign.stderr, /^baton: this machine has no address 203\.0\.113\.7; name one of its addresses/m);
  });
});
