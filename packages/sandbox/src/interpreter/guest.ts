/**
 * Guest: one instance of QuickJS with limits, in a worker.
 *
 * It has no files, network, environment, processes and timers; time and randomness are what it is given. Only strings
 * cross. CPU is counted in interrupts, so that a limit falls at the same place on every machine; code cannot catch it.
 */
import { EvalFlags, Intrinsics, JSException, JSValueHandle, QuickJS } from "quickjs-wasi";
import type { GuestCall, GuestEnd, GuestFailure, GuestSettle, GuestStart, GuestStep } from "./guest-message.ts";
import { PRELUDE } from "./prelude.ts";
import { HEAD_COLUMNS, mayHaveTypeArguments, stripTypes, wrap } from "./source.ts";

const INTERRUPTS_PER_SECOND = 5_000;
/** Share of an interrupt that a job and a call out of the instance cost beside their instructions. */
const JOB_COST = 0.01;
const CALL_OUT_COST = 0.04;
const STACK_BYTES = 256 * 1_024;
const MAX_ARGS_CHARS = 256 * 1_024;
const MAX_ALL_ARGS_CHARS = 4 * 1_024 * 1_024;
const MAX_RESULT_CHARS = 1_024 * 1_024;
const MAX_LINE_CHARS = 8_000;
/** Characters of the console that an error shows. */
const CONSOLE_END = 1_000;
const FILE = "code";
const PENDING = 0;
const FULFILLED = 1;

/** A failure of the code, told as its end. */
class Failure extends Error {
  readonly kind: GuestFailure;
  /** The thread cannot be used any more. */
  readonly isBroken: boolean;
  constructor(kind: GuestFailure, message: string, details: { readonly isBroken?: boolean } = {}) {
    super(message);
    this.kind = kind;
    this.isBroken = details.isBroken ?? false;
  }
}

/** Functions and objects of the prelude. */
type Given = Readonly<Record<"tools" | "console" | "settle" | "describe" | "parse" | "stringify", JSValueHandle>>;

/** One instance, from its start to its end. */
export class Guest {
  readonly #vm: QuickJS;
  readonly #start: GuestStart;
  readonly #meter: { interrupts: number; at: number };
  readonly #lines: string[] = [];
  #consoleChars = 0;
  #calls: GuestCall[] = [];
  #made = 0;
  #open = 0;
  #argsChars = 0;
  #given: Given | undefined;
  /** Promise of what the code returns. */
  #promise: JSValueHandle | undefined;
  #outcome: GuestEnd | undefined;

  private constructor(vm: QuickJS, start: GuestStart, meter: { interrupts: number; at: number }) {
    this.#vm = vm;
    this.#start = start;
    this.#meter = meter;
  }

  static async create(wasm: WebAssembly.Module, start: GuestStart): Promise<Guest> {
    const { memoryMb, cpuSeconds } = start.limits;
    const meter = { interrupts: 0, at: start.at };
    const most = cpuSeconds * INTERRUPTS_PER_SECOND;
    const vm = await QuickJS.create({
      wasm,
      memoryLimit: memoryMb * 1_024 * 1_024,
      maxStackSize: STACK_BYTES,
      timezoneOffset: 0,
      intrinsics: Intrinsics.ALL & ~Intrinsics.WEAK_REF & ~Intrinsics.PERFORMANCE,
      interruptHandler: () => ++meter.interrupts > most,
      wasi: (memory) => ({
        clock_time_get(_id: number, _precision: bigint, result: number) {
          new DataView(memory.buffer).setBigUint64(result, BigInt(Math.floor(meter.at)) * 1_000_000n, true);
          return 0;
        },
        random_get(address: number, length: number) {
          new Uint8Array(memory.buffer, address, length).fill(0);
          return 0;
        },
        fd_write: () => 8,
      }),
    });
    return new Guest(vm, start, meter);
  }

  /** Begins, and runs until only the result of a call can move it on. */
  begin(): GuestStep {
    return this.#step(() => {
      this.#given = this.#prepare();
      const { tools, console, parse } = this.#given;
      const { kind, input = "null" } = this.#start;
      if (kind !== "code") this.#vm.setProp(this.#vm.global, "console", console);
      if (kind === "check") {
        this.#evalModule();
        this.#outcome = { result: "null", console: "" };
        return;
      }
      const run = kind === "code" ? this.#evalCode() : this.#evalModule();
      const args = kind === "code" ? [tools, console] : [this.#call(parse, this.#vm.newString(input))];
      this.#promise = this.#call(run, ...args);
    });
  }

  /** Hands a result in. */
  settle({ call, kind, text, at }: GuestSettle): GuestStep {
    return this.#step(() => {
      this.#meter.at = at;
      this.#open--;
      const vm = this.#vm;
      if (this.#given !== undefined)
        this.#call(this.#given.settle, vm.newNumber(call), vm.newString(kind), vm.newString(text));
    });
  }

  dispose(): void {
    this.#vm.dispose();
  }

  /** Does some work and all jobs that follow from it. */
  #step(work: () => void): GuestStep {
    this.#calls = [];
    try {
      work();
      this.#runJobs();
      this.#outcome ??= this.#readOutcome();
    } catch (thrown) {
      return { calls: [], end: this.#toFailed(thrown) };
    }
    if (this.#isSpent) return { calls: [], end: this.#toFailed(undefined) };
    const calls = this.#calls;
    if (this.#open > 0) return { calls };
    return { calls, end: this.#outcome ?? this.#toEnd("permanent", "the code awaits something that never settles") };
  }

  /** Runs all jobs; one that throws ends the code. */
  #runJobs(): void {
    const exports = this.#vm._getExports();
    while (exports.qjs_is_job_pending() !== 0) {
      this.#meter.interrupts += JOB_COST;
      if (this.#isSpent) return;
      if (exports.qjs_execute_pending_job() < 0) throw this.#toThrown(this.#vm.getException());
    }
  }

  get #isSpent(): boolean {
    return this.#meter.interrupts > this.#start.limits.cpuSeconds * INTERRUPTS_PER_SECOND;
  }

  #prepare(): Given {
    const vm = this.#vm;
    const { tools, seed } = this.#start;
    const call = vm.newFunction("call", (...[name, args, stack]) =>
      vm.newString(this.#take(name?.toString() ?? "", args?.toString() ?? "", stack?.toString() ?? "")),
    );
    const print = vm.newFunction("print", (text) => {
      this.#print(text?.toString() ?? "");
      return vm.undefined;
    });
    const make = vm.evalCode(PRELUDE, "baton");
    const parts = [call, print, vm.hostToHandle(tools), vm.hostToHandle(seed), vm.newNumber(MAX_LINE_CHARS)];
    const made = this.#call(make, ...parts);
    const get = (name: string) => made.getProp(name);
    return {
      tools: get("tools"),
      console: get("console"),
      settle: get("settle"),
      describe: get("describe"),
      parse: get("parse"),
      stringify: get("stringify"),
    };
  }

  #call(run: JSValueHandle, ...args: readonly JSValueHandle[]): JSValueHandle {
    return this.#vm.callFunction(run, this.#vm.undefined, ...args);
  }

  /** The function whose body is the code; what QuickJS can parse is not stripped of types if it has none. */
  #evalCode(): JSValueHandle {
    const { source } = this.#start;
    const script = wrap(source);
    let refused: unknown;
    if (!mayHaveTypeArguments(source)) {
      try {
        return this.#toFunction(this.#vm.evalCode(script, FILE));
      } catch (thrown) {
        refused = thrown;
      }
    }
    if (this.#isSpent) throw refused;
    const stripped = this.#strip(script);
    if ("source" in stripped) return this.#toFunction(this.#evalScript(stripped.source));
    // JavaScript that TypeScript does not read is code all the same.
    if (refused === undefined) {
      try {
        return this.#toFunction(this.#vm.evalCode(script, FILE));
      } catch {
        // Told as the stripper does.
      }
    }
    throw this.#toSyntax(stripped.problem, stripped.line);
  }

  #strip(source: string): ReturnType<typeof stripTypes> {
    try {
      return stripTypes(source);
    } catch {
      const what = "it is nested too deeply, or broken in a way that cannot be told";
      throw new Failure("validation", `the code is not valid TypeScript: ${what}`, { isBroken: true });
    }
  }

  #evalScript(script: string, flags?: number): JSValueHandle {
    try {
      return this.#vm.evalCode(script, FILE, flags);
    } catch (thrown) {
      if (!(thrown instanceof JSException) || thrown.name !== "SyntaxError") throw thrown;
      throw this.#toSyntax(thrown.message, findPlace(thrown.stack ?? "")?.line);
    }
  }

  #toFunction(value: JSValueHandle): JSValueHandle {
    if (value.isFunction) return value;
    throw new Failure("validation", "the code is not the body of one function: a bracket closes it too early");
  }

  #evalModule(): JSValueHandle {
    const { source } = this.#start;
    const stripped = this.#strip(source);
    if ("problem" in stripped) throw this.#toSyntax(stripped.problem, stripped.line);
    const promise = this.#evalScript(stripped.source, EvalFlags.TYPE_MODULE);
    this.#runJobs();
    const exported = this.#resultOf(promise);
    if (promise.promiseState !== FULFILLED) throw this.#toThrown(exported);
    const run = exported.getProp("default");
    if (run.isFunction) return run;
    throw new Failure("validation", "the module's default export is not a function");
  }

  #toSyntax(problem: string, line: number | undefined): Failure {
    const what = this.#start.kind === "code" ? "the code" : "the module";
    return new Failure("validation", `${what} is not valid TypeScript: ${problem}${this.#showPlace({ line })}`);
  }

  #resultOf(promise: JSValueHandle): JSValueHandle {
    return new JSValueHandle(this.#vm, this.#vm._getExports().qjs_promise_result(promise.ptr));
  }

  /** The end of the function, once it has settled; a function that is not async has ended at once. */
  #readOutcome(): GuestEnd | undefined {
    const promise = this.#promise;
    if (promise === undefined || this.#given === undefined) return undefined;
    if (promise.isPromise && promise.promiseState === PENDING) return undefined;
    const result = promise.isPromise ? this.#resultOf(promise) : promise;
    if (promise.isPromise && promise.promiseState !== FULFILLED) throw this.#toThrown(result);
    const text = this.#call(this.#given.stringify, result).toString();
    const { length } = text;
    const kept =
      length > MAX_RESULT_CHARS ? { result: text.slice(0, MAX_RESULT_CHARS), wholeChars: length } : { result: text };
    return { ...kept, console: this.#console };
  }

  /** Takes a call; returns why it is refused, or nothing. */
  #take(tool: string, args: string, stack: string): string {
    const { maxCalls, settings } = this.#start.limits;
    this.#meter.interrupts += CALL_OUT_COST;
    if (this.#made >= maxCalls) return `the code may make ${maxCalls} calls (${settings.calls})`;
    if (args.length > MAX_ARGS_CHARS)
      return `the arguments of ${tool} have ${args.length} characters; at most ${MAX_ARGS_CHARS} are taken`;
    this.#argsChars += args.length;
    if (this.#argsChars > MAX_ALL_ARGS_CHARS)
      return `the arguments of all calls have more than ${MAX_ALL_ARGS_CHARS} characters`;
    this.#made++;
    this.#open++;
    const line = findPlace(stack)?.line;
    this.#calls.push(line === undefined ? { tool, args } : { tool, args, line });
    return "";
  }

  /** Keeps the end of the console. */
  #print(line: string): void {
    const { maxConsoleChars } = this.#start.limits;
    this.#meter.interrupts += CALL_OUT_COST;
    this.#lines.push(line);
    this.#consoleChars += line.length + 1;
    while (this.#lines.length > 1 && this.#consoleChars - (this.#lines[0]?.length ?? 0) - 1 >= maxConsoleChars) {
      this.#consoleChars -= (this.#lines.shift()?.length ?? 0) + 1;
    }
  }

  get #console(): string {
    return this.#lines.join("\n").slice(-this.#start.limits.maxConsoleChars || Infinity);
  }

  #toEnd(kind: GuestFailure, message: string): GuestEnd {
    const said = this.#console;
    const end = said.length > CONSOLE_END ? `…${said.slice(-CONSOLE_END)}` : said;
    return { kind, message: end === "" ? message : `${message}\nconsole:\n${end}`, console: said };
  }

  /** The end of code that threw, or that reached a limit. Anything but an error of the guest breaks the instance. */
  #toFailed(thrown: unknown): GuestEnd {
    const { limits } = this.#start;
    if (this.#isSpent) {
      const message = `the code used more than ${limits.cpuSeconds} s of CPU (${limits.settings.cpu})`;
      return { ...this.#toEnd("timeout", message), isBroken: true };
    }
    const failure = thrown instanceof JSException ? this.#toThrown(thrown.handle) : thrown;
    if (failure instanceof Failure) {
      return { ...this.#toEnd(failure.kind, failure.message), isBroken: failure.isBroken };
    }
    const text = failure instanceof Error ? failure.message : String(failure);
    return { ...this.#toEnd("crash", `the interpreter failed: ${text.slice(0, 200)}`), isBroken: true };
  }

  /** A value that the code threw: its name, its message, its line. */
  #toThrown(error: JSValueHandle): Failure {
    if (this.#given === undefined) return new Failure("crash", "the interpreter could not be prepared");
    const told: unknown = JSON.parse(this.#call(this.#given.describe, error).toString());
    const { name, message, stack } = readTold(told);
    const { memoryMb, settings } = this.#start.limits;
    if (name === "InternalError" && message === "out of memory")
      return new Failure(
        "crash",
        `the code needs more than ${memoryMb} MB (${settings.memory})${this.#showPlace(findPlace(stack))}`,
      );
    return new Failure("permanent", `${name}: ${message}${this.#showPlace(findPlace(stack))}`);
  }

  /** A place in the code, with its line. */
  #showPlace(place: Readonly<{ line: number | undefined; column?: number }> | undefined): string {
    if (place?.line === undefined) return "";
    const { line, column } = place;
    const text = this.#start.source.split("\n")[line - 1]?.trim().slice(0, 200) ?? "";
    const own = line === 1 && this.#start.kind === "code" ? HEAD_COLUMNS : 0;
    const at = column === undefined || column <= own ? `line ${line}` : `line ${line}, column ${column - own}`;
    return text === "" ? ` (${at})` : ` (${at})\n${line} | ${text}`;
  }
}

/** The newest frame of a stack that is in the code: `at name (code:4:8)`. */
function findPlace(stack: string): Readonly<{ line: number; column: number }> | undefined {
  for (const frame of stack.split("\n")) {
    const at = frame.lastIndexOf(`${FILE}:`);
    const before = frame[at - 1];
    if (at < 0 || (before !== "(" && before !== " ")) continue;
    const [line, column] = frame
      .slice(at + FILE.length + 1)
      .split(":")
      .map((part) => Number.parseInt(part, 10));
    if (line !== undefined && line >= 1) return { line, column: column ?? 0 };
  }
  return undefined;
}

function readTold(told: unknown): Readonly<Record<"name" | "message" | "stack", string>> {
  const get = (key: string): string => {
    const value: unknown = typeof told === "object" && told !== null ? Reflect.get(told, key) : "";
    return typeof value === "string" ? value : "";
  };
  return { name: get("name"), message: get("message"), stack: get("stack") };
}
