import { ShownEndpoint } from "@loopbox/core/items/ShownEndpoint"
import { ShownPost, ShownTarget } from "@loopbox/core/items/ShownPost"
import { InboxItem } from "@loopbox/core/items/InboxItem"
import { InboxThread } from "@loopbox/core/items/threading/InboxThread"
import { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { SavedReply } from "@loopbox/core/savedReplies/SavedReply"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import type { PlainOverlay } from "../facade/audioFacade.ts"
import { keyFields } from "../facade/keysFacade.ts"
import type { PlainJob } from "../facade/plain.ts"
import { accountFields } from "../facade/plainAccount.ts"
import type { PlainItem, PlainThread } from "../facade/plainInbox.ts"

/** The names of what our records have, which may be given back as they are. */
const namesOf = (...schemas: ReadonlyArray<{ readonly fields: object }>): ReadonlySet<string> =>
  new Set(schemas.flatMap(({ fields }) => Object.keys(fields)))

const and = (names: ReadonlySet<string>, others: object): ReadonlySet<string> =>
  new Set([...names, ...Object.keys(others)])

export const workspaceNames = namesOf(Workspace)
export const keyNames: ReadonlySet<string> = new Set([...keyFields, "text"])
export const accountNames: ReadonlySet<string> = new Set(accountFields)
export const sessionNames = namesOf(ConnectSession)
export const endpointNames = namesOf(ShownEndpoint)
export const postNames = namesOf(ShownPost)
export const targetNames = namesOf(ShownTarget)
export const noteNames = namesOf(ThreadNote)
export const savedReplyNames = namesOf(SavedReply)

export const itemNames = and(namesOf(InboxItem), {
  threadId: true,
  threadStatus: true,
  assignedTo: true,
  authorName: true,
  externalUserId: true,
  account: true
} satisfies Partial<Record<keyof PlainItem, true>>)

export const threadNames = and(namesOf(InboxThread), {
  threadStatus: true,
  lastItemAt: true,
  externalUserId: true,
  postId: true,
  linkedPostId: true
} satisfies Partial<Record<keyof PlainThread, true>>)

const jobs: Readonly<Record<keyof PlainJob | keyof PlainOverlay, true>> = {
  id: true,
  workspaceId: true,
  kind: true,
  status: true,
  outputMediaId: true,
  progress: true,
  attempts: true,
  createdAt: true,
  startedAt: true,
  completedAt: true,
  error: true,
  gifMediaId: true,
  backgroundColor: true,
  outputProfile: true,
  videoMediaId: true,
  audioMediaId: true,
  mode: true,
  videoVolume: true,
  audioVolume: true,
  audioStartMs: true,
  fit: true
}
export const jobNames: ReadonlySet<string> = new Set(Object.keys(jobs))
