import { Effect } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]

/** Runs a call, and leaves out what it wrote into the audit. */
const unaudited = <A, E>({ inbox: { audit } }: State, call: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const { length } = audit.kept
    return Effect.tap(call, () => Effect.sync(() => void (audit.kept = audit.kept.slice(0, length))))
  })

/** One path of several that forgets what the others do. */
export const pathBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a post that is taken back is not audited",
    breaks: /no line of the audit tells/,
    plant: wrong(PostStore, (right, state) =>
      PostStore.of({ ...right, change: (...of) => unaudited(state, right.change(...of)) })
    )
  },
  {
    name: "an endpoint that is switched off is not audited",
    breaks: /no line of the audit tells/,
    plant: wrong(OutgoingEndpointStore, (right, state) =>
      OutgoingEndpointStore.of({ ...right, update: (...of) => unaudited(state, right.update(...of)) })
    )
  }
]
