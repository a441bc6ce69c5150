/**
 * @baton/store/testing: a memory database that several processes share, and records to fill databases with.
 */
export { MemoryData } from "../memory-data.ts";
export { ANN, hold, recordOf } from "./database-pair.ts";
