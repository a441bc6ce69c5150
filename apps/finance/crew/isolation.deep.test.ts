/** Users of one tenant, with the same session ids, for many turns each: nobody sees anything of anybody else. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import type { Database } from "@baton/store";
import { z } from "zod";
import {
  adoptLocal,
  type As,
  type IsolationHarness,
  makeKey,
  openShared,
  recordingCache,
  serveAssistant,
} from "./testing/isolation-harness.ts";

/** Turns of each user; in all 150, each question is asked. */
const TURNS = inSlice(Array.from({ length: 150 }, (_, turn) => turn)).length;
const SESSIONS = ["s0", "s1", "s2", "s3"] as const;

/** A user, a word that others ask for, and what none of them may ever see. */
interface Person {
  readonly user: string;
  readonly key: string;
  readonly secret: string;
  readonly symbol: string;
  readonly level: string;
  readonly tool: string;
  readonly question: string;
}

const ANN: Person = {
  user: "ann",
  key: "zarquon",
  secret: "mellifont",
  symbol: "KMB",
  level: "987",
  tool: "getTechnicalIndicators",
  question: "RSI of KMB",
};
const BOB: Person = {
  user: "bob",
  key: "vexilto",
  secret: "brandywok",
  symbol: "CLX",
  level: "876",
  tool: "compareMetrics",
  question: "P/E of CLX",
};
/** Was `local` before there were keys, and has adopted what was kept then. */
const CAROL: Person = {
  user: "carol",
  key: "loquist",
  secret: "quillberry",
  symbol: "HSY",
  level: "765",
  tool: "getIncomeStatement",
  question: "income statement of HSY",
};
const PEOPLE = [ANN, BOB, CAROL] as const;
const othersOf = ({ user }: Person): readonly Person[] => PEOPLE.filter((one) => one.user !== user);

/** Something of every kind that is kept. */
const planted = ({ key, secret, symbol, level, question }: Person): readonly string[] => [
  `Remember that I like ${key} ${secret} dividends`,
  `Remember that my garden is full of ${key} ${secret} plants`,
  `I live in ${secret} ${key}`,
  `Import these holdings:\nSymbol,Quantity,Cost,Account\n${symbol},37,120,${secret}\nMSFT,12,60,${secret}`,
  `Alert me when ${symbol} is above ${level}`,
  `add ${symbol} to my watchlist`,
  question,
  "how risky is my portfolio?",
];

/** Questions that show everything that is known, and questions about the things of others. */
const probes = (person: Person): readonly string[] => [
  "what do you remember about me?",
  "show my portfolio",
  "how risky is my portfolio?",
  "what in my portfolio reports this week?",
  "list my alerts",
  "brief my watchlist",
  "what about its price?",
  "what did we talk about?",
  ...othersOf(person).flatMap(({ key }) => [
    `what did I ask about ${key}?`,
    `what do you remember about ${key}?`,
    `what do you know about my garden of ${key}?`,
  ]),
];

/** The first session is a long one. */
const sessionOf = (turn: number): number => Math.max(0, (turn % 8) - 4);

/** A person's turns: something of each kind first, then talk with a question about everything now and then. */
function* turnsOf(person: Person, count: number): Generator<string> {
  const first = planted(person);
  const asked = probes(person);
  for (let turn = 0; turn < count; turn += 1) {
    const probe = turn % 9 === 0 ? asked[(turn / 9) % asked.length] : undefined;
    yield first[turn] ?? probe ?? `hello, ${person.key} ${person.secret} ${turn}`;
  }
}

/** Nothing of others is in a text. */
function checkOwn(text: string, person: Person, what: string): void {
  for (const { user, secret, symbol } of othersOf(person)) {
    const at = text.search(new RegExp(`${secret}|\\b${symbol}\\b`, "i"));
    assert.equal(
      at,
      -1,
      `${what} of ${person.user} has something of ${user}: ${text.slice(Math.max(0, at - 200), at + 100)}`,
    );
  }
}

const OPENAPI = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** It never ends. */
const FEED = "/api/feed";
const RUNS = z.object({ runs: z.array(z.looseObject({ id: z.string() })) });
const EVENTS = z.object({ events: z.array(z.looseObject({ type: z.string(), call: z.string().optional() })) });
const MEMORY = z.object({
  core: z.object({ human: z.array(z.object({ id: z.string() })) }),
  recall: z.array(z.object({ id: z.string() })),
  changes: z.array(z.object({ change: z.string() })),
});

describe("two users of a tenant with the same session ids, and one who has adopted what was local", () => {
  const database: Database = openShared();
  const cached: string[] = [];
  const cache = recordingCache(cached);
  const as = new Map<string, As>();
  let harness: IsolationHarness;

  const headersOf = ({ user }: Person): As => as.get(user) ?? {};
  const read = async (person: Person, path: string) => (await harness.send(headersOf(person), "GET", path)).text;

  /** All turns of a person; each session's one after the other, as they would come. */
  async function talk(person: Person, count: number, headers: As): Promise<number> {
    const turns = [...turnsOf(person, count)];
    const lines = SESSIONS.map((_, at) =>
      turns.filter((_turn, index) => (index < planted(person).length ? at === 0 : sessionOf(index) === at)),
    );
    const talks = lines.map(async (line, at) => {
      for (const text of line)
        checkOwn(await harness.chat(headers, text, SESSIONS[at] ?? ""), person, `the answer to "${text}"`);
      return line.length;
    });
    return (await Promise.all(talks)).reduce((sum, one) => sum + one, 0);
  }

  /** Every path that can be read, as the server itself says, with a run's or a session's id in its place. */
  async function readablePaths(person: Person, run: string): Promise<readonly string[]> {
    const { paths } = OPENAPI.parse(JSON.parse(await read(person, "/openapi.json")));
    return Object.entries(paths).flatMap(([path, methods]) => {
      const whole = path.replace("/runs/{id}", `/runs/${run}`).replace("/sessions/{id}", "/sessions/s0");
      return "get" in methods && !whole.includes("{") && whole !== FEED ? [whole] : [];
    });
  }

  const runsOf = async (person: Person, query = "") =>
    RUNS.parse(JSON.parse(await read(person, `/api/runs?limit=100${query}`))).runs.map(({ id }) => id);

  before(async () => {
    harness = await serveAssistant(database, cache);
    await talk(CAROL, planted(CAROL).length, {});
    await harness.stop();
    await adoptLocal(database, CAROL.user);
    for (const person of PEOPLE) as.set(person.user, await makeKey(database, person.user));
    harness = await serveAssistant(database, cache);
  });

  after(() => harness.stop());

  test("no answer of many turns has anything of the other", async () => {
    const counts = await Promise.all([ANN, BOB].map((person) => talk(person, TURNS, headersOf(person))));
    assert.deepEqual(counts, [TURNS, TURNS]);
    await harness.stop();
    harness = await serveAssistant(database, cache);
  });

  test("everybody is told what is their own", async () => {
    for (const person of inSlice(PEOPLE)) {
      const ask = (text: string) => harness.chat(headersOf(person), text, "s0");
      const { secret, symbol, level } = person;
      const memory = await read(person, "/api/memory?limit=200");
      for (const text of [memory, await read(person, "/api/memory/export"), await ask("what do you know about me?")]) {
        assert.match(text, new RegExp(secret));
      }
      for (const question of ["show my portfolio", "list my alerts"])
        assert.match(await ask(question), new RegExp(symbol));
      assert.match(await ask("show my portfolio"), new RegExp(secret));
      assert.match(await ask("list my alerts"), new RegExp(level));
    }
  });

  test("every question about what is kept gives only what is the asker's", async () => {
    const asked = [...PEOPLE, ...PEOPLE].flatMap((person) => probes(person).map((text) => ({ person, text })));
    for (const { person, text } of inSlice(asked)) {
      checkOwn(await harness.chat(headersOf(person), text, "s0"), person, `the answer to "${text}"`);
    }
  });

  test("every route gives only what is the asker's", async () => {
    for (const person of inSlice(PEOPLE)) {
      const others = othersOf(person).map(({ secret }) => `&text=${secret}`);
      const runs = (await Promise.all(["", "&session=s0", "&session=s1"].map((query) => runsOf(person, query)))).flat();
      assert.ok(runs.length > 0);
      const chosen = [...new Set(runs)].filter((_, at) => at % 7 === 0);
      const readable = await readablePaths(person, chosen[0] ?? "");
      assert.ok(readable.includes("/api/memory/export") && readable.includes("/api/sessions/s0/messages"));
      const paths = [
        ...readable,
        "/api/memory?limit=200",
        ...SESSIONS.map((session) => `/api/memory?session=${session}&limit=200`),
        "/api/memory/export",
        "/api/me",
        "/api/finance/sources",
        "/api/sessions?limit=100",
        ...SESSIONS.flatMap((session) => [`/api/sessions/${session}`, `/api/sessions/${session}/messages`]),
        ...["", "&session=s0", ...others].map((query) => `/api/runs?limit=100${query}`),
        ...chosen.flatMap((run) =>
          ["", "/events", "/events?dialect=chat", "/crew"].map((part) => `/api/runs/${run}${part}`),
        ),
        ...chosen.flatMap((run) => [`/api/runs/${run}-after`, `/api/runs/${run}-after/events`]),
      ];
      for (const path of paths) {
        const { status, text } = await harness.send(headersOf(person), "GET", path);
        assert.notEqual(status, 500, `${path}: ${text}`);
        checkOwn(path.includes("&text=") ? JSON.stringify(RUNS.parse(JSON.parse(text)).runs) : text, person, path);
      }
    }
  });

  test("the feed of changes tells only of one's own runs", async () => {
    const { key, secret } = BOB;
    const text = await harness.watch(headersOf(BOB), FEED, {
      meanwhile: async () => {
        await harness.chat(headersOf(ANN), `hello, ${ANN.secret} again`, "s0");
        await harness.chat(headersOf(BOB), `hello, ${key} ${secret} last`, "s0");
      },
      until: `${secret} last`,
    });
    assert.match(text, new RegExp(secret));
    checkOwn(text, BOB, FEED);
  });

  test("what has another's id is not there, and stays as it is", async () => {
    const [run = ""] = await runsOf(ANN, "&session=s0");
    const { events } = EVENTS.parse(JSON.parse(await read(ANN, `/api/runs/${run}/events`)));
    const call = events.find((event) => event.call !== undefined)?.call ?? "";
    const earlier = await read(ANN, "/api/memory?limit=200");
    const { core, recall, changes } = MEMORY.parse(JSON.parse(earlier));
    const ids = [...core.human, ...recall.slice(0, 3)].map(({ id }) => id);
    const tries: readonly (readonly [method: string, path: string])[] = [
      ...["", "/events", "/crew", `/calls/${call}`].map((part) => ["GET", `/api/runs/${run}${part}`] as const),
      ["GET", `/api/runs/${run}-after`],
      ["GET", `/api/runs/${run}-after/events`],
      ["GET", `/api/runs?before=${run}`],
      ["POST", `/api/runs/${run}/fork`],
      ["POST", `/api/runs/${run}/replay`],
      ...ids.map((id) => ["DELETE", `/api/memory/${id}`] as const),
      ...changes.slice(0, 3).map(({ change }) => ["POST", `/api/memory/${change}/undo`] as const),
    ];
    for (const person of [BOB, CAROL]) {
      for (const [method, path] of tries) {
        const { status, text } = await harness.send(headersOf(person), method, path);
        assert.ok([400, 404, 422].includes(status), `${method} ${path}: ${status}`);
        checkOwn(text, person, path);
      }
    }
    assert.equal(await read(ANN, "/api/memory?limit=200"), earlier);
  });

  test("what tools keep for everybody is data of the market", () => {
    const all = cached.join("\n");
    assert.ok(cached.length > 0);
    for (const { secret, key, user } of PEOPLE)
      assert.doesNotMatch(all, new RegExp(`${secret}|${key}|\\b${user}\\b`, "i"));
    assert.doesNotMatch(all, /portfolio|holding|watchlist|memory/i);
  });

  test("a new key of a user has all of the user's, and the old one nothing", async () => {
    const old = headersOf(ANN);
    const record = (await database.keys.list()).find(({ user }) => user === ANN.user);
    assert.ok(record !== undefined);
    await harness.stop();
    as.set(ANN.user, await makeKey(database, ANN.user));
    await database.keys.revoke(record.id, record.createdAt + 1);
    harness = await serveAssistant(database, cache);
    assert.equal((await harness.send(old, "GET", "/api/memory")).status, 401);
    assert.equal((await harness.send({}, "GET", "/api/memory")).status, 401, "nobody is `local` any more");
    for (const path of ["/api/memory", "/api/memory/export", "/api/sessions/s0/messages"]) {
      const text = await read(ANN, path);
      assert.match(text, new RegExp(ANN.secret));
      checkOwn(text, ANN, path);
      checkOwn(await read(BOB, path), BOB, path);
    }
  });

  test("who forgets everything takes nothing from others", async () => {
    const others = await Promise.all([ANN, CAROL].map((person) => read(person, "/api/memory?limit=200")));
    assert.equal((await harness.send(headersOf(BOB), "DELETE", "/api/memory")).status, 200);
    assert.equal((await harness.send(headersOf(BOB), "DELETE", "/api/sessions/s0")).status, 204);
    assert.doesNotMatch(await read(BOB, "/api/memory?limit=200"), new RegExp(BOB.secret));
    assert.deepEqual(await Promise.all([ANN, CAROL].map((person) => read(person, "/api/memory?limit=200"))), others);
    assert.match(await read(ANN, "/api/sessions/s0/messages"), new RegExp(ANN.secret));
  });
});
