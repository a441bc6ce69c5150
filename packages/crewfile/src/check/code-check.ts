/**
 * Code check: agents that call tools by writing code, and what that code may do without asking.
 */
import type { GraphFinding, RoutingAnalysis } from "./routing-analysis.ts";

/** Finds code without tools, and tools that cannot be undone that code may call again and again. */
export function* checkCode({ crew }: RoutingAnalysis): Iterable<GraphFinding> {
  const { permissions, settings, tools } = crew;
  for (const [index, agent] of [...crew.agents.values()].entries()) {
    if (agent.toolCalls !== "code") continue;
    const path = ["agents", index, "toolCalls"];
    if (agent.tools.length === 0) {
      const message = `\`${agent.id}\` has \`tool_calls: code\` and no tools for its code`;
      yield {
        code: "code_without_tools",
        severity: "warning",
        path,
        message,
        fix: "give it tools, or remove `tool_calls`",
      };
    }
    for (const name of agent.tools) {
      const tool = tools.get(name);
      const isAllowed = (permissions.get(name) ?? permissions.get("*")) === "allow";
      if (tool?.effect !== "irreversible" || tool.permission !== undefined || !isAllowed) continue;
      const message = `code may call ${name} ${settings.maxCodeCalls.toLocaleString("en-US")} times without asking`;
      const fix = `set \`permissions.${name}: ask\`, or give the tool a \`permission\` hook`;
      yield { code: "code_allowed", severity: "warning", path, message, fix };
    }
  }
}
