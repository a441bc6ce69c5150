/** An offer counts as made only when Restate has taken it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { SimulatedClock } from "@baton/core/testing";
import type { Work } from "../placement.ts";
import { watch } from "../../testing/work-state.ts";
import { RestatePlacement } from "./restate-placement.ts";

const WORK: Work = { kind: "segment", run: "r", key: "run:r", token: "r@1" };

/** An ingress that takes nothing until it is told to. */
class FakeIngress implements AsyncDisposable {
  isUp = false;
  /** Tokens of the offers that it took. */
  readonly taken: unknown[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      if (this.isUp) this.taken.push(request.headers["idempotency-key"]);
      response.writeHead(this.isUp ? 202 : 503).end();
    }).listen(0, "127.0.0.1");
  }

  static async start(): Promise<FakeIngress> {
    const ingress = new FakeIngress();
    await once(ingress.#server, "listening");
    return ingress;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

test("an offer that Restate does not take is refused, and sent when it is made again; one that it took is not", async () => {
  await using ingress = await FakeIngress.start();
  const clock = new SimulatedClock(1);
  await using placement = new RestatePlacement({ clock, ingress: [ingress.url] });
  const offer = async (): Promise<string> => {
    const offering = watch(placement.offer(WORK));
    while (offering.now === "open") {
      await clock.advance(100);
      await turn();
    }
    return offering.now;
  };
  assert.equal(await offer(), "busy");
  ingress.isUp = true;
  assert.equal(await offer(), "done");
  assert.deepEqual(ingress.taken, ["r@1"]);
  assert.equal(await offer(), "done");
  assert.deepEqual(ingress.taken, ["r@1"]);
});

test("a placement that stops refuses the offer that it is making", async () => {
  const clock = new SimulatedClock(1);
  await using placement = new RestatePlacement({ clock, ingress: ["http://127.0.0.1:1"] });
  const offering = placement.offer(WORK);
  await placement.stop();
  await assert.rejects(offering, { code: "busy", retryable: true });
});
