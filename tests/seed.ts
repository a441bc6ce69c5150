/**
 * Preloaded by `npm test`: gives all random tests one seed, so that a run of all tests can be repeated, and all processes
 * one cache of compiled modules, because each test file is a process of its own.
 *
 * `BATON_SEED=N npm test` tries another seed. With `BATON_SEED=random` every test chooses its own and prints it.
 */
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Where `baton` has it too.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache");
enableCompileCache();

const fc = await import("fast-check");
const seed = process.env["BATON_SEED"] ?? "1";
process.env["BATON_SEED"] = seed;
if (seed === "random") delete process.env["BATON_SEED"];
else fc.configureGlobal({ seed: Number(seed) });
