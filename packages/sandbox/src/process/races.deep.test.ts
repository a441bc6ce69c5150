/** Attacks on the moment in which a sandbox is made, by a tool that runs beside it and by what Baton was started with. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, open, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { openTrial } from "../testing/sandboxed-call.ts";

const trial = await openTrial();
after(() => trial[Symbol.asyncDispose]());
const skip = trial.missing === undefined ? false : `isolation: process is missing here: ${trial.missing}`;
const CALLS = 12;
/** Beyond those that Node closes for its children. */
const FD = 30;

/** Exchanges a folder and a link to the data folder until it is told to stop. */
const FLIP = `const fs = require("fs");
process.chdir("out");
const next = (from, to) => { try { fs.renameSync(from, to) } catch {} };
while (!fs.existsSync("stop")) { next("x", "y"); next("l", "x"); next("x", "l"); next("y", "x"); }`;

test(
  "a link that a running tool puts in place of a folder is not followed into another sandbox",
  { skip },
  async () => {
    const out = join(trial.folder, "out");
    await mkdir(join(out, "x"));
    await writeFile(join(out, "x/a"), "fine");
    await chmod(join(out, "x"), 0o777);
    await symlink(join(trial.folder, "kept"), join(out, "l"));
    const write = { paths: [await trial.grant("out", "writable")], sandbox: { cpu_seconds: 60 } };
    const nested = { paths: [await trial.grant("out/x")] };
    const flipping = trial.call(["node", "-e", FLIP], write);
    const told: string[] = [];
    for (let call = 0; call < CALLS; call++) {
      told.push(await trial.call(["sh", "-c", "cat out/x/*"], call % 2 === 0 ? {} : nested));
    }
    await writeFile(join(out, "stop"), "");
    await flipping;
    for (const one of told) assert.ok(!one.includes("runsecret1"), one);
  },
);

test(
  "a granted path that is a link, and a crew's folder that is reached by one, are seen by their names",
  { skip },
  async () => {
    await symlink("data", join(trial.folder, "alias"));
    const paths = [await trial.grant("alias")];
    assert.match(await trial.call(["cat", "alias/a.txt"], { paths }), /^output "hello"/);
    const folder = `${trial.folder}-link`;
    await symlink(trial.folder, folder);
    const own = { path: join(folder, "data"), real: join(trial.folder, "data"), isWritable: false };
    const linked = { folder, dataFolder: join(folder, "kept"), paths: [own] };
    assert.match(await trial.call(["cat", join(folder, "data/a.txt")], linked), /^output "hello"/);
    assert.match(await trial.call(["sh", "-c", "cat kept/*"], linked), /^permanent: .*No such file/);
    await rm(folder);
  },
);

test("a descriptor that Baton was started with is not open in a sandbox", { skip }, async () => {
  const program = `const { openTrial } = await import(${JSON.stringify(new URL("../testing/sandboxed-call.ts", import.meta.url).href)});
    await using trial = await openTrial();
    process.stdout.write(await trial.call(["sh", "-c", "readlink /proc/self/fd/${FD}"]));`;
  await using secret = await open(join(trial.folder, "kept/baton.db"));
  const stdio = Array.from({ length: FD + 1 }, (_, fd) => (fd === 1 ? "pipe" : fd === FD ? secret.fd : "ignore"));
  const baton = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio });
  let told = "";
  baton.stdout?.on("data", (part: Buffer) => {
    told += part.toString();
  });
  await new Promise((done) => baton.once("close", done));
  assert.match(told, /^output "\/dev\/null/);
});
