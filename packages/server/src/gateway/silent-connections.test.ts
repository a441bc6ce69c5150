import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { trackSilent } from "./silent-connections.ts";

test("a connection on which nothing has come is closed, and one with a request is not", async () => {
  const server = createServer((_, outgoing) => outgoing.writeHead(200).flushHeaders());
  const closeSilent = trackSilent(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const asked = connect(port, "127.0.0.1", () => asked.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await once(asked, "data");
  const accepted = once(server, "connection");
  const silent = connect(port, "127.0.0.1").resume();
  await accepted;
  const closed = once(silent, "close");
  closeSilent();
  await closed;
  assert.equal(asked.closed, false);
  asked.destroy();
  server.close();
  await once(server, "close");
});
