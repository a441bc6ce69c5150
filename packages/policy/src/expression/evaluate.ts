/**
 * Evaluate: the value of an expression, within a number of steps. It throws nothing but `ExpressionError`.
 */
import { type FunctionContext, FUNCTIONS, METHODS } from "./functions.ts";
import type { Node } from "./parse.ts";
import { ExpressionError } from "./token.ts";
import {
  Budget,
  compareTexts,
  entriesOf,
  isEqual,
  isList,
  isMap,
  lookUp,
  NOT_A_MAP,
  typeOf,
  type Value,
} from "./value.ts";

const MAX_STEPS = 100_000;

/** Names and values that an expression is evaluated with. */
export interface ExpressionEnvironment {
  /** The value of a name; undefined if there is none. */
  readonly get: (name: string) => Value | undefined;
  readonly isTainted?: FunctionContext["isTainted"];
}

/** A fresh amount of work. */
export function newBudget(): Budget {
  return new Budget(MAX_STEPS);
}

/** Evaluates an expression; several may share a budget. */
export function evaluate(node: Node, environment: ExpressionEnvironment, budget = newBudget()): Value {
  return new Evaluation(environment, budget).of(node);
}

class Evaluation {
  readonly #environment: ExpressionEnvironment;
  readonly #context: FunctionContext;
  readonly #bound: [string, Value][] = [];

  constructor(environment: ExpressionEnvironment, budget: Budget) {
    this.#environment = environment;
    this.#context = { budget, isTainted: environment.isTainted ?? (() => false) };
  }

  of(node: Node): Value {
    this.#context.budget.take(1);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "name":
        return this.#name(node.name);
      case "list":
        return node.items.map((item) => this.of(item));
      case "map":
        return this.#map(node.entries);
      case "member":
        return get(this.of(node.of), node.name);
      case "index":
        return this.#index(node);
      case "has":
        return this.#has(node);
      case "unary":
        return node.op === "!" ? !this.#flag(node.of) : -toNumber(this.of(node.of), "-");
      case "binary":
        return this.#binary(node);
      case "choice":
        return this.of(this.#flag(node.condition) ? node.yes : node.no);
      case "call":
        return this.#call(FUNCTIONS, node.name, node.args);
      case "method":
        return this.#call(METHODS, node.name, [node.of, ...node.args]);
      case "macro":
        return this.#macro(node);
    }
  }

  #name(name: string): Value {
    const bound = this.#bound.findLast(([own]) => own === name);
    const value = bound === undefined ? this.#environment.get(name) : bound[1];
    if (value === undefined) throw new ExpressionError(`there is no "${name}" here`);
    return value;
  }

  #flag(node: Node): boolean {
    const value = this.of(node);
    if (typeof value === "boolean") return value;
    throw new ExpressionError(`a condition must be true or false, not ${typeOf(value)}`);
  }

  #map(entries: readonly (readonly [Node, Node])[]): Value {
    const map = new Map<Value, Value>();
    for (const [left, right] of entries) {
      const key = this.of(left);
      if (!isKey(key)) throw new ExpressionError(`the key of a map cannot be ${typeOf(key)}`);
      if (map.has(key)) throw new ExpressionError(`a map has the key ${JSON.stringify(key)} twice`);
      map.set(key, this.of(right));
    }
    return map;
  }

  #index(node: Extract<Node, { kind: "index" }>): Value {
    const [of, key] = [this.of(node.of), this.of(node.key)];
    if (!isList(of)) return get(of, key);
    const item = typeof key === "number" && Number.isInteger(key) ? of[key] : undefined;
    if (item === undefined) throw new ExpressionError(`a list of ${of.length} has no item ${show(key)}`);
    return item;
  }

  #has({ of, name }: Extract<Node, { kind: "has" }>): boolean {
    const value = lookUp(this.of(of), name);
    if (value === NOT_A_MAP) throw new ExpressionError(`has() looks for "${name}" in something that is not a map`);
    return value !== undefined;
  }

  #binary({ op, left, right }: Extract<Node, { kind: "binary" }>): Value {
    if (op === "&&" || op === "||") return this.#logic(left, right, op);
    const [one, other] = [this.of(left), this.of(right)];
    const { budget } = this.#context;
    switch (op) {
      case "==":
        return isEqual(one, other, budget);
      case "!=":
        return !isEqual(one, other, budget);
      case "in":
        return isIn(one, other, budget);
      case "+":
        return add(one, other, budget);
      case "<":
        return order(one, other, budget) < 0;
      case "<=":
        return order(one, other, budget) <= 0;
      case ">":
        return order(one, other, budget) > 0;
      case ">=":
        return order(one, other, budget) >= 0;
      default:
        return calculate(op, toNumber(one, op), toNumber(other, op));
    }
  }

  /** One side that decides is enough, whatever becomes of the other. */
  #logic(left: Node, right: Node, op: "&&" | "||"): boolean {
    const decisive = op === "||";
    try {
      if (this.#flag(left) === decisive) return decisive;
    } catch (thrown) {
      if (thrown instanceof ExpressionError && this.#flag(right) === decisive) return decisive;
      throw thrown;
    }
    return this.#flag(right);
  }

  #call(functions: typeof FUNCTIONS, name: string, args: readonly Node[]): Value {
    const known = functions.get(name);
    if (known === undefined || args.length < known.least || args.length > known.most)
      throw new ExpressionError(`there is no function ${name}() with ${args.length} arguments`);
    return known.run(
      args.map((arg) => this.of(arg)),
      this.#context,
    );
  }

  #macro({ name, of, variable, body }: Extract<Node, { kind: "macro" }>): Value {
    const list = this.of(of);
    const items = isList(list) ? list : entriesOf(list)?.map(([key]) => key);
    if (items === undefined) throw new ExpressionError(`${name}() is for a list, not ${typeOf(list)}`);
    if (name === "map") return items.map((item) => this.#with(variable, item, () => this.of(body)));
    const test = (item: Value) => this.#with(variable, item, () => this.#flag(body));
    if (name === "filter") return items.filter(test);
    return this.#search(items, test, name);
  }

  /** Whether an item decides; an item that fails counts only if none does. */
  #search(items: readonly Value[], test: (item: Value) => boolean, name: string): boolean {
    const decisive = name === "exists";
    let failed: ExpressionError | undefined;
    for (const item of items) {
      try {
        if (test(item) === decisive) return decisive;
      } catch (thrown) {
        if (!(thrown instanceof ExpressionError)) throw thrown;
        this.#context.budget.take(1);
        failed ??= thrown;
      }
    }
    if (failed !== undefined) throw failed;
    return !decisive;
  }

  #with<T>(variable: string, value: Value, work: () => T): T {
    const { length } = this.#bound;
    this.#bound.push([variable, value]);
    try {
      return work();
    } finally {
      this.#bound.length = length;
    }
  }
}

/** Whether a value can be a key. */
export function isKey(value: Value): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function get(of: Value, key: Value): Value {
  const value = lookUp(of, key);
  if (value === NOT_A_MAP) throw new ExpressionError(`there is no field ${show(key)} in ${typeOf(of)}`);
  if (value === undefined) throw new ExpressionError(`there is no field ${show(key)}`);
  return value;
}

function show(key: Value): string {
  return isKey(key) ? JSON.stringify(key).slice(0, 60) : typeOf(key);
}

function isIn(item: Value, list: Value, budget: Budget): boolean {
  if (isList(list)) return list.some((one) => isEqual(item, one, budget));
  if (!isMap(list)) throw new ExpressionError(`\`in\` looks into a list or a map, not ${typeOf(list)}`);
  return lookUp(list, item) !== undefined;
}

function add(one: Value, other: Value, budget: Budget): Value {
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (typeof one === "string" && typeof other === "string") {
    budget.read(one.length + other.length);
    return one + other;
  }
  if (!isList(one) || !isList(other)) throw new ExpressionError(`+ cannot add ${typeOf(one)} and ${typeOf(other)}`);
  budget.take(one.length + other.length);
  return [...one, ...other];
}

function order(one: Value, other: Value, budget: Budget): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other, budget);
  if (typeof one === "boolean" && typeof other === "boolean") return Number(one) - Number(other);
  throw new ExpressionError(`${typeOf(one)} cannot be compared with ${typeOf(other)}`);
}

function calculate(op: string, one: number, other: number): number {
  if (op === "-") return one - other;
  if (op === "*") return one * other;
  if (other === 0) throw new ExpressionError("division by zero");
  return op === "/" ? one / other : one % other;
}

function toNumber(value: Value, op: string): number {
  if (typeof value === "number") return value;
  throw new ExpressionError(`${op} takes numbers, not ${typeOf(value)}`);
}
