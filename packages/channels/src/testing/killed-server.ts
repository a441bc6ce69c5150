/**
 * Killed server: a process with a channel server on a file, which kills itself at a given point: before or after a write
 * of the channel, before or after a call of the platform. Arguments: file, address of the platform, number of the point.
 */
import { openSqlite } from "@baton/store/sqlite";
import { withMethods } from "@baton/store/testing";
import { startBotServer } from "./channel-server.ts";
import { SHOP } from "./shop-crew.ts";

const [file = "", address = "", at = "0"] = process.argv.slice(2);
let point = 0;

function pass(): void {
  if (++point === Number(at)) process.kill(process.pid, "SIGKILL");
}

async function around<T>(work: () => Promise<T>): Promise<T> {
  pass();
  const done = await work();
  pass();
  return done;
}

const opened = await openSqlite({ path: file });
const database = withMethods(opened, {
  documents: (owner) => {
    const documents = opened.documents(owner);
    if (owner.tenant !== ":channels") return documents;
    const { put, putAll } = documents;
    return {
      ...documents,
      put: (...given: Parameters<typeof put>) => around(() => put(...given)),
      putAll: (...given: Parameters<typeof putAll>) => around(() => putAll(...given)),
    };
  },
});
const platform = {
  token: "123456789:AAlocal-platform-token-of-35-chars-xx",
  called: () => {},
  fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
    (input instanceof Request ? input.url : String(input)).includes("getUpdates")
      ? fetch(input, init)
      : around(() => fetch(input, init)),
};
await startBotServer(SHOP, { platform, database, channel: { api_url: address } });
process.stdout.write("ready\n");
