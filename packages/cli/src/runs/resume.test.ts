import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { baton, inFolder, startBaton } from "../testing/command.ts";
import { CREW_FILES } from "../testing/crew-files.ts";
import { SHOP, usesIn } from "../testing/shop.ts";
import { logIn, newestIn, runsIn, toEvents, toSuggested } from "../testing/stored.ts";

test("a run that waits for a message continues in another process, with the printed command", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const paused = await baton(["run", "desk", "vague"], { cwd });
    assert.equal(paused.exitCode, 3);
    const args = toSuggested(paused.stderr);
    assert.deepEqual(args.toSpliced(3, 1), ["run", "desk", "--resume", "your answer"]);
    const { exitCode, stdout, stderr } = await baton(args, { cwd });
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, /\n● Ngân {2}asker\n│ Since when\?\n│ And where\?\n╰─ waits for you\n› your answer\n/);
    assert.match(stdout, /│ Thank you\.\n╰─ \[ENOUGH\] → worker\n[\s\S]*✓ done in/);
    assert.equal((await runsIn(cwd)).length, 1);
  });
});

test("an open question takes its answer, and a wrong one changes nothing", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const paused = await baton(["run", "desk", "wire"], { cwd });
    const id = await newestIn(cwd);
    const before = await logIn(cwd, id);
    const wrong = await baton(["run", "desk", "--resume", id, "maybe"], { cwd });
    assert.deepEqual([wrong.exitCode, wrong.stdout], [2, ""]);
    assert.match(
      wrong.stderr,
      /^baton: "maybe" does not answer "[^"]*Wire[^"]*"; write allow, deny, deny REASON or edit \{ARGUMENTS AS JSON\}\n$/,
    );
    const named = await baton(["run", "desk", "--resume", id, "9=allow"], { cwd });
    assert.match(named.stderr, /"9=allow" does not answer an open question; write: 2\.1\.1=allow\|deny\n$/);
    const after = await logIn(cwd, id);
    assert.deepEqual(after, before);
    const args = toSuggested(paused.stderr);
    assert.equal(args.at(-1), "allow");
    const { exitCode, stdout } = await baton(args, { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /│ {3}allowed\n│ ✓ Wire\([^\n]*\n│ {3}sent\n/);
  });
});

test("an approval takes other arguments, which must fit, or the reason of a denial", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "wire"], { cwd });
    const id = await newestIn(cwd);
    const wrong = await baton(["run", "desk", "--resume", id, 'edit {"amount": 1}'], { cwd });
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.stderr, /^baton: the answer to 2\.1\.1 does not fit: args\.to /);
    const { exitCode, stdout } = await baton(["run", "desk", "--resume", id, 'edit {"to": "Bob", "amount": 1}'], {
      cwd,
    });
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /│ {3}allowed, with other arguments\n│ {3}with \{"to":"Bob","amount":1\}\n│ ✓ Wire\(to: "Bob"/,
    );
    await baton(["run", "desk", "wire"], { cwd });
    const denied = await baton(
      ["run", "desk", "--resume", await newestIn(cwd), "deny", "the", "account", "is closed"],
      { cwd },
    );
    assert.match(denied.stdout, /a person refused Wire: the account is closed/);
  });
});

test("several open questions are answered by their names, all or some", async () => {
  await inFolder(SHOP, async (cwd) => {
    const { stderr } = await baton(["run", "shop", "two"], { cwd });
    const args = toSuggested(stderr);
    assert.deepEqual(args.slice(4), ["1.1.1=allow", "1.1.2=allow"]);
    const unnamed = await baton([...args.slice(0, 4), "allow"], { cwd });
    assert.equal(unnamed.exitCode, 2);
    assert.match(unnamed.stderr, /write: 1\.1\.1=allow\|deny 1\.1\.2=allow\|deny\n$/);
    const some = await baton([...args.slice(0, 4), "1.1.2=deny"], { cwd });
    assert.equal(some.exitCode, 3);
    const rest = await baton(toSuggested(some.stderr), { cwd });
    assert.equal(rest.exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["asked 1"]);
    const all = await baton(["run", "shop", "two"], { cwd });
    assert.equal((await baton(toSuggested(all.stderr), { cwd })).exitCode, 0);
    assert.deepEqual(await usesIn(cwd), ["asked 1", "asked 1", "asked 2"]);
  });
});

test("answers in one pair of quotes, or in lines of standard input, are as many answers", async () => {
  await inFolder(SHOP, async (cwd) => {
    for (const { answer, input } of [
      { answer: "1.1.1=deny 1.1.2=allow", input: "" },
      { answer: "-", input: "1.1.1=deny\n1.1.2=allow\n" },
    ]) {
      await baton(["run", "shop", "two"], { cwd });
      const { exitCode, stderr } = await baton(["run", "shop", "--resume", await newestIn(cwd), answer], {
        cwd,
        input,
      });
      assert.deepEqual([exitCode, stderr], [0, ""]);
    }
    assert.deepEqual(await usesIn(cwd), ["asked 2", "asked 2"]);
  });
});

test("a killed run continues, and no finished step runs again", async () => {
  await inFolder(SHOP, async (cwd) => {
    const child = startBaton(["run", "shop", "look", "--json"], { cwd });
    await child.sees('"tool":"Look"');
    child.process.kill("SIGKILL");
    await child.ended();
    const id = await newestIn(cwd);
    const answered = await baton(["run", "shop", "--resume", id, "hello"], { cwd });
    assert.equal(answered.exitCode, 2);
    assert.match(answered.stderr, /was interrupted and does not wait for an answer; resume it without one\n$/);
    const { exitCode, stdout } = await baton(["run", "--resume", id.slice(0, 6)], { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /continuing run \w{8}\n[\s\S]*│ ✓ Look\(\)[\s\S]*│ All done\.\n/);
    assert.deepEqual(await usesIn(cwd), ["note", "looked", "looked"]);
  });
});

test("a run continues with the crew it started with, and with the tools of today", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const { stderr } = await baton(["run", "desk", "vague"], { cwd });
    const args = toSuggested(stderr);
    const changed = CREW_FILES["desk/crew.yaml"].replace(
      '{ signal: "[ENOUGH]", target: worker }',
      '{ signal: "[ENOUGH]", target: front }',
    );
    assert.notEqual(changed, CREW_FILES["desk/crew.yaml"]);
    await writeFile(join(cwd, "desk/crew.yaml"), changed);
    await writeFile(
      join(cwd, "desk/tools.ts"),
      CREW_FILES["desk/tools.ts"].replace("z.object({ to: z.string(),", "z.object({ who: z.string(),"),
    );
    const { exitCode, stdout } = await baton(args, { cwd });
    assert.equal(exitCode, 0);
    assert.match(stdout, /╰─ \[ENOUGH\] → worker\n/);
  });
});

test("an answer may come from standard input", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    await baton(["run", "desk", "vague"], { cwd });
    const { stdout } = await baton(["run", "desk", "--resume", await newestIn(cwd), "-"], { cwd, input: "one\ntwo\n" });
    assert.match(stdout, /\n› one two\n[\s\S]*✓ done in/);
    const [run] = await runsIn(cwd);
    assert.ok((await baton(["runs", "show", run?.id ?? ""], { cwd })).stdout.includes("\n› one\n  two\n"));
  });
});

test("--json prints what is new, and nothing of what was printed before", async () => {
  await inFolder(CREW_FILES, async (cwd) => {
    const before = toEvents((await baton(["run", "desk", "vague", "--json"], { cwd })).stdout);
    const { stdout } = await baton(["run", "desk", "--resume", await newestIn(cwd), "Monday", "--json"], { cwd });
    const after = toEvents(stdout);
    assert.deepEqual(
      [...before, ...after].map(({ seq }) => seq),
      [...before, ...after].map((_, index) => index + 1),
    );
    assert.deepEqual([after[0]?.type, after[0]?.["input"]], ["run.resumed", "Monday"]);
  });
});

test("a run that cannot continue has an error that says what to do", async () => {
  await inFolder({ ...CREW_FILES, ...SHOP }, async (cwd) => {
    const nothing = await baton(["run", "desk", "--resume", "abcdef"], { cwd });
    assert.deepEqual([nothing.exitCode, nothing.stdout], [2, ""]);
    assert.match(nothing.stderr, /^baton: there are no runs in \.baton; /);
    await baton(["run", "desk", "work"], { cwd });
    const ended = await newestIn(cwd);
    await baton(["run", "desk", "vague"], { cwd });
    const paused = await newestIn(cwd);
    const wrong: [string[], RegExp][] = [
      [["desk", "--resume", ended], /has ended \(done\); `baton runs show \w{8}` shows it, /],
      [["desk", "--resume", "nosuchrun"], /^baton: there is no run nosuchrun; `baton runs` lists/],
      [["desk", "--resume", "abc"], /^baton: there is no run abc; write at least 4 characters/],
      [["shop", "--resume", paused, "hi"], /belongs to the crew desk, not to shop; name the folder of desk/],
      [
        ["nope", "--resume", paused, "hi"],
        /^baton: there is no crew at nope; if it is part of your answer, put the whole answer in quotes/,
      ],
      [
        ["desk", "--resume", paused, "since", "Monday"],
        /^baton: the message has 2 arguments; quote it: "since Monday"\n/,
      ],
      [["desk", "--resume", paused, "hi", "--task", "work"], /--task works only for a new run; remove it/],
    ];
    for (const [args, expected] of wrong) {
      const { exitCode, stdout, stderr } = await baton(["run", ...args], { cwd });
      assert.deepEqual([exitCode, stdout], [2, ""], stderr);
      assert.match(stderr, expected);
    }
    await rm(join(cwd, "desk"), { recursive: true });
    const gone = await baton(["run", "--resume", paused, "hi"], { cwd });
    assert.match(gone.stderr, /belongs to the crew desk, which is not in this folder; name the folder of that crew\n$/);
  });
});
