/** Sandbox: levels in which a tool has only what it was given, and the interpreter of code that a model writes. */
export type { Level } from "@baton/core/ports";
export { quickjsInterpreter } from "./interpreter/quickjs-interpreter.ts";
