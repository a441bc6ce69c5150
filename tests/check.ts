/**
 * Check: `npm run check`. Runs the static checks and the conformance suite beside the tests, and fails if any of them does.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const STATIC = ["format:check", "lint", "types", "dead", "docs:check", "conformance"] as const;

const [failures, tests] = await Promise.all([runStatic(), runScript("test", "inherit")]);
for (const { name, output } of failures) console.log(`\nFAILED npm run ${name}\n${output}`);
if (failures.length === 0) console.log(`${STATIC.join(", ")}: nothing found`);
if (failures.length > 0 || tests.code !== 0) process.exitCode = 1;

/** One after the other, so that they take one core and the tests the rest. */
async function runStatic() {
  const failed: { readonly name: string; readonly output: string }[] = [];
  for (const name of STATIC) {
    const { code, output } = await runScript(name, "pipe");
    if (code !== 0) failed.push({ name, output });
  }
  return failed;
}

async function runScript(name: string, stdio: "pipe" | "inherit") {
  const child = spawn("npm", ["run", "--silent", name], { cwd: root, stdio: ["ignore", stdio, stdio] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, output };
}
