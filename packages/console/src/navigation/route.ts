/**
 * Route: what an address of the console means. The address is the state: a reload, a second tab and a sent link show
 * the same.
 */

/** The tabs of the inspector. */
export const TABS = ["xray", "output", "events"] as const;

/** One of them. */
export type Tab = (typeof TABS)[number];

/** Reads a field of the query; undefined if the text is not valid. */
type ReadField = (text: string) => string | number | undefined;

interface PageAddress {
  /** The first one whose `:fields` are all given is the address of a route. */
  readonly paths: readonly string[];
  readonly query?: Readonly<Record<string, ReadField>>;
}

const text = (value: string): string => value;

function eventNumber(value: string): number | undefined {
  const seq = Number(value);
  return Number.isInteger(seq) && seq > 0 ? seq : undefined;
}

function oneOf<const Value extends string>(values: readonly Value[]): (value: string) => Value | undefined {
  return (value) => values.find((one) => one === value);
}

/** Every page and its address; of two that fit, the first. */
const PAGES = {
  chat: { paths: ["/chat/:session", "/", "/chat"], query: { run: text, crew: text } },
  runs: {
    paths: ["/runs"],
    query: {
      status: text,
      outcome: text,
      crew: text,
      model: text,
      tool: text,
      user: text,
      feedback: text,
      since: text,
      until: text,
      q: text,
      sort: text,
      after: oneOf(["all"]),
    },
  },
  run: { paths: ["/runs/:id"], query: { at: eventNumber, sel: text, tab: oneOf(TABS), vs: text } },
  playground: { paths: ["/runs/:id/playground"], query: { step: text } },
  compare: { paths: ["/runs/:id/compare/:other"], query: {} },
  crews: { paths: ["/crews"], query: {} },
  crew: { paths: ["/crews/:id"], query: { agent: text } },
  policies: { paths: ["/evals/policies"], query: {} },
  evals: { paths: ["/evals/:dataset", "/evals"], query: { base: text, to: text, case: text } },
  portfolio: { paths: ["/market/portfolio"], query: {} },
  alerts: { paths: ["/market/alerts"], query: {} },
  market: { paths: ["/market/:symbol", "/market"], query: { range: text } },
  overview: { paths: ["/overview"], query: { window: text, crew: text, model: text, user: text } },
  tools: { paths: ["/server/tools/:crew/:tool", "/server/tools"], query: {} },
  models: { paths: ["/server/models"], query: {} },
  mcp: { paths: ["/server/mcp"], query: {} },
  channels: { paths: ["/server/channels"], query: {} },
  memory: { paths: ["/server/memory"], query: {} },
  sources: { paths: ["/server/sources"], query: {} },
  keys: { paths: ["/server/keys"], query: {} },
  share: { paths: ["/share/:token"], query: { at: eventNumber } },
} as const satisfies Readonly<Record<string, PageAddress>>;

type Pages = typeof PAGES;

/** The name of a page. */
export type PageName = keyof Pages | "unknown";

type FieldOf<Part extends string> = Part extends `:${infer Name}` ? Name : never;
type FieldsOf<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? FieldOf<Part> | FieldsOf<Rest>
  : FieldOf<Path>;

/** The fields of a page with one address are always given. */
type PathFields<Paths extends readonly string[]> = Paths["length"] extends 1
  ? Record<FieldsOf<Paths[0]>, string>
  : Partial<Record<FieldsOf<Paths[number]>, string>>;

type QueryFields<Query extends Readonly<Record<string, ReadField>>> = {
  [Name in keyof Query]?: NonNullable<ReturnType<Query[Name]>>;
};

type KnownRoutes = {
  [Page in keyof Pages]: Readonly<
    { page: Page } & PathFields<Pages[Page]["paths"]> & QueryFields<Pages[Page]["query"]>
  >;
};

/** A page, and what of it is shown. */
export type PageRoute = KnownRoutes[keyof Pages] | Readonly<{ page: "unknown"; path: string }>;

/** The route of one page. */
export type RouteOf<Page extends PageName> = Extract<PageRoute, { page: Page }>;

/** The filters of the list of runs. */
export type RunsFilter = Omit<RouteOf<"runs">, "page">;

/** Reads an address; one that is not the console's is `unknown`. */
export function parseRoute(path: string, search: string): PageRoute;
export function parseRoute(path: string, search: string): object {
  const parts = partsOf(path).map(decode);
  for (const [page, { paths, query }] of Object.entries(PAGES)) {
    const fields = paths.map((one) => matchPath(partsOf(one), parts)).find((found) => found !== undefined);
    if (fields !== undefined) return { page, ...fields, ...readQuery(query, new URLSearchParams(search)) };
  }
  return { page: "unknown", path };
}

/** The address of a route. */
export function toAddress(route: PageRoute): string {
  if (route.page === "unknown") return route.path;
  const { page, ...fields } = route;
  const given: ReadonlyMap<string, string | number> = new Map(Object.entries(fields));
  const { paths, query }: PageAddress = PAGES[page];
  const path = paths.find((one) => fieldsOf(one).every((name) => given.has(name))) ?? "/";
  const search = new URLSearchParams();
  for (const name of Object.keys(query ?? {})) {
    const value = given.get(name);
    if (value !== undefined) search.set(name, String(value));
  }
  const filled = partsOf(path).map((part) =>
    part.startsWith(":") ? encodeURIComponent(String(given.get(part.slice(1)))) : part,
  );
  return `/${filled.join("/")}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

function fieldsOf(path: string): readonly string[] {
  return partsOf(path).flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : []));
}

function matchPath(wanted: readonly string[], parts: readonly string[]): object | undefined {
  if (wanted.length !== parts.length) return undefined;
  const isSame = wanted.every((part, at) => part.startsWith(":") || part === parts[at]);
  if (!isSame) return undefined;
  return Object.fromEntries(wanted.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), parts[at]]] : [])));
}

function readQuery(query: Readonly<Record<string, ReadField>>, search: URLSearchParams): object {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, read]) => {
      const value = read(search.get(name) ?? "");
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

/** A part of a path that is not valid percent encoding is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
