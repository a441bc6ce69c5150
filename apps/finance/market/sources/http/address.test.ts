import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isLoopbackHost, reachOf, toBare } from "./address.ts";

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82a::200e",
  "2001:4860:4860::8888",
];

const NOT_PUBLIC = [
  "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 169.254.169.254 169.254.0.1",
  "172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1",
  "198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255",
  "168.63.129.16 100.100.100.200 :: ::2 fe80::1 febf::1 fec0::1 fc00::1 fd00:ec2::254 ff02::1",
  "::ffff:8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::7f00:1 ::ffff:0:7f00:1 64:ff9b::8.8.8.8",
  "64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1",
  "2001:db8::1 2002:7f00:1:: 2002::1 3fff::1 4000::1 5f00::1 fe80::1%eth0 2606:4700::1%1",
].flatMap((line) => line.split(" "));

/** Texts that are no address in plain spelling; a URL turns most of them into one before they are checked. */
const UNREADABLE = [
  "",
  "localhost",
  "0x7f.1",
  "2130706433",
  "0177.0.0.1",
  "127.1",
  "127.0.0.1.",
  "1.2.3",
  "256.1.1.1",
  "[::1]",
  "::g",
  "example.com",
];

test("public addresses up to the edges of what is special are public", () => {
  assert.deepEqual(
    PUBLIC.filter((address) => reachOf(address) !== "public"),
    [],
  );
});

test("private, shared, local, multicast, reserved, metadata and embedding addresses are not public", () => {
  assert.deepEqual(
    NOT_PUBLIC.filter((address) => reachOf(address) !== "other"),
    [],
  );
  assert.deepEqual(
    UNREADABLE.filter((address) => reachOf(address) !== "other"),
    [],
  );
});

test("loopback is all of 127.0.0.0/8 and ::1, in every spelling a URL knows", () => {
  for (const address of ["127.0.0.1", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"])
    assert.equal(reachOf(address), "loopback");
  for (const host of [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "0x7f.1",
    "2130706433",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "[::1]",
    "[0:0::1]",
    "１２７.0.0.1",
  ]) {
    assert.ok(isLoopbackHost(new URL(`http://${host}/`).hostname), host);
  }
  for (const host of ["example.com", "localhost.example.com", "10.0.0.1", "[::ffff:127.0.0.1]"]) {
    assert.ok(!isLoopbackHost(new URL(`http://${host}/`).hostname), host);
  }
});

test("no spelling of a private IPv4 address, alone or inside an IPv6 address, passes for a public one", () => {
  const octet = fc.nat(255);
  const isPrivate = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    fc.tuple(fc.integer({ min: 224, max: 255 }), octet, octet, octet),
  );
  fc.assert(
    fc.property(isPrivate, ([a, b, c, d]) => {
      const hex = (one: number, other: number) => (one * 256 + other).toString(16);
      const dotted = `${a}.${b}.${c}.${d}`;
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      const hosts = [
        dotted,
        `${number}`,
        `0x${number.toString(16)}`,
        `${a}.${(b * 256 + c) * 256 + d}`,
        `0${a.toString(8)}.${b}.${c}.${d}`,
      ];
      const embedded = [
        `::ffff:${dotted}`,
        `::${dotted}`,
        `64:ff9b::${dotted}`,
        `2002:${hex(a, b)}:${hex(c, d)}::1`,
        `::ffff:${hex(a, b)}:${hex(c, d)}`,
      ];
      for (const host of [...hosts, ...embedded.map((address) => `[${address}]`)]) {
        assert.notEqual(reachOf(toBare(new URL(`http://${host}/`).hostname)), "public", host);
      }
    }),
    { numRuns: 300 },
  );
});
