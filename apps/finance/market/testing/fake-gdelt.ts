/**
 * Fake GDELT: headlines about any phrase on loopback. It complains in plain text: with status 200 about a short phrase,
 * and about haste with either status and the label of HTML.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";

/** Settings of the fake service. */
export interface FakeGdeltOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** The number of requests it answers before it complains of haste; all if not given. */
  readonly allowed?: number;
  /** The status with which it complains; 429 if not given. */
  readonly hasteStatus?: 200 | 429;
}

export type FakeGdelt = FakeServer;

const HTML = { "content-type": "text/html; charset=utf-8" };
const HASTE = "Please limit requests to one every 5 seconds or contact the project for larger queries.\n";
const HOUR_MS = 3_600_000;
const ARTICLES = 40;

/** Starts one: `await using gdelt = await FakeGdelt.start()`. */
export const FakeGdelt = {
  start: (options: FakeGdeltOptions = {}): Promise<FakeGdelt> => {
    const { now = () => Date.now(), allowed = Infinity, hasteStatus = 429 } = options;
    let asked = 0;
    return FakeServer.start((seen) => {
      asked++;
      if (asked > allowed) return { status: hasteStatus, body: HASTE, headers: HTML };
      return toReply(seen, now());
    });
  },
};

function toReply({ path, query }: Seen, now: number): Reply {
  if (path !== "/api/v2/doc/doc") return { status: 404, body: "Not found", headers: HTML };
  const search = query.get("query") ?? "";
  const phrase = /"([^"]*)"/.exec(search)?.[1];
  if (phrase !== undefined && phrase.length < 5) {
    return { body: "The specified phrase is too short.\n", headers: HTML };
  }
  if (query.get("mode") !== "artlist" || query.get("format") !== "json") {
    return { body: "<!doctype html><p>articles</p>", headers: HTML };
  }
  if (search.includes("nobody")) return { body: "{}" };
  const about = phrase ?? search.split(" ")[0] ?? "";
  const count = Math.min(ARTICLES, Number(query.get("maxrecords") ?? 75));
  const articles = Array.from({ length: count }, (_, index) => toArticle(about, index, now - index * HOUR_MS));
  return { body: JSON.stringify({ articles }) };
}

/** The second repeats the first in another paper. */
function toArticle(about: string, index: number, ms: number) {
  const seen = new Date(ms).toISOString().slice(0, 19).replaceAll("-", "").replaceAll(":", "");
  return {
    url: index === 2 ? "javascript:alert(1)" : `https://paper${index}.example/story`,
    url_mobile: "",
    title: `${about} story ${index === 1 ? 0 : index}`,
    seendate: index === 3 ? "yesterday" : `${seen}Z`,
    socialimage: "",
    domain: `paper${index}.example`,
    language: index === 4 ? "Vietnamese" : "English",
    sourcecountry: "United States",
  };
}
