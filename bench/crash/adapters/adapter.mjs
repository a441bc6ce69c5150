// What every adapter shares: the world's model and tools, and the commands that come in and the states that go out.
import { createInterface } from "node:readline";

const [folder, world, version] = process.argv.slice(2);

/** Where the system keeps its data; the address of the world; which version of the code is deployed. */
export { folder, version };

const post = async (path, body) => {
  const response = await fetch(world + path, { method: "POST", body: JSON.stringify(body) });
  return response.json();
};

/** Asks the model: it answers with `{call, args}` or `{text}`, by the tools whose results it has seen. */
export const askModel = (results) => post("/model", { results: [...new Set(results)] });

/** Uses a tool in the world outside. */
export const useTool = (name, args) => post(`/tool/${name}`, { args });

/** The instructions of the agent, other ones after a deploy. */
export const instructions = version === "2" ? "You are kind and brief. You give refunds." : "You give refunds.";

export const question = "Order A7 arrived broken. Please give me my money back, and write me a mail.";

/** Carries out commands of standard input, at the same time if they come at the same time, and prints what became of each. */
export const answerCommands = (commands) => {
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const [name, argument] = line.split(" ");
    try {
      console.log(JSON.stringify(await commands[name](argument)));
    } catch (error) {
      console.log(JSON.stringify({ state: "failed", message: String(error?.message ?? error).slice(0, 300) }));
    }
  });
  console.log(JSON.stringify({ state: "ready" }));
};
