/**
 * Chaos worker: plays a conversation until it is killed. Started as `node chaos-worker.ts CREW JOB`, with the job in a file.
 */
import { readFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";

enableCompileCache();
const [path = "", file = ""] = process.argv.slice(2);
const [{ isKillJob, playAndDie }, { requireCrew }, { registerModuleFallback }] = await Promise.all([
  import("@baton/evals/chaos"),
  import("../crew/crew-loader.ts"),
  import("../crew/module-fallback.ts"),
]);
registerModuleFallback();
const { crew } = await requireCrew(path);
const job: unknown = JSON.parse(await readFile(file, "utf8"));
if (!isKillJob(job)) throw new Error(`${file} is not a job`);
await playAndDie(crew, job);
process.exit();
