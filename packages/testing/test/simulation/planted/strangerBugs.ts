import { Effect, Option } from "effect"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { OutgoingEndpointStore } from "@loopbox/core/outgoing/OutgoingEndpointStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { type InboxPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

/** All of the workspace, whoever asks. */
const widened = ({ scope: { workspaceId }, sources }: ItemScope): ItemScope => ({
  scope: new WorkspaceScope({ workspaceId }),
  sources
})

/** What does not ask whose it is that is named. */
export const strangerBugs: ReadonlyArray<PlantedBug<InboxPorts>> = [
  {
    name: "a managed user labels threads of the whole workspace",
    breaks: /a stranger could label the thread/,
    plant: wrong(ThreadStore, (right) =>
      ThreadStore.of({ ...right, setLabels: (scope, ...of) => right.setLabels(widened(scope), ...of) })
    )
  },
  {
    name: "a note is taken away by its id alone",
    breaks: /a note was removed under another thread/,
    plant: wrong(ThreadStore, (right, { inbox }) =>
      ThreadStore.of({
        ...right,
        removeNote: (scope, id, noteId, at) => {
          const notes = Array.from(inbox.accounts.values()).map((entry) => entry.notes.get(noteId))
          return right.removeNote(scope, notes.find((note) => note !== undefined)?.threadId ?? id, noteId, at)
        }
      })
    )
  },
  {
    name: "a managed user marks items of the whole workspace",
    breaks: /a stranger could mark the item as read/,
    plant: wrong(InboxStore, (right) =>
      InboxStore.of({ ...right, markRead: (scope, ...of) => right.markRead(widened(scope), ...of) })
    )
  },
  {
    name: "a post is found by its id alone",
    breaks: /a stranger could find the post/,
    plant: wrong(PostStore, (right, { inbox: { posts } }) =>
      PostStore.of({
        ...right,
        find: (_scope, id) => Effect.sync(() => Option.fromUndefinedOr(posts.get(id)?.kept))
      })
    )
  },
  {
    name: "the secrets of an endpoint are read by its id alone",
    breaks: /a stranger could read secrets/,
    plant: wrong(OutgoingEndpointStore, (right, { inbox: { outgoing } }) =>
      OutgoingEndpointStore.of({
        ...right,
        secrets: (workspaceId, id, now) =>
          right.secrets(outgoing.endpoints.get(id)?.endpoint.workspaceId ?? workspaceId, id, now)
      })
    )
  }
]
