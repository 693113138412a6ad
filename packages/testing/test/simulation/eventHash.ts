import { createHash } from "node:crypto"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { Effect } from "effect"

/** A hash of every event that a world wrote, with its number, time and ids: the same seed has to give the same. */
export const eventHash = Effect.map(MemoryState, ({ inbox }) =>
  createHash("sha256")
    .update(JSON.stringify(Array.from(inbox.logs.values(), ({ events }) => events)))
    .digest("hex")
)
