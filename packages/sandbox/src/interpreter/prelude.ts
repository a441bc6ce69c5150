/**
 * Prelude: the script that runs in an instance before any code of a user or a model.
 *
 * It keeps the intrinsics that it needs, so that code which replaces them harms only itself, and gives the instance
 * `tools`, `console`, `ToolError` and a `Math.random` of its own. Only strings and numbers cross to the worker.
 */

/** The source of a function of (call, print, names of tools, seed, most characters of a line of the console). */
export const PRELUDE = String.raw`(function (call, print, names, seed, maxLine) {
  "use strict";
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  const { create, freeze, defineProperty } = Object;
  const P = Promise, E = Error, T = TypeError, R = RangeError, S = String, M = Math;
  const { imul } = Math;
  const sliceOf = S.prototype.slice;
  const cut = (text) => (text.length > maxLine ? apply(sliceOf, text, [0, maxLine]) : text);
  const hide = (target, key, value) => defineProperty(target, key, { value, writable: true, configurable: true });

  class ToolError extends E {
    constructor(kind, message) {
      super(message);
      defineProperty(this, "kind", { value: kind, enumerable: true });
    }
  }
  hide(ToolError.prototype, "name", "ToolError");
  freeze(ToolError);
  freeze(ToolError.prototype);
  hide(globalThis, "ToolError", ToolError);

  const pending = create(null);
  let count = 0;
  const own = create(null);
  const define = (name) => (args) => {
    const text = args === undefined ? "{}" : stringify(args);
    if (typeof text !== "string") throw new T(name + " takes one object of arguments");
    const stack = new E().stack;
    const problem = call(name, text, typeof stack === "string" ? stack : "");
    if (problem !== "") throw new R(problem);
    const id = ++count;
    return new P((resolve, reject) => {
      pending[id] = { resolve, reject, stack };
    });
  };
  for (let at = 0; at < names.length; at++) own[names[at]] = freeze(define(names[at]));
  freeze(own);
  let known = "";
  for (let at = 0; at < names.length && known.length < 2000; at++) known += (at === 0 ? "" : ", ") + names[at];
  const tools = new Proxy(own, {
    get(target, key) {
      if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
      const tool = target[key];
      if (tool === undefined) throw new T("there is no tool " + cut(S(key)) + "; there are " + (known || "no tools"));
      return tool;
    },
  });

  const settle = (id, kind, text) => {
    const one = pending[id];
    delete pending[id];
    if (kind === "") return one.resolve(parse(text));
    const error = new ToolError(kind, text);
    hide(error, "stack", one.stack);
    one.reject(error);
  };

  const toText = (value) => {
    if (typeof value === "string") return value;
    try {
      if (value instanceof E) return value.name + ": " + value.message;
      const text = stringify(value);
      return text === undefined ? S(value) : text;
    } catch {
      return typeof value === "bigint" ? S(value) : "[a value that cannot be shown]";
    }
  };
  const log = (...args) => {
    let line = "";
    for (let at = 0; at < args.length && line.length <= maxLine; at++) line += (at === 0 ? "" : " ") + cut(toText(args[at]));
    print(cut(line));
  };
  const console = create(null);
  for (const level of ["log", "info", "warn", "error", "debug"]) console[level] = log;
  freeze(console);

  const describe = (error) => {
    const told = { name: "", message: "", stack: "" };
    try {
      const isError = typeof error === "object" && error !== null && typeof error.stack === "string";
      told.name = isError ? cut(S(error.name)) : "thrown";
      if (isError && error instanceof ToolError) told.name = "ToolError (" + error.kind + ")";
      told.message = cut(isError ? S(error.message) : toText(error));
      told.stack = isError ? cut(error.stack) : "";
    } catch {
      told.message = "an error that cannot be described";
    }
    return stringify(told);
  };

  let a = seed[0] | 0, b = seed[1] | 0, c = seed[2] | 0, d = 1;
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let at = 0; at < 12; at++) next();
  hide(M, "random", () => (next() >>> 5) / 134217728 + (next() >>> 6) / 9007199254740992);

  const result = create(null);
  result.tools = tools;
  result.console = console;
  result.settle = settle;
  result.describe = describe;
  result.parse = (text) => parse(text);
  result.stringify = (value) => {
    const text = stringify(value);
    return text === undefined ? "null" : text;
  };
  return result;
})`;
