/**
 * Help desk: a chat assistant over ten documents. It finds the right one, cites its figures and remembers its users.
 *
 * Run it with `npx node examples/help-desk.ts`: no key, a program writes the answers; name a model in the place of
 * `code/desk`, and that does. With `--serve` it is a chat over HTTP, with the console.
 */
import { defineMemoryTools, factsFrom, openToolIndex, withFacts, withFigures } from "@baton/assistant";
import { defineAssistant, memoryRoutes } from "@baton/assistant/chat";
import { defineCrew, defineProgram, defineTool, openBaton, type Prompt } from "@baton/baton";
import { z } from "zod";

/** Title | text | how people ask | a figure that answers cite: value, unit, what it is. */
const MANUAL = `
Returns | Send anything back that you have not used. | send back, return a parcel | 30 days return period
Refunds | Money goes to the card you paid with. | money back, refund | 5 days refund time
Shipping | A courier brings it to your door. | delivery cost, postage | 4 money shipping fee
Express | Order before noon. | fast delivery, tomorrow | 1 days express time
Warranty | What breaks by itself is replaced. | broken, defect | 730 days warranty
Discounts | Members pay less for everything. | member price, cheaper | 10 percent member discount
Gift cards | They do not expire. | voucher, present |
Password | Press Forgot password; a link comes by mail. | log in, reset my password |
Invoices | Every order has its invoice under My orders. | bill, tax receipt |
Opening hours | The shop in Lisbon is open every day but Sunday. | visit, when are you open |`;

const UNIT = z.enum(["days", "money", "percent"]);
const pages = MANUAL.trim()
  .split("\n")
  .map((line) => {
    const [name = "", description = "", asked = "", figure = ""] = line.split("|").map((part) => part.trim());
    const [value = "", unit, ...metric] = figure.split(" ");
    const kept = { value: Number(value), unit: UNIT.safeParse(unit).data, metric: metric.join(" ") };
    return { name, description, phrases: asked.split(", "), figure: kept };
  });
const findPages = openToolIndex(pages);
const pageOf = (title: string | undefined) => pages.find(({ name }) => name === title);

const FOUND = z.object({ title: z.string(), text: z.string(), figure: z.number().optional() });
const searchManual = withFacts<z.infer<typeof FOUND>>(
  defineTool({
    name: "searchManual",
    description: "Finds the page of the manual that answers a question.",
    effect: "read",
    input: z.object({ question: z.string() }),
    run({ question }) {
      const page = pageOf(findPages(question, { topK: 1 })[0]?.name);
      if (page === undefined) return { title: "", text: "The manual has no page about that." };
      const { name, description, figure } = page;
      return { title: name, text: description, ...(figure.unit === undefined ? {} : { figure: figure.value }) };
    },
  }),
  {
    figuresOf({ title }) {
      const { value = 0, unit, metric = "" } = pageOf(title)?.figure ?? {};
      const figure = { value, metric, path: "figure", symbol: title, ...(unit === "money" ? { currency: "EUR" } : {}) };
      const origin = { as_of: "2026-01-01T00:00:00Z", kind: "snapshot", source: "manual" } as const;
      return { figures: unit === undefined ? [] : [{ ...figure, unit }], origin };
    },
    describe: ({ title, text }) => [title, text],
  },
);

const factsOf = factsFrom([searchManual]);

const questionOf = ({ messages }: Prompt): string => messages.findLast(({ role }) => role === "user")?.content ?? "";

/** Looks the question up, then cites what it found: `{f1.1.1.1}` becomes the figure with its unit. */
const desk = defineProgram(async (prompt) => {
  const question = questionOf(prompt);
  const [past] = prompt.results;
  if (past === undefined) {
    if (question.startsWith("Call me ")) return { call: [{ tool: "saveToMemory", args: { content: question } }] };
    return { call: [{ tool: "searchManual", args: { question } }] };
  }
  const page = FOUND.safeParse(past.output).data;
  if (page === undefined) return { say: past.error === undefined ? "I will remember that." : past.error.message };
  const fact = (await factsOf(prompt)).find(({ call }) => call === past.call);
  const cited = fact === undefined ? "" : ` The ${fact.metric} is {${fact.id}}${fact.unit === "days" ? " days" : ""}.`;
  return { say: `${page.text}${cited}` };
});

const crew = defineCrew({
  name: "help-desk",
  programs: {
    desk: withFigures(desk, {
      factsOf,
      languageOf: () => "en",
      saidOf: (prompt) => [questionOf(prompt)],
      namesOf: () => new Map(pages.map(({ name }) => [name, [name]])),
      wordsOf: (metric) => [metric],
      thresholds: new Map(),
    }),
  },
  tools: [searchManual, ...defineMemoryTools()],
  agents: [{ id: "desk", model: { name: "code/desk" }, tools: ["searchManual", "saveToMemory"], isTerminal: true }],
});

await using baton = await openBaton({ store: "memory", crews: [crew] });
for (const input of ["Can I send back a teapot?", "Is there a member price?", "I forgot my password", "Call me Lan"]) {
  const { content } = await baton.start(crew, input).result;
  console.log(`${input}\n  ${content}`);
}
if (process.argv.includes("--serve")) {
  const { routes, dialects } = defineAssistant({ routes: memoryRoutes() });
  const served = await baton.serve({ port: 8080, routes, dialects });
  console.log(`open ${served.url}`);
  await served.untilSignal();
}
