/**
 * Own crews: crews that bring the console into states which the example crews do not reach, or only for a moment.
 */
import { BatonError, type Crew, defineCrew, defineTool, type Model, scriptModel } from "@baton/core";
import { z } from "zod";

/** A crew and the model of all its agents. */
export interface OwnCrew {
  readonly crew: Crew;
  readonly model: Model;
}

const HOUR_MS = 3_600_000;
const AGENTS = 40;
const TOOLS = 200;
const MARATHON_HANDOFFS = 100;
const MARATHON_WORDS = 500;

const stuck = defineTool({
  name: "ReindexArchive",
  description: "Builds the index of the archive again. It does not stop when it is asked to.",
  effect: "irreversible",
  input: z.object({ archive: z.string() }),
  run: () => new Promise<never>(() => {}),
});

/** Works until it is stopped, and leaves a call behind. */
function stubborn(): OwnCrew {
  const args = { archive: "letters 1890 to 1914" };
  return {
    crew: defineCrew({
      name: "stubborn",
      agents: [{ id: "archivist", role: "Keeps the archive", tools: [stuck.name] }],
      tools: [stuck],
      permissions: { [stuck.name]: "allow" },
    }),
    model: scriptModel({
      archivist: [
        { say: "I build the index of the archive again. This takes a while.", call: [{ tool: stuck.name, args }] },
      ],
    }),
  };
}

/** Two members of a group write at once, and stop in mid-sentence until the run ends. */
function seminar(): OwnCrew {
  const said: Readonly<Record<string, string>> = {
    host: "Welcome. Today's question: should a town give its main street back to people on foot? [DISCUSS]",
    advocate: "Streets without cars sell more, because people who walk stop more often, and",
    critic: "Deliveries have to reach the shops before nine, and nobody has yet",
  };
  return {
    crew: defineCrew({
      name: "seminar",
      description: "A host asks; an advocate and a critic answer at the same time.",
      agents: [
        { id: "host", role: "Asks the question" },
        { id: "advocate", role: "Speaks for it" },
        { id: "critic", role: "Speaks against it" },
      ],
      signals: {
        host: [
          { signal: "[DISCUSS]", target: "debate" },
          { signal: "[CLOSE]", target: "" },
        ],
      },
      groups: { debate: { agents: ["advocate", "critic"], nextAgent: "host", timeoutMs: HOUR_MS } },
      // All pages are looked at while it runs, which takes longer than a run and a silent model may by default.
      settings: { timeoutMs: HOUR_MS, modelIdleMs: HOUR_MS },
    }),
    model: {
      name: "script",
      async *stream({ agent }, scope) {
        for (const word of (said[agent] ?? "").split(" ")) yield [{ type: "text", text: `${word} ` }];
        if (agent !== "host") await untilAborted(scope.abort);
        yield [{ type: "end", finish: "stop", usage: { inputTokens: 90, outputTokens: 20 } }];
      },
    },
  };
}

function untilAborted(abort: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (abort.aborted) resolve();
  abort.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

/** Its second agent's model fails. */
function failing(): OwnCrew {
  const script = scriptModel({ reader: [{ say: "I found the paper. [SUMMARIZE]" }] });
  return {
    crew: defineCrew({
      name: "failing",
      agents: [{ id: "reader" }, { id: "summarizer", isTerminal: true }],
      signals: { reader: [{ signal: "[SUMMARIZE]", target: "summarizer" }] },
    }),
    model: {
      name: script.name,
      async *stream(prompt, scope) {
        if (prompt.agent === "summarizer") throw new BatonError("model", "the provider answered 401: key not valid");
        yield* script.stream(prompt, scope);
      },
    },
  };
}

/** Forty agents in a row, some of whom go back. */
function crowd(): OwnCrew {
  const ids = Array.from({ length: AGENTS }, (_, index) => `desk-${String(index + 1).padStart(2, "0")}`);
  const toSignals = (index: number) => [
    ...(index + 1 < AGENTS ? [{ signal: "[NEXT]", target: ids[index + 1] ?? "" }] : []),
    ...(index % 8 === 7 ? [{ signal: "[BACK]", target: ids[index - 7] ?? "" }] : []),
  ];
  return {
    crew: defineCrew({
      name: "crowd",
      description: "Forty desks of an office, each with its own form.",
      agents: ids.map((id, index) => ({ id, role: `Form ${index + 1}`, isTerminal: index + 1 === AGENTS })),
      signals: Object.fromEntries(ids.map((id, index) => [id, toSignals(index)])),
      settings: { maxHandoffs: 100 },
    }),
    model: scriptModel(
      Object.fromEntries(ids.map((id, index) => [id, [{ say: index + 1 < AGENTS ? "Stamped. [NEXT]" : "Filed." }]])),
    ),
  };
}

/** One agent with two hundred tools. */
function toolbox(): OwnCrew {
  const tools = Array.from({ length: TOOLS }, (_, index) =>
    defineTool({
      name: `Instrument${String(index + 1).padStart(3, "0")}`,
      description: `Reads instrument ${index + 1} of the laboratory and gives its value with its unit.`,
      effect: index % 9 === 8 ? "irreversible" : index % 4 === 3 ? "idempotent" : "read",
      input: z.object({ channel: z.int() }),
      run: ({ channel }) => ({ channel, value: index }),
    }),
  );
  return {
    crew: defineCrew({
      name: "toolbox",
      description: "A laboratory with two hundred instruments.",
      agents: [{ id: "operator", role: "Reads the instruments", tools: tools.map(({ name }) => name) }],
      tools,
    }),
    model: scriptModel({ operator: [{ say: "All instruments are quiet." }] }),
  };
}

const LONG = "thanh-tra-vien-cao-cap-ve-chat-luong-phan-tich-du-lieu-thi-truong-chung-khoan";

/** Names that fit nowhere. */
function longNames(): OwnCrew {
  const file = defineTool({
    name: "FileTheQuarterlyReportOnTheQualityOfMarketDataWithTheAuthority",
    description: "Nộp báo cáo quý về chất lượng dữ liệu thị trường cho cơ quan quản lý. ".repeat(3),
    effect: "irreversible",
    input: z.object({ ten_cua_bao_cao_bang_tieng_viet_co_dau: z.string() }),
    run: () => ({ ok: true }),
  });
  const args = { ten_cua_bao_cao_bang_tieng_viet_co_dau: "Báo cáo chất lượng dữ liệu quý III năm 2026 ".repeat(4) };
  return {
    crew: defineCrew({
      name: "bao-cao-chat-luong-du-lieu-thi-truong-chung-khoan-hang-quy",
      description: "Kiểm tra chất lượng dữ liệu thị trường chứng khoán, lập báo cáo hằng quý và nộp báo cáo.",
      agents: [
        { id: LONG, name: "Thanh tra viên cao cấp về chất lượng dữ liệu", role: "Kiểm tra từng mã một" },
        { id: "nguoi-lap-bao-cao", name: "Người lập báo cáo", tools: [file.name], isTerminal: true },
      ],
      tools: [file],
      permissions: { [file.name]: "ask" },
      signals: { [LONG]: [{ signal: "[DU_LIEU_DA_DUOC_KIEM_TRA_XONG]", target: "nguoi-lap-bao-cao" }] },
    }),
    model: scriptModel({
      [LONG]: [{ say: "Tôi đã kiểm tra 1.204 mã; dữ liệu đầy đủ. [DU_LIEU_DA_DUOC_KIEM_TRA_XONG]" }],
      "nguoi-lap-bao-cao": [{ say: "Tôi chuẩn bị nộp.", call: [{ tool: file.name, args }] }, { say: "Đã nộp." }],
    }),
  };
}

/** A run of about fifty thousand events, which ends at its limit of handoffs. */
function marathon(): OwnCrew {
  return {
    crew: defineCrew({
      name: "marathon",
      description: "Two agents who pass the baton a hundred times.",
      agents: [{ id: "caller" }, { id: "runner" }],
      signals: {
        caller: [{ signal: "[RUN]", target: "runner" }],
        runner: [
          { signal: "[CALL]", target: "caller" },
          { signal: "[HOME]", target: "" },
        ],
      },
      settings: { maxHandoffs: MARATHON_HANDOFFS, maxCallsPerMinute: 10_000 },
    }),
    model: {
      name: "script",
      async *stream({ agent }) {
        for (let word = 1; word <= MARATHON_WORDS; word++) yield [{ type: "text", text: `${agent} ${word} ` }];
        yield [{ type: "text", text: agent === "caller" ? "[RUN]" : "[CALL]" }];
        yield [{ type: "end", finish: "stop", usage: { inputTokens: 400, outputTokens: MARATHON_WORDS } }];
      },
    },
  };
}

/** All of them. */
export function makeOwnCrews(): readonly OwnCrew[] {
  return [stubborn(), seminar(), failing(), crowd(), toolbox(), longNames(), marathon()];
}
