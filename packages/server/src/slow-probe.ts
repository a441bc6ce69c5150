import { once } from "node:events";
import { connect } from "node:net";
import { defineCrew } from "@baton/core";
import { GatedModel } from "./testing/crews.ts";
import { startTestServer } from "./testing/test-server.ts";
const TALKS = { crew: defineCrew({ name: "talks", agents: [{ id: "talker", isTerminal: true }] }), script: {} };
const model = new GatedModel();
const server = await startTestServer([TALKS], { model: () => model, logLevel: "silent" });
const started = await server.post("/api/runs", { input: "hello" });
const id = started.headers.get("x-run-id") ?? "";
const path = `/api/runs/${id}/events`;
const stuckN = Number(process.argv[2]),
  fastN = Number(process.argv[3]);
const stuck = await Promise.all(
  Array.from({ length: stuckN }, async () => {
    const s = connect(server.server.port, "127.0.0.1").pause();
    await once(s, "connect");
    s.on("error", () => 0);
    let closed = false;
    s.on("close", () => (closed = true));
    s.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    return s;
  }),
);
const t0 = performance.now();
const fast = Array.from({ length: fastN }, async () => {
  const r = await server.get(path);
  let n = 0;
  for await (const c of r.body!) n += c.length;
  return n;
});
const word = "x".repeat(1000);
for (let round = 0; round < 40; round++) {
  for (let i = 0; i < 250; i++) model.say(word);
  while ((await server.store.database.length(id)) < (round + 1) * 250) await new Promise((r) => setImmediate(r));
  if (round % 10 === 9) {
    const m = process.memoryUsage();
    console.log(
      round,
      (performance.now() - t0).toFixed(),
      "heap",
      (m.heapUsed / 1e6).toFixed(),
      "ext",
      (m.external / 1e6).toFixed(),
      "rss",
      (m.rss / 1e6).toFixed(),
      /open_streams (\d+)/.exec(await (await server.get("/metrics")).text())?.[1],
    );
  }
}
model.end();
console.log(new Set(await Promise.all(fast)), (performance.now() - t0).toFixed());
for (let i = 0; i < 3; i++) {
  await new Promise((r) => setTimeout(r, 300));
  console.log(/open_streams (\d+)/.exec(await (await server.get("/metrics")).text())?.[1]);
}
for (const s of stuck) s.destroy();
await server[Symbol.asyncDispose]();
