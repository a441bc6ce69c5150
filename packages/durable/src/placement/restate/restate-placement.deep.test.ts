import { once } from "node:events";
import { createServer } from "node:net";
import { after, before } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { inSlice } from "@baton/core/testing";
import { type PlacementLab, type PlacementLink, testPlacement } from "../../testing/placement-suite.ts";
import { SharedMemory } from "@baton/store/testing";
import { RestatePlacement } from "./restate-placement.ts";
import { RestateServer } from "./restate-server.ts";
import { Relay } from "./testing/relay.ts";
import { WorkerProxy } from "./worker-proxy.ts";

const MAX_WORKERS = 4;
const clock = new SystemClock();
let server: RestateServer;

before(async () => {
  server = await RestateServer.start();
});

after(async () => {
  await server[Symbol.asyncDispose]();
});

testPlacement(openLab, (cases) => inSlice(cases));

async function openLab(): Promise<PlacementLab> {
  const data = new SharedMemory({ now: () => clock.now() });
  const stack = new AsyncDisposableStack();
  const relays: Relay[] = [];
  for (let index = 0; index < MAX_WORKERS; index++) relays.push(stack.use(await Relay.listen()));
  const proxy = stack.use(await WorkerProxy.listen({ clock, workers: relays.map(({ url }) => url) }));
  const free = relays.values();
  const link = async (role: "worker" | "server"): Promise<PlacementLink> => {
    const { ingress, admin } = server;
    if (role === "server") {
      const placement = stack.use(new RestatePlacement({ clock, ingress }));
      return { placement, crash: () => {}, freeze: () => {}, wake: () => {} };
    }
    const relay = free.next().value;
    if (relay === undefined) throw new Error("too many workers");
    relay.target = await freePort();
    const worker = { admin, url: proxy.url, port: relay.target };
    const placement = stack.use(new RestatePlacement({ clock, ingress, worker }));
    return {
      placement,
      crash: () => relay.cut(),
      freeze: () => relay.freeze(),
      wake: () => relay.wake(),
    };
  };
  return {
    clock,
    open: () => Promise.resolve(data.open()),
    link,
    run: (work) => work,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
