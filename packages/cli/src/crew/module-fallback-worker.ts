/**
 * Module fallback worker: registers the module fallback in a worker thread that runs tools.
 */
import { registerModuleFallback } from "./module-fallback.ts";

registerModuleFallback();
