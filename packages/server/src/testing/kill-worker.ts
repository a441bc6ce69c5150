/**
 * Kill worker: a process that serves a crew on a SQLite store until it is killed; it says its address when it is ready.
 *
 * Started as `node kill-worker.ts DATABASE`.
 */
import { Store } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { startServer } from "../server.ts";
import { RELAY } from "./crews.ts";
import { toModels, toServed } from "./test-server.ts";

const LEASE_MS = 150;

const [path = ""] = process.argv.slice(2);
const store = await Store.open({ database: await openSqlite({ path }), leaseMs: LEASE_MS });
const crews = [toServed(RELAY.crew)];
const { url } = await startServer({ store, crews, model: toModels([RELAY]), port: 0, logLevel: "silent" });
process.stdout.write(`${url}\n`);
