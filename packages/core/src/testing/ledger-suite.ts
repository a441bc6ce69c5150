/**
 * Ledger suite: what every ledger promises, whatever it is kept in.
 *
 * Run it against an implementation with `testLedger("name", make)`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Clock } from "../lifetimes/clock.ts";
import type { Account, Amount, Cap, Ledger, Reserved, CapUse } from "../ports/ledger.ts";
import { SimulatedClock } from "./simulated-clock.ts";

/** Makes an empty ledger that goes by this clock. */
export type MakeLedger = (clock: Clock) => Ledger;

const HOUR_MS = 3_600_000;
const tokens = (max: number, more: Partial<Cap> = {}): Cap => ({ name: "max_tokens", measure: "tokens", max, ...more });
const ask = (amount: number): Amount => ({ tokens: amount, usd: 0 });
const took = ask;

/** Returns the function that settles a reservation; fails if the reservation was refused. */
async function hold(reserved: Reserved | Promise<Reserved>): Promise<(spent: Amount) => Promise<readonly CapUse[]>> {
  const outcome = await reserved;
  assert.ok(outcome.ok, "refused");
  return async (spent) => outcome.settle(spent);
}

/** Returns the cap that refused a reservation; fails if the reservation was granted. */
async function refusal(reserved: Reserved | Promise<Reserved>): Promise<CapUse> {
  const outcome = await reserved;
  assert.ok(!outcome.ok, "not refused");
  return outcome.refusal;
}

/** Tests a ledger's promises. */
export function testLedger(name: string, make: MakeLedger): void {
  describe(`${name} is a ledger`, () => {
    const fresh = (seed = 1) => {
      const clock = new SimulatedClock(seed);
      return { clock, ledger: make(clock) };
    };

    testReservations(fresh);
    testSums(fresh);
    testWindows(fresh);
    testAlerts(fresh);
    testInterleavings(fresh);
  });
}

type Fresh = (seed?: number) => { readonly clock: SimulatedClock; readonly ledger: Ledger };

function testReservations(fresh: Fresh): void {
  test("what is reserved is nobody else's until it is settled, and then what was not taken is free", async () => {
    const { ledger } = fresh();
    const accounts = [{ id: "run r", caps: [tokens(100)] }];
    const settle = await hold(ledger.reserve(accounts, ask(70)));
    assert.deepEqual(await refusal(ledger.reserve(accounts, ask(31))), {
      account: "run r",
      cap: tokens(100),
      used: 70,
    });
    await settle(took(20));
    await hold(ledger.reserve(accounts, ask(80)));
    assert.equal((await refusal(ledger.reserve(accounts, ask(1)))).used, 100);
  });

  test("of calls that ask at the same time, as many are let through as fit", async () => {
    const { ledger } = fresh();
    const accounts = [{ id: "a", caps: [tokens(100)] }];
    const asked = Array.from({ length: 20 }, async () => ledger.reserve(accounts, ask(10)));
    assert.equal((await Promise.all(asked)).filter(({ ok }) => ok).length, 10);
  });

  test("it is all or nothing: a refusal leaves nothing reserved in the other accounts", async () => {
    const { ledger } = fresh();
    const wide = { id: "crew c", caps: [tokens(100)] };
    const narrow = { id: "agent a", caps: [tokens(10)] };
    assert.equal((await refusal(ledger.reserve([wide, narrow], ask(60)))).account, "agent a");
    await hold(ledger.reserve([wide], ask(100)));
  });
}

function testSums(fresh: Fresh): void {
  test("of several caps that refuse, the first is named", async () => {
    const { ledger } = fresh();
    const usd: Cap = { name: "max_usd", measure: "usd", max: 1 };
    const both = { id: "a", caps: [tokens(10), usd] };
    assert.equal((await refusal(ledger.reserve([both], { tokens: 5, usd: 2 }))).cap.name, "max_usd");
    assert.equal((await refusal(ledger.reserve([both], { tokens: 50, usd: 2 }))).cap.name, "max_tokens");
  });

  test("dollars may come up to the cap exactly, however they are summed", async () => {
    const { ledger } = fresh();
    const account = { id: "a", caps: [{ name: "max_usd", measure: "usd", max: 1 } as const] };
    for (let dime = 0; dime < 10; dime++) {
      const settle = await hold(ledger.reserve([account], { tokens: 0, usd: 0.1 }));
      await settle({ tokens: 0, usd: 0.1 });
    }
    await refusal(ledger.reserve([account], { tokens: 0, usd: 0.000_001 }));
  });

  test("more than was reserved is written down all the same", async () => {
    const { ledger } = fresh();
    const accounts = [{ id: "a", caps: [tokens(100)] }];
    await (
      await hold(ledger.reserve(accounts, ask(10)))
    )(took(150));
    assert.equal((await refusal(ledger.reserve(accounts, ask(1)))).used, 150);
  });
}

function testWindows(fresh: Fresh): void {
  test("minutes, hours and days count anew when they begin in UTC", async () => {
    const { clock, ledger } = fresh();
    const at = async (window: "minute" | "hour" | "day", waitMs: number): Promise<boolean> => {
      await clock.advance(waitMs);
      const caps: readonly Cap[] = [{ name: "max_calls", measure: "calls", max: 1 }];
      return (await ledger.reserve([{ id: "crew c", window, caps }], ask(0))).ok;
    };
    assert.deepEqual([await at("minute", 59_999), await at("minute", 0), await at("minute", 1)], [true, false, true]);
    assert.deepEqual(
      [await at("hour", 0), await at("hour", HOUR_MS / 2), await at("hour", HOUR_MS / 2)],
      [true, false, true],
    );
    assert.deepEqual(
      [await at("day", 0), await at("day", 22 * HOUR_MS), await at("day", HOUR_MS)],
      [true, false, true],
    );
  });

  test("a call counts in the window it was reserved in", async () => {
    const { clock, ledger } = fresh();
    const accounts: readonly Account[] = [{ id: "a", window: "day", caps: [tokens(100)] }];
    const settle = await hold(ledger.reserve(accounts, ask(100)));
    await clock.advance(24 * HOUR_MS);
    await hold(ledger.reserve(accounts, ask(100)));
    await settle(took(1));
    await refusal(ledger.reserve(accounts, ask(1)));
  });
}

function testAlerts(fresh: Fresh): void {
  test("an alert comes once in a window, when its share was used and not when it was reserved", async () => {
    const { clock, ledger } = fresh();
    const cap = tokens(100, { alertAt: 0.8 });
    const accounts: readonly Account[] = [{ id: "a", window: "hour", caps: [cap] }];
    const spend = async (amount: number) => (await hold(ledger.reserve(accounts, ask(amount))))(took(amount));
    const held = await hold(ledger.reserve(accounts, ask(15)));
    assert.deepEqual(await spend(79), []);
    assert.deepEqual(await spend(1), [{ account: "a", cap, used: 80 }]);
    assert.deepEqual(await spend(1), []);
    assert.deepEqual(await held(took(15)), []);
    await clock.advance(HOUR_MS);
    assert.equal((await spend(90)).length, 1);
  });

  test("a soft cap gives alerts and refuses nothing", async () => {
    const { ledger } = fresh();
    const cap = tokens(10, { isSoft: true, alertAt: 1 });
    const accounts = [{ id: "a", caps: [cap] }];
    const spend = async (amount: number) => (await hold(ledger.reserve(accounts, ask(amount))))(took(amount));
    assert.deepEqual(await spend(9), []);
    assert.deepEqual(await spend(50), [{ account: "a", cap, used: 59 }]);
    assert.deepEqual(await spend(50), []);
  });
}

/** Chance comes from the clock's seed. */
function testInterleavings(fresh: Fresh): void {
  test("spending never exceeds a cap, whoever reserves and settles in whatever order", async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const { clock, ledger } = fresh(seed);
      const below = (bound: number): number => Math.floor(clock.random() * bound);
      const caps = [tokens(50 + below(200)), { name: "max_usd", measure: "usd", max: 1 + clock.random() } as const];
      const all: readonly Account[] = ["x", "y", "z"].map((id) => ({ id, caps }));
      const spent = new Map(all.map(({ id }) => [id, { tokens: 0, usd: 0 }]));
      const open: (() => Promise<void>)[] = [];
      for (let move = 0; move < 60; move++) {
        const accounts = all.filter(() => below(2) === 0);
        const worst = { tokens: below(60), usd: clock.random() / 2 };
        const reserved = await ledger.reserve(accounts, worst);
        if (reserved.ok) open.push(() => settle(reserved, accounts, worst));
        if (below(2) === 0) await open.splice(below(open.length), 1)[0]?.();
      }
      for (const finish of open) await finish();
      for (const sums of spent.values()) {
        assert.ok(sums.tokens <= (caps[0]?.max ?? 0), `seed ${seed}: ${sums.tokens} tokens`);
        assert.ok(sums.usd <= (caps[1]?.max ?? 0) + 1e-6, `seed ${seed}: ${sums.usd} dollars`);
      }

      async function settle(reserved: Extract<Reserved, { ok: true }>, accounts: readonly Account[], worst: Amount) {
        const share = clock.random();
        const part = { tokens: Math.floor(worst.tokens * share), usd: worst.usd * share };
        for (const { id } of accounts) {
          const sums = spent.get(id) ?? part;
          sums.tokens += part.tokens;
          sums.usd += part.usd;
        }
        await reserved.settle(part);
      }
    }
  });
}
