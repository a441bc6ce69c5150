import assert from "node:assert/strict";
import { test } from "node:test";
import { SignIn, type TokenStorage } from "./sign-in.ts";

/** A browser with tabs: what one says, the others hear. */
function openBrowser() {
  const machine = toStorage();
  const listeners = new Map<number, (said: unknown) => void>();
  let tabs = 0;
  const openTab = () => {
    const tab = toStorage();
    const id = ++tabs;
    const channel = {
      say: (text: string) => {
        for (const [other, hear] of listeners) if (other !== id) hear(text);
      },
      listen: (hear: (said: unknown) => void) => {
        listeners.set(id, hear);
      },
    };
    return { tab, signIn: new SignIn({ tab, machine, channel, wait: async () => {} }) };
  };
  return { machine, openTab };
}

function toStorage(): TokenStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => {
      values.set(name, value);
    },
    removeItem: (name) => {
      values.delete(name);
    },
  };
}

test("a new tab has the token of another one, and a sign-out holds for both", async () => {
  const { machine, openTab } = openBrowser();
  const first = openTab();
  assert.equal(await first.signIn.join(), false);
  first.signIn.enter("bs_1", { stays: false });
  const second = openTab();
  assert.equal(second.signIn.token, undefined);
  assert.equal(await second.signIn.join(), true);
  assert.equal(second.signIn.token, "bs_1");
  assert.equal(machine.getItem("baton.token"), null);
  second.signIn.leave();
  assert.deepEqual([first.signIn.token, second.signIn.token, first.tab.values.size], [undefined, undefined, 0]);
});

test("who stays signed in is so in a later tab, until the sign-out", () => {
  const { machine, openTab } = openBrowser();
  openTab().signIn.enter("bs_1", { stays: true });
  const later = openTab();
  assert.equal(later.signIn.token, "bs_1");
  later.signIn.leave();
  assert.equal(machine.getItem("baton.token"), null);
  assert.equal(openTab().signIn.token, undefined);
});
