/**
 * With methods: the same object, with some of its methods replaced.
 */

/** An object that is as before except for these methods. */
export function withMethods<T extends object>(object: T, methods: Partial<T>): T {
  const own = new Map<PropertyKey, unknown>(Object.entries(methods));
  // Objects with private fields must be called on themselves.
  return new Proxy(object, {
    get(target, name) {
      const replaced = own.get(name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const bound: unknown = value.bind(target);
      return bound;
    },
  });
}
