import { Effect } from "effect"
import type { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
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

/** Runs a call, and puts what it wrote into the audit under another workspace. */
const misplaced = <A, E>({ inbox: { audit }, workspaces }: State, own: WorkspaceId, call: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const { length } = audit.kept
    const other = Array.from(workspaces.keys()).find((id) => id !== own)
    return Effect.tap(call, () =>
      Effect.sync(() => {
        if (other === undefined) return
        audit.kept = audit.kept.map((line, n) => (n < length ? line : { ...line, workspaceId: other }))
      })
    )
  })

/** One path of several that forgets what the others do. */
export const pathBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a post that is taken back is not audited",
    near: 17,
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
  },
  {
    name: "that an endpoint is switched off is told to another workspace's audit",
    breaks: /another workspace's audit tells/,
    plant: wrong(OutgoingEndpointStore, (right, state) =>
      OutgoingEndpointStore.of({
        ...right,
        update: (workspaceId, ...of) => misplaced(state, workspaceId, right.update(workspaceId, ...of))
      })
    )
  }
]
