/** Sandbox: levels in which a tool has only what it was given, and the interpreter of code that a model writes. */
export { openInterpreter, type QuickjsInterpreter } from "./interpreter/quickjs-interpreter.ts";
export { processLevel } from "./process/process-level.ts";
export { wasmLevel } from "./wasm/wasm-level.ts";
