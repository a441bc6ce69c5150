/** What an answer leaves open is listed under it, unless it says so itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, scriptModel } from "@baton/core";
import { z } from "zod";
import { withRecord } from "../tools/frame/recorded-call.ts";
import { withOpenPoints } from "./open-points.ts";

const compare = (language: string, own: readonly string[]) =>
  defineTool({
    name: "compare",
    description: "",
    effect: "read",
    input: z.object({}),
    run: (_, { state }) => {
      state.set("language", language);
      state.set("unknown_names", ["Acme"]);
      state.set("own_symbols", [...own]);
      return {
        data: {
          missing: [{ metric: "P/B", symbol: "GOOGL", reason: "unknown" }, "beta < 1"],
          left_out: [{ symbol: "FPT.VN", reason: "no price" }],
          risk_missing: "no bars",
        },
      };
    },
  });

async function answer(text: string, language: string, own: readonly string[] = []): Promise<string | undefined> {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a", tools: ["compare"] }],
    tools: [withRecord(compare(language, own))],
  });
  const model = scriptModel({ a: [{ call: [{ tool: "compare", args: {} }] }, { say: text }] });
  await using engine = new Engine({ model: () => withOpenPoints(model) });
  const run = engine.start(crew, { input: "?" });
  const events = await Array.fromAsync(run.events());
  return events.flatMap((event) => (event.type === "run.ended" ? [event.text] : [])).at(-1);
}

test("points that an answer does not mention are listed under it, in Vietnamese too", async () => {
  const open = "Acme, P/B of GOOGL, beta < 1, FPT.VN";
  assert.equal(await answer("The price is 5.", "en"), `The price is 5.\n\nNot answered: ${open}, risk.`);
  const vietnamese = open.replace(" of ", " của ");
  assert.equal(await answer("Giá là 5.", "vi"), `Giá là 5.\n\nChưa trả lời: ${vietnamese}, rủi ro.`);
});

test("a point that is mentioned is not repeated", async () => {
  const said = "Acme is not known, GOOGL has no P/B, beta could not be applied, FPT.VN has no price, nor has risk.";
  assert.equal(await answer(said, "en"), said);
});

test("in a language whose words are not known, only names are looked for", async () => {
  assert.equal(await answer("Acme, GOOGL, FPT.VN : rien.", "fr"), "Acme, GOOGL, FPT.VN : rien.");
  assert.match((await answer("Acme, GOOGL : rien.", "fr")) ?? "", /\n\nNot answered: FPT\.VN\.$/);
});

test("a company that only the model looked up is not listed", async () => {
  const said = "Acme is not known; beta and risk could not be applied.";
  assert.equal(await answer(said, "en", ["AAPL"]), said);
  assert.match((await answer(said, "en", ["AAPL", "GOOGL"])) ?? "", /\n\nNot answered: P\/B of GOOGL\.$/);
});
