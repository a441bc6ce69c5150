/** The read-only tools of it-support. `ExecuteCommand` stays behind: nothing here can change the machine. */
import tools from "../it-support/tools.ts";

export default tools.filter(({ effect }) => effect === "read");
