/** The files in deploy/ are well-formed, fit each other, and set only what Baton knows. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { listSettings } from "./settings.ts";
import { parse } from "yaml";
import { z } from "zod";

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../../../deploy/${name}`, import.meta.url), "utf8");

const SERVICE = z.strictObject({
  image: z.string().optional(),
  build: z.literal(".").optional(),
  restart: z.literal("unless-stopped"),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal("service_healthy") })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  healthcheck: z
    .object({ test: z.array(z.string()).min(2) })
    .loose()
    .optional(),
});
const COMPOSE = z.object({
  services: z.record(z.string(), SERVICE),
  volumes: z.record(z.string(), z.strictObject({})),
});

async function readCompose(): Promise<z.output<typeof COMPOSE>> {
  return COMPOSE.parse(parse(await read("compose.yaml"), { merge: true }));
}

test("compose starts three nodes of Restate, Postgres, Redis, a proxy, servers and workers, each from an image or the Dockerfile", async () => {
  const { services, volumes } = await readCompose();
  const names = Object.keys(services);
  for (const wanted of ["proxy", "postgres", "redis", "restate-3", "server-2", "worker-2"])
    assert.ok(names.includes(wanted));
  for (const [name, service] of Object.entries(services)) {
    assert.notEqual(service.image === undefined, service.build === undefined, `${name} has one of image and build`);
    for (const volume of service.volumes ?? []) {
      const [source = ""] = volume.split(":");
      assert.ok(source.startsWith("./") || source in volumes, `${name}: ${source}`);
    }
    for (const needed of Object.keys(service.depends_on ?? {}))
      assert.notEqual(
        services[needed]?.healthcheck,
        undefined,
        `${name} waits for ${needed}, which has no health check`,
      );
  }
});

test("every variable of a server and a worker is one of Baton or a provider's key, and every password comes from the environment", async () => {
  const { services } = await readCompose();
  const known = new Set(listSettings().map(({ variable }) => variable));
  const example = await read("env.example");
  for (const [name, { build, environment = {}, command = ["serve"] }] of Object.entries(services)) {
    if (build === undefined) continue;
    assert.ok(["serve", "worker"].includes(command[0] ?? ""), name);
    for (const variable of Object.keys(environment))
      assert.ok(known.has(variable) || variable.endsWith("_API_KEY"), `${name}: ${variable}`);
  }
  const text = await read("compose.yaml");
  for (const [, variable = "", fallback] of text.matchAll(/\$\{(\w+)(:-[^}]*)?\}/g))
    assert.ok(fallback !== undefined || example.includes(`\n${variable}=`), `env.example has no ${variable}`);
});

test("names of hosts in compose and in the proxy's configuration are services", async () => {
  const { services } = await readCompose();
  const texts = [await read("compose.yaml"), await read("haproxy.cfg")];
  const hosts = texts.flatMap((text) => [
    ...Array.from(
      text.matchAll(/(?:http|postgres|redis):\/\/(?:[^@\s"']*@)?([a-z][\w-]*):\d+/g),
      ([, host = ""]) => host,
    ),
    ...Array.from(text.matchAll(/^ {2}server \S+ ([\w-]+):\d+/gm), ([, host = ""]) => host),
  ]);
  assert.ok(hosts.length > 10);
  for (const host of hosts) assert.ok(host in services, host);
});

test("the proxy's configuration has known sections, and every backend that it names", async () => {
  const lines = (await read("haproxy.cfg")).split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const sections = lines.filter((line) => !line.startsWith(" "));
  for (const section of sections) assert.match(section, /^(?:global|defaults|(?:frontend|backend|resolvers) [\w-]+)$/);
  for (const line of lines)
    if (/^ {2}default_backend /.test(line)) assert.ok(sections.includes(`backend ${line.split(" ").at(-1)}`));
});

test("the image runs as an ordinary user, has a health check, and passes signals to the command", async () => {
  const text = (await read("Dockerfile")).replaceAll("\\\n", " ");
  const steps = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const words = steps.map((line) => line.split(" ")[0] ?? "");
  const known = ["FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"];
  for (const word of words) assert.ok(known.includes(word), word);
  assert.equal(words[0], "FROM");
  assert.ok(steps.includes("USER node"));
  assert.ok(words.lastIndexOf("USER") < words.indexOf("ENTRYPOINT"));
  assert.match(text, /HEALTHCHECK .*CMD node -e .*\/ready/);
  for (const word of ["ENTRYPOINT", "CMD"]) {
    const given: unknown = JSON.parse(steps[words.indexOf(word)]?.slice(word.length) ?? "");
    assert.ok(Array.isArray(given), `${word} is a list, so that no shell stands between`);
  }
});
