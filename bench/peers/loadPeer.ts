import { loadTool } from "../../scripts/installTools.ts"

const tools = {
  folder: new URL("./", import.meta.url),
  name: "loopbox-peers",
  what: "what others made for the same task"
}

/** Loads what others made for the same task. */
export const loadPeer = (name: "graphile-worker" | "pg-boss" | "socket.io") => loadTool(tools, name)
