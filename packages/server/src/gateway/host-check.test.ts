import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "@baton/core/testing";
import { HostCheck, isLoopback } from "./host-check.ts";

const BARE = { bound: "127.0.0.1", allowedHosts: [], origins: [] };
const REFUSED = { status: 403, code: "host_not_allowed" };
const FOREIGN = { status: 403, code: "origin_not_allowed" };

test("loopback is 127.0.0.0/8, ::1 and localhost, in whatever form", () => {
  for (const name of [
    "127.0.0.1",
    "127.9.8.7",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "localhost",
    "LOCALHOST",
    "::ffff:127.0.0.1",
  ]) {
    assert.ok(isLoopback(name), name);
  }
  for (const name of [
    "0.0.0.0",
    "::",
    "128.0.0.1",
    "10.0.0.1",
    "127.0.0.1.evil.com",
    "localhost.evil.com",
    "127.1",
    "",
  ]) {
    assert.ok(!isLoopback(name), name);
  }
});

test("loopback names pass with any port, case and a trailing dot", () => {
  const check = new HostCheck(BARE);
  for (const host of [
    "localhost",
    "LocalHost:1",
    "localhost.:8080",
    "127.0.0.1:80",
    "127.0.0.2",
    "[::1]:8080",
    "[0:0::1]",
  ]) {
    check.checkHost({ hosts: [host] });
  }
});

test("any other name is refused", () => {
  const check = new HostCheck(BARE);
  const names = [
    "evil.com",
    "localhost.evil.com",
    "127.0.0.1.evil.com",
    "localhost..",
    "user@localhost",
    "localhost:99999",
    "localhost:80:80",
  ];
  for (const host of [
    ...names,
    "[::2]",
    "[::1",
    "::1",
    "0.0.0.0",
    "localhost/",
    "",
    "*",
    "localhost, evil.com",
    "x".repeat(300),
  ]) {
    assert.throws(() => check.checkHost({ hosts: [host] }), REFUSED, host);
  }
});

test("the bound address and configured names pass; a configured port must be the one", () => {
  const check = new HostCheck({ bound: "fd00::1", allowedHosts: ["Baton.example", "api.example:8443"], origins: [] });
  for (const host of ["[fd00:0::1]:8080", "baton.example", "BATON.example.:99", "api.example:8443"]) {
    check.checkHost({ hosts: [host] });
  }
  for (const host of ["api.example", "api.example:1", "x.baton.example", "[fd00::2]"]) {
    assert.throws(() => check.checkHost({ hosts: [host] }), REFUSED, host);
  }
  assert.throws(() => new HostCheck({ ...BARE, allowedHosts: ["http://x"] }), { code: "invalid" });
  assert.throws(() => new HostCheck({ ...BARE, origins: ["*"] }), { code: "invalid" });
});

test("a Host must be there, once; with an absolute target both names must be right", () => {
  const check = new HostCheck(BARE);
  assert.throws(() => check.checkHost({ hosts: [] }), { status: 400, code: "invalid_request" });
  assert.throws(() => check.checkHost({ hosts: ["localhost", "localhost"] }), { status: 400 });
  check.checkHost({ hosts: ["localhost"], target: "127.0.0.1:80" });
  assert.throws(() => check.checkHost({ hosts: ["localhost"], target: "evil.com" }), REFUSED);
  assert.throws(() => check.checkHost({ hosts: ["evil.com"], target: "localhost" }), REFUSED);
});

test("a page of this server may call it, over a proxy with TLS too", () => {
  const check = new HostCheck({ ...BARE, allowedHosts: ["baton.example"] });
  const same = [
    ["127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["localhost", "http://localhost"],
    ["LOCALHOST:80", "http://localhost"],
    ["baton.example", "https://baton.example"],
    ["[::1]:8080", "http://[::1]:8080"],
  ] as const;
  for (const [host, origin] of same) assert.equal(check.checkOrigin({ hosts: [host], origin }), undefined, origin);
});

test("a page from anywhere else may not", () => {
  const check = new HostCheck(BARE);
  const foreign = [
    "http://localhost:3000",
    "http://127.0.0.1:8080",
    "https://evil.com",
    "null",
    "",
    "file://",
    "http://localhost:8080/",
    "http://localhost:8080, http://x",
  ];
  for (const origin of foreign) {
    assert.throws(() => check.checkOrigin({ hosts: ["localhost:8080"], origin }), FOREIGN, origin);
  }
  assert.throws(() => check.checkOrigin({ hosts: ["evil.com"], origin: "http://evil.com" }), FOREIGN);
});

test("a configured origin may, and is given for the headers of CORS", () => {
  const check = new HostCheck({ ...BARE, origins: ["https://app.example", "http://localhost:3000"] });
  for (const origin of ["https://app.example", "https://APP.example:443", "http://localhost:3000"]) {
    assert.equal(check.checkOrigin({ hosts: ["localhost"], origin, site: "cross-site" }), origin);
  }
  for (const origin of ["http://app.example", "https://app.example:444", "https://x.app.example"]) {
    assert.throws(() => check.checkOrigin({ hosts: ["localhost"], origin }), FOREIGN);
  }
});

test("what a browser fetches for another site without an Origin is refused too, so that an image starts no run", () => {
  const check = new HostCheck(BARE);
  for (const site of [undefined, "same-origin", "none"])
    assert.equal(check.checkOrigin({ hosts: ["localhost"], site }), undefined);
  for (const site of ["cross-site", "same-site", ""]) {
    assert.throws(() => check.checkOrigin({ hosts: ["localhost"], site }), FOREIGN);
  }
});

test("work grows with the header only", () => {
  const check = new HostCheck(BARE);
  for (const part of ["a", ".", ":", "[", "[:", "1"]) {
    assertLinear(20_000, (size) => {
      const text = part.repeat(size);
      return () => {
        assert.throws(() => check.checkHost({ hosts: [text] }));
        assert.throws(() => check.checkOrigin({ hosts: ["localhost"], origin: `http://${text}` }));
      };
    });
  }
});
