/**
 * Bridge worker: the program inside a sandbox that may reach hosts. It passes connections on 127.0.0.1:3128 on to the
 * proxy's socket, and runs the tool's own program.
 */
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [socket = "", file = "", ...args] = process.argv.slice(2);

const server = createServer((inside) => {
  const outside = connect(socket);
  inside.on("error", () => outside.destroy()).on("close", () => outside.destroy());
  outside.on("error", () => inside.destroy()).on("close", () => inside.destroy());
  inside.pipe(outside).pipe(inside);
});

server.listen(3_128, "127.0.0.1", () => {
  const child = spawn(file, args, { stdio: ["inherit", "inherit", "inherit", "inherit"] });
  child.on("error", ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 127;
    server.close();
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
});
