/**
 * Chaos process: plays a conversation until it is killed. Started as `node chaos-process.ts CREW JOB`, with the job in a file.
 */
import { readFile } from "node:fs/promises";
import { enableCompileCache } from "node:module";

enableCompileCache();
const [path = "", file = ""] = process.argv.slice(2);
const [{ playAndDie }, { requireCrew }] = await Promise.all([
  import("@baton/evals/chaos"),
  import("../crew/crew-loader.ts"),
]);
const { crew } = await requireCrew(path);
await playAndDie(crew, JSON.parse(await readFile(file, "utf8")));
process.exit();
