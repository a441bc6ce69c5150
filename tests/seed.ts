/**
 * Preloaded by `npm test`: gives all random tests one seed, so that a run of all tests can be repeated.
 *
 * `BATON_SEED=N npm test` tries another seed. With `BATON_SEED=random` every test chooses its own and prints it.
 */
import * as fc from "fast-check";

const seed = process.env["BATON_SEED"] ?? "1";
process.env["BATON_SEED"] = seed;
if (seed === "random") delete process.env["BATON_SEED"];
else fc.configureGlobal({ seed: Number(seed) });
