/**
 * Modules worker: gives the tools that a worker thread loads the same modules as those of the main thread.
 */
import { giveModules } from "./module-fallback.ts";

giveModules();
