import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defineCrew, defineProgram, defineTool, type CrewDefinition, type Effect } from "@baton/core";
import * as fc from "fast-check";
import { toDrawing } from "./drawing.ts";
import { layOut, type Link } from "./layout.ts";
import { toMermaid } from "./mermaid.ts";
import { toSvg } from "./svg.ts";

const EXAM: CrewDefinition = {
  name: "exam",
  agents: [{ id: "teacher", role: "Asks" }, { id: "student" }, { id: "reporter", isTerminal: true }, { id: "nobody" }],
  signals: {
    teacher: [
      { signal: "[ASK]", target: "both" },
      { signal: "[REPORT]", target: "reporter" },
      { signal: "[END]", target: "" },
      { signal: "[AGAIN]", target: "teacher" },
    ],
  },
  behaviors: { teacher: { waitForSignal: true, onFailure: "reporter" } },
  groups: { both: { agents: ["student", "reporter"], nextAgent: "teacher" } },
};

const ALPHA = defineCrew({
  name: "alpha-crew",
  agents: [{ id: "asker", isTerminal: true }],
  behaviors: { asker: { waitForSignal: true } },
});

const DESK: CrewDefinition = {
  name: "desk",
  programs: { classify: defineProgram(() => ({})) },
  subCrews: { alpha: ALPHA },
  agents: [
    {
      id: "intent",
      model: { name: "code/classify" },
      output: {
        properties: { kind: { enum: ["plan", "deep", "talk"] }, plan: { properties: { needed: { type: "boolean" } } } },
      },
    },
    { id: "writer", isTerminal: true },
  ],
  signals: {
    intent: [{ when: { kind: ["plan", "deep"], "plan.needed": true }, target: "alpha", returnTo: "writer" }],
  },
  defaults: { intent: "writer" },
};

const HOSTILE: CrewDefinition = {
  name: `"]; </text><script>alert(1)</script> & \u{1} \u{D800}`,
  agents: [
    { id: "a", role: `x"]:::evil\nn9[("<script>` },
    { id: "b", isTerminal: true },
  ],
  signals: { a: [{ signal: `[<img src=x onerror="alert(1)">|'"\`;]`, target: "b" }] },
};

suite("the SVG of a crew", () => {
  test("shows entry, end, pause, group, cycle and every signal", () => {
    const svg = toSvg(defineCrew(EXAM));
    for (const text of [
      "[ASK]",
      "[REPORT]",
      "[END]",
      "↻ [AGAIN]",
      "waits for the user",
      "ends the run",
      "together: student, reporter",
      "(on failure)",
    ]) {
      assert.ok(svg.includes(`>${text}<`), text);
    }
    assert.ok(svg.includes('class="start"'));
    assert.ok(svg.includes('class="box group"'));
    assert.ok(svg.includes("cycle"));
    assert.ok(svg.includes("never gets the baton"));
  });

  test("says of a group how its members' answers count", () => {
    const words = { settled: "together", all: "all must answer", first: "first answer" } as const;
    for (const mode of ["settled", "all", "first"] as const) {
      const svg = toSvg(defineCrew({ ...EXAM, groups: { both: { agents: ["student", "reporter"], mode } } }));
      assert.ok(svg.includes(`>${words[mode]}: student, reporter<`), mode);
    }
  });

  test("shows programs and sub-crews by shape and words, and conditions on the output at their arrows", () => {
    const svg = toSvg(defineCrew(DESK));
    for (const text of ["program: classify", "crew: alpha-crew", "kind: plan | deep, plan.needed: true", "(then)"]) {
      assert.ok(svg.includes(`>${text}<`), text);
    }
    assert.match(svg, /<path class="box program entry" d="M [-\d.]+ [-\d.]+ L /);
    assert.match(svg, /<rect class="box crew pause"[^>]*\/><path class="bar"/);
    assert.ok(svg.includes("blue, slanted: a program") && svg.includes("green, barred: a sub-crew"));
    assert.ok(!toSvg(defineCrew(EXAM)).includes("slanted"));
    const [output] = svg.match(/<path class="arrow[^"]*"[^>]*>/) ?? [];
    assert.ok(output?.includes('class="arrow"') || output?.includes('class="arrow cycle"'), output);
  });

  test("is XML in which names are nothing but text", () => {
    const svg = toSvg(defineCrew(HOSTILE));
    const tags = new Set(Array.from(svg.matchAll(/<\/?([a-z]+)/g), ([, name]) => name ?? ""));
    assert.deepEqual([...tags].toSorted(), [
      "circle",
      "defs",
      "g",
      "marker",
      "path",
      "rect",
      "style",
      "svg",
      "text",
      "title",
    ]);
    assert.ok(svg.isWellFormed());
    assert.ok(!svg.includes("\u{1}"));
    assert.equal(svg.split("<text").length, svg.split("</text>").length);
  });

  test("of a crew too large to read is cut, and says so", () => {
    const agents = Array.from({ length: 10_000 }, (_, index) => ({
      id: `a${index}`,
      handoffTargets: [`a${(index + 1) % 10_000}`],
    }));
    const svg = toSvg(defineCrew({ name: "large", agents }));
    assert.ok(svg.includes("9900 more boxes and 0 more arrows are not drawn"));
  });
});

suite("the Mermaid chart of a crew", () => {
  test("has a node for each agent and group, and a link for each pair of them", () => {
    const lines = toMermaid(defineCrew(EXAM))
      .split("\n")
      .map((line) => line.trim());
    assert.equal(lines[0], "flowchart TD");
    assert.ok(lines.includes("start --> n0"));
    assert.ok(lines.some((line) => line.startsWith("n0{{") && line.includes("waits for the user")));
    assert.ok(lines.some((line) => line.includes("[[") && line.includes("together#58; student, reporter")));
    assert.ok(lines.some((line) => line.includes('-->|"#91;REPORT#93;<br/>#40;on failure#41;"|')));
    assert.ok(lines.some((line) => line.startsWith("linkStyle ")));
  });

  test("shows programs and sub-crews by shape and words, and conditions on the output at their links", () => {
    const chart = toMermaid(defineCrew(DESK));
    assert.ok(chart.includes('n0[/"<b>intent</b><br/><small>program#58; classify</small>"/]'), chart);
    assert.ok(chart.includes("<small>crew#58; alpha-crew</small><br/>waits for the user"), chart);
    assert.match(chart, /n\d\[\\".*"\/\]/);
    assert.ok(chart.includes('-->|"kind#58; plan #124; deep, plan.needed#58; true"|'), chart);
    for (const name of ["program", "crew"]) assert.ok(chart.includes(`classDef ${name} `), name);
  });

  test("cannot be changed by a name", () => {
    const chart = toMermaid(defineCrew(HOSTILE));
    assert.equal(chart.split("\n").length, toMermaid(defineCrew({ ...HOSTILE, name: "x" })).split("\n").length);
    for (const line of chart.split("\n")) assert.ok(line.split('"').length <= 3, line);
    assert.ok(!chart.includes("<script") && !chart.includes("<img") && !chart.includes(":::"));
  });
});

suite("the layout", () => {
  const graphs = fc.integer({ min: 1, max: 9 }).chain((count) =>
    fc.record({
      sizes: fc.array(
        fc.record({ width: fc.integer({ min: 10, max: 200 }), height: fc.integer({ min: 10, max: 80 }) }),
        {
          minLength: count,
          maxLength: count,
        },
      ),
      pairs: fc.uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        maxLength: 14,
        selector: (pair) => pair.join(),
      }),
    }),
  );

  test("never lets two boxes or labels overlap", () => {
    fc.assert(
      fc.property(graphs, ({ sizes, pairs }) => {
        const label = { width: 90, height: 20 };
        const links = pairs.filter(([from, to]) => from !== to).map(([from, to]): Link => ({ from, to, label }));
        const { boxes, routes, width, height } = layOut(sizes, links);
        const rectangles = [
          ...boxes.map((centre, index) => ({ ...centre, ...(sizes[index] ?? label) })),
          ...routes.map((route) => ({ ...route.label, ...label })),
        ];
        for (const [index, one] of rectangles.entries()) {
          assert.ok(one.x - one.width / 2 >= -0.01 && one.x + one.width / 2 <= width + 0.01 && one.y <= height);
          for (const other of rectangles.slice(index + 1)) {
            const isApartX = Math.abs(one.x - other.x) >= (one.width + other.width) / 2 - 0.01;
            const isApartY = Math.abs(one.y - other.y) >= (one.height + other.height) / 2 - 0.01;
            assert.ok(isApartX || isApartY, JSON.stringify([one, other]));
          }
        }
      }),
    );
  });
});

suite("the drawing of a crew", () => {
  test("has every agent, group and signal at a place, members inside their group", () => {
    const { boxes, arrows, width, height } = toDrawing(defineCrew(EXAM));
    assert.deepEqual(boxes.map(({ id }) => id).toSorted(), ["both", "end", "nobody", "reporter", "teacher"]);
    assert.deepEqual(boxes.find(({ id }) => id === "both")?.members, ["student", "reporter"]);
    assert.deepEqual(boxes.find(({ id }) => id === "teacher")?.again, ["[AGAIN]"]);
    const labels = arrows.flatMap((arrow) => arrow.labels);
    for (const signal of ["[ASK]", "[REPORT]", "[END]"]) assert.ok(labels.includes(signal), signal);
    for (const box of boxes) {
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, box.id);
    }
  });

  test("never has boxes that overlap, whatever the routing", () => {
    const ids = Array.from({ length: 8 }, (_, index) => `agent-${index}`);
    const target = fc.constantFrom(...ids, "");
    const routes = fc.array(fc.tuple(fc.constantFrom(...ids), target), { maxLength: 24 });
    const property = fc.property(routes, (pairs) => {
      const signals: Record<string, { signal: string; target: string }[]> = {};
      for (const [index, [from, to]] of pairs.entries())
        (signals[from] ??= []).push({ signal: `[S${index}]`, target: to });
      const { boxes } = toDrawing(defineCrew({ name: "x", agents: ids.map((id) => ({ id })), signals }));
      for (const [index, one] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
          const isApart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y;
          assert.ok(isApart, `${one.id} and ${other.id}`);
        }
      }
    });
    fc.assert(property, { numRuns: 100 });
  });
});

test("an agent shows the servers of its tools with their effects, and its skills", () => {
  const toTool = (name: string, effect: Effect, tags: readonly string[] = []) =>
    defineTool({
      name,
      description: "",
      effect,
      tags,
      input: { jsonSchema: {}, validate: (value) => ({ ok: true, value }) },
      run: () => null,
    });
  const tools = [
    toTool("a__x", "read", ["mcp:a"]),
    toTool("a__y", "read", ["mcp:a"]),
    toTool("a__z", "irreversible", ["mcp:a"]),
    toTool("own", "read"),
  ];
  const crew = defineCrew({
    name: "served",
    agents: [
      {
        id: "desk",
        role: "Helps",
        isTerminal: true,
        tools: tools.map(({ name }) => name),
        skills: [{ name: "refunds", description: "Gives money back." }],
      },
    ],
    tools,
  });
  assert.equal(toDrawing(crew).boxes[0]?.subtitle, "Helps · MCP a: 2 read, 1 irreversible · skills: refunds");
});
