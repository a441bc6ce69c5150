/**
 * Route: what an address of the console means. The address is the state: a reload, a second tab and a sent link show
 * the same.
 */

/** The tabs of the inspector. */
export const TABS = ["xray", "output", "events"] as const;

/** One of them. */
export type Tab = (typeof TABS)[number];

/** The filters of the list of runs. */
export interface RunsFilter {
  readonly status?: string;
  readonly outcome?: string;
  readonly crew?: string;
  readonly q?: string;
  /** `all`: with runs that follow others. */
  readonly after?: "all";
}

/** A page, and what of it is shown. */
export type PageRoute =
  | Readonly<{ page: "chat"; session?: string; run?: string; crew?: string }>
  | (Readonly<{ page: "runs" }> & RunsFilter)
  | Readonly<{ page: "run"; id: string; at?: number; sel?: string; tab?: Tab; vs?: string }>
  | Readonly<{ page: "crews" }>
  | Readonly<{ page: "crew"; id: string; agent?: string }>
  | Readonly<{ page: "overview" }>
  | Readonly<{ page: "unknown"; path: string }>;

/** Reads an address; one that is not the console's is `unknown`. */
export function parseRoute(path: string, search: string): PageRoute {
  const query = new URLSearchParams(search);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const [first = "", second, ...rest] = path.split("/").slice(1).map(decode);
  if (rest.length > 0) return { page: "unknown", path };
  switch (first) {
    case "":
      return given({ page: "chat" as const, crew: text("crew") });
    case "chat":
      return given({ page: "chat" as const, session: second, run: text("run") });
    case "runs":
      return second === undefined || second === "" ? readRuns(text) : readRun(second, text);
    case "crews":
      if (second === undefined || second === "") return { page: "crews" };
      return given({ page: "crew" as const, id: second, agent: text("agent") });
    case "overview":
      return second === undefined ? { page: "overview" } : { page: "unknown", path };
    default:
      return { page: "unknown", path };
  }
}

type ReadText = (name: string) => string | undefined;

function readRuns(text: ReadText): PageRoute {
  return given({
    page: "runs" as const,
    status: text("status"),
    outcome: text("outcome"),
    crew: text("crew"),
    q: text("q"),
    after: text("after") === "all" ? ("all" as const) : undefined,
  });
}

function readRun(id: string, text: ReadText): PageRoute {
  const at = Number(text("at"));
  const tab = TABS.find((one) => one === text("tab"));
  const isEvent = Number.isInteger(at) && at > 0;
  return given({ page: "run" as const, id, at: isEvent ? at : undefined, sel: text("sel"), tab, vs: text("vs") });
}

/** The address of a route. */
export function toAddress(route: PageRoute): string {
  switch (route.page) {
    case "chat": {
      const { session, run, crew } = route;
      return session === undefined ? join([], { crew }) : join(["chat", session], { run });
    }
    case "runs": {
      const { status, outcome, crew, q, after } = route;
      return join(["runs"], { status, outcome, crew, q, after });
    }
    case "run": {
      const { id, at, sel, tab, vs } = route;
      return join(["runs", id], { at, sel, tab, vs });
    }
    case "crews":
      return "/crews";
    case "crew":
      return join(["crews", route.id], { agent: route.agent });
    case "overview":
      return "/overview";
    case "unknown":
      return route.path;
  }
}

function join(parts: readonly string[], query: Readonly<Record<string, string | number | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const tail = search.toString();
  return `/${parts.map(encodeURIComponent).join("/")}${tail === "" ? "" : `?${tail}`}`;
}

/** A part of a path that is not valid percent encoding is taken as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Given<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Without what is undefined. */
function given<T extends object>(fields: T): Given<T>;
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
