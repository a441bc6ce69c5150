/**
 * Silent connections: those on which nothing has come yet. Clients open some in advance.
 *
 * Node does not count them as idle, so a server that stops must close them itself.
 */
import type { Socket } from "node:net";
import type { Server } from "node:http";

/** Keeps track of the connections of a server; gives the way to close those that are silent. */
export function trackSilent(server: Pick<Server, "on">): () => void {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
