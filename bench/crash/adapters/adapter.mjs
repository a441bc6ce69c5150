// What every adapter shares: the world's model and tools, and the commands that come in and the states that go out.
import { createInterface } from "node:readline";

const [folder, world, version] = process.argv.slice(2);

/** Where the system keeps its data; the address of the world; which version of the code is deployed. */
export { folder, version };

const post = async (path, body) => {
  const response = await fetch(world + path, { method: "POST", body: JSON.stringify(body) });
  return response.json();
};

/** Whether this process only talks, in a long session, and needs no tools. */
let isChat = false;

/** Asks the model: it answers with `{call, args}` or `{text}`, by the tools whose results it has seen. */
export const askModel = (results) =>
  isChat ? { text: "That is a good question. ".repeat(10) } : post("/model", { results: [...new Set(results)] });

/** Uses a tool in the world outside. */
export const useTool = (name, args) => post(`/tool/${name}`, { args });

/** The instructions of the agent, other ones after a deploy. */
export const instructions = version === "2" ? "You are kind and brief. You give refunds." : "You give refunds.";

export const question = "Order A7 arrived broken. Please give me my money back, and write me a mail.";

/**
 * Carries out commands of standard input: `start`, `recover`, `approve`, `doubt`, and `chat COUNT` by `say`; at the same time if they come at the same time, and prints what
 * became of each.
 */
export const answerCommands = (commands) => {
  const chat = async (count) => {
    for (let n = 0; n < Number(count); n++) await commands.say(`Question ${n}: what do you think?`);
    return { state: "ended" };
  };
  const carryOut = async (line) => {
    const [name, argument] = line.split(" ");
    isChat = name === "chat";
    return name === "chat" ? chat(argument) : commands[name](argument);
  };
  const print = (state) => console.log(JSON.stringify(state));
  createInterface({ input: process.stdin }).on("line", (line) => {
    carryOut(line).then(print, (error) =>
      print({ state: "failed", message: String(error?.message ?? error).slice(0, 300) }),
    );
  });
  print({ state: "ready" });
};
