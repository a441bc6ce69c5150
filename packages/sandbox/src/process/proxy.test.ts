import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { test } from "node:test";
import { isPublic, matchesHost, parseEntry, parseHost } from "./host-list.ts";
import { openProxy, type Resolve } from "./proxy.ts";

test("an entry is a name, a name below another, or an address with its port", () => {
  for (const text of ["api.example.com", "api.example.com:8080", "*.example.com", "10.0.0.1:80", "[::1]:443", "A.B."]) {
    assert.ok(parseEntry(text), text);
  }
  const wrong = [
    "",
    "*",
    "a b",
    "http://a.com",
    "a.com/x",
    "10.0.0.1",
    "::1",
    "[::1]",
    "a.com:0",
    "a.com:70000",
    "a.com:x",
  ];
  const odd = ["2130706433", "0x7f.1", "127.1", "a..b", "-a.com", "*.*.com", "a.com:80:90", "*.1.2", "a\r\nb.com"];
  for (const text of [...wrong, ...odd]) assert.equal(parseEntry(text), undefined, text);
});

test("a name matches itself, a star what is below it, and both only their port", () => {
  const matches = (entry: string, target: string): boolean => {
    const [one, other] = [parseEntry(entry), parseHost(target)];
    return one !== undefined && other !== undefined && matchesHost(one, other);
  };
  assert.ok(matches("a.com", "A.COM."));
  assert.ok(matches("*.a.com", "x.y.a.com"));
  for (const [entry, target] of [
    ["*.a.com", "a.com"],
    ["*.a.com", "xa.com"],
    ["a.com", "a.com:80"],
    ["a.com", "a.com.evil.org"],
    ["1.2.3.4:443", "1.2.3.5"],
  ] as const)
    assert.ok(!matches(entry, target), `${entry} ${target}`);
});

test("addresses of this machine and of private networks are not public, in any notation", () => {
  const closed =
    "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1 224.0.0.1 255.255.255.255";
  const long = "::1 :: ::ffff:127.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 fc00::1 fe80::1 ff02::1 2002:7f00:1::";
  for (const address of `${closed} ${long} x`.split(" ")) assert.ok(!isPublic(address), address);
  for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111"]) assert.ok(isPublic(address), address);
});

/** Sends one request to a proxy for these hosts, and gives all that comes back. */
async function ask(hosts: readonly string[], text: string, resolve?: Resolve): Promise<string> {
  await using proxy = await openProxy(hosts, resolve);
  return await new Promise((done, fail) => {
    let told = "";
    const socket = connect(proxy.socket, () => socket.write(text));
    socket.setEncoding("utf8").on("data", (part: string) => {
      told += part;
    });
    socket.on("close", () => done(told)).on("error", fail);
  });
}

test("a target that is not granted, or leads to a private address, is refused", async () => {
  const to = (address: string) => () => Promise.resolve([address]);
  const refused: readonly (readonly [hosts: readonly string[], text: string, resolve?: Resolve])[] = [
    [["a.com"], "CONNECT b.com:443 HTTP/1.1\r\n\r\n"],
    [["a.com"], "CONNECT a.com:22 HTTP/1.1\r\n\r\n", to("8.8.8.8")],
    [["a.com"], "CONNECT a.com HTTP/1.1\r\n\r\n", to("8.8.8.8")],
    [["a.com"], "CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n"],
    [["a.com"], "CONNECT 2130706433:443 HTTP/1.1\r\n\r\n"],
    [["a.com"], "CONNECT [::1]:443 HTTP/1.1\r\n\r\n"],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("127.0.0.1")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("::ffff:10.0.0.1")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", () => Promise.resolve(["8.8.8.8", "169.254.169.254"])],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", () => Promise.reject(new Error("no name"))],
    [["a.com:80"], "GET / HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n"],
    [["a.com:80"], "GET http://b.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n"],
    [["a.com:80"], "GET http://a.com@b.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["a.com:80"], "GET http://a.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("10.0.0.1")],
    [["a.com:80"], "GET http://2130706433/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["a.com:80"], "GET http://0x7f000001/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["a.com:80"], "GET http:\\\\b.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["a.com:80"], "GET //a.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["a.com:80"], "GET https://a.com/ HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n", to("8.8.8.8")],
    [["*.a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("8.8.8.8")],
    [["a.com"], "CONNECT a.com:443@b.com:22 HTTP/1.1\r\n\r\n", to("8.8.8.8")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("0.0.0.0")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("100.64.1.1")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("fe80::1")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", to("64:ff9b::a00:1")],
    [["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", () => Promise.resolve([])],
    [["a.com:80"], "GET file:///etc/passwd HTTP/1.1\r\nHost: a.com\r\nConnection: close\r\n\r\n"],
  ];
  for (const [hosts, text, resolve] of refused) {
    assert.match(await ask(hosts, text, resolve), /^HTTP\/1\.1 40[03] /, text);
  }
});

test("a name is resolved once for a request: what it leads to later is not asked", async () => {
  let asked = 0;
  const resolve: Resolve = () => Promise.resolve([["10.0.0.1"], ["8.8.8.8"]][asked++] ?? []);
  assert.match(await ask(["a.com"], "CONNECT a.com:443 HTTP/1.1\r\n\r\n", resolve), /^HTTP\/1\.1 403 /);
  assert.equal(asked, 1);
});

test("two lengths in one request are refused before anything is sent on", async () => {
  const text =
    "POST http://a.com/ HTTP/1.1\r\nHost: a.com\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  assert.match(await ask(["a.com:80"], text, () => Promise.resolve(["8.8.8.8"])), /^HTTP\/1\.1 400 /);
});

test("an address that an entry names is reached, under the host of the URL and without the proxy's fields", async () => {
  const server = createServer(({ headers, url }, answer) => answer.end(JSON.stringify({ ...headers, url })));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = toAddress(server.address());
  try {
    const host = `127.0.0.1:${port}`;
    const fields = "Host: evil.org\r\nProxy-Authorization: x\r\nConnection: close";
    const told = await ask([host], `GET http://${host}/a?b=1 HTTP/1.1\r\n${fields}\r\n\r\n`);
    assert.match(told, /^HTTP\/1\.1 200 /);
    assert.ok(told.includes(`"host":"${host}"`) && told.includes('"url":"/a?b=1"') && !told.includes("authorization"));
    const tunnel = `CONNECT ${host} HTTP/1.1\r\n\r\nGET /t HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n`;
    assert.match(await ask([host], tunnel), /^HTTP\/1\.1 200 Connection Established[^]*"url":"\/t"/);
  } finally {
    server.close();
  }
});

function toAddress(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === "object" && address !== null);
  return address;
}
