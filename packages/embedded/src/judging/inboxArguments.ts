import { AccountStatus } from "@loopbox/core/accounts/SocialAccount"
import { PostStatus } from "@loopbox/core/items/ShownPost"
import { ThreadStatus } from "@loopbox/core/items/Thread"
import { batchActions } from "@loopbox/core/moderation/runBatch"
import type { NetworkTable } from "@loopbox/core/networks/Networks"
import { ThreadStage } from "@loopbox/core/threads/ThreadStage"
import * as Predicate from "effect/Predicate"
import type { ConnectedFacade, ConnectedListRequest } from "../facade/connectedFacade.ts"
import type { InboxFacade, ItemListRequest, PlainReplyRequest } from "../facade/inboxFacade.ts"
import type { ListRequest } from "../facade/listRequest.ts"
import type { ModerationFacade } from "../facade/moderationFacade.ts"
import type { NotesFacade } from "../facade/notesFacade.ts"
import { activityNames } from "../facade/plainActivity.ts"
import type { BackfillOptions } from "../facade/plainSync.ts"
import type { NewPostRequest, PostContent, PostsFacade, PostTargetRequest } from "../facade/postsFacade.ts"
import type { SavedRepliesFacade } from "../facade/savedRepliesFacade.ts"
import type { LabelsFacade, ThreadListRequest, ThreadsFacade } from "../facade/threadsFacade.ts"
import {
  aNumber,
  anything,
  eventNumber,
  flag,
  isRecord,
  type Judge,
  membersOf,
  moment,
  must,
  needs,
  oneOf,
  optional,
  recordOf,
  text,
  texts
} from "./Judge.ts"
import { type Argument, type Judgements, signal } from "./judged.ts"
import { itemNames, noteNames, postNames, savedReplyNames, targetNames, threadNames } from "./records.ts"
import { assignee, id, limit, list, mayRequest, orRecord, placeBy, requestOf, scope, texted } from "./requests.ts"

const flagged = optional(flag)
const time = optional(moment)
const ofOne: ReadonlyArray<Argument> = [scope, id]

export const connectedArguments = ({ networks }: NetworkTable): Judgements<ConnectedFacade> => ({
  list: [
    scope,
    mayRequest<ConnectedListRequest>({
      ...list,
      network: optional(oneOf(networks)),
      status: optional(oneOf(AccountStatus.literals))
    })
  ],
  find: ofOne,
  check: ofOne,
  disconnect: ofOne
})

/** A member of another name would be left out, and what it says lost. Their values are judged where they are read. */
const activity = membersOf(Object.fromEntries(Array.from(activityNames, (name) => [name, anything])), "an activity")

const activities: Judge = (given, name) =>
  Array.isArray(given)
    ? given.flatMap((one: unknown, at) => activity(one, `${name}[${at}]`))
    : [`${name} must be a list of activities`]

const replyMembers = { idempotencyKey: texted }

export const inboxArguments = ({ sources }: NetworkTable): Judgements<InboxFacade> => ({
  list: [
    scope,
    mayRequest<ItemListRequest>({
      limit,
      after: placeBy("receivedAt"),
      source: optional(oneOf(sources)),
      isRead: flagged,
      isOwn: flagged,
      threadStatus: optional(oneOf(ThreadStatus.literals)),
      threadKey: texted,
      postId: texted,
      accountId: texted,
      assignedTo: assignee,
      receivedAfter: time,
      receivedBefore: time,
      q: texted
    })
  ],
  count: [scope],
  find: ofOne,
  markRead: ofOne,
  markUnread: ofOne,
  markAllRead: [scope],
  setThreadState: [
    scope,
    id,
    [
      "state",
      needs(
        ["threadStatus"],
        orRecord<Parameters<InboxFacade["setThreadState"]>[2]>(itemNames, {
          threadStatus: oneOf(ThreadStatus.literals),
          assignedTo: texted
        })
      )
    ]
  ],
  reply: [
    scope,
    id,
    [
      "reply",
      requestOf<PlainReplyRequest>({
        ...replyMembers,
        text: texted,
        mediaIds: optional(texts),
        tag: optional(oneOf(["human_agent"]))
      })
    ]
  ],
  replyPrivately: [scope, id, ["reply", needs(["text"], requestOf({ text, ...replyMembers }))]],
  findOperation: ofOne,
  findMediaContext: ofOne,
  ingest: [["activities", activities]],
  sync: [scope],
  backfill: [
    scope,
    mayRequest<BackfillOptions>({
      accountId: texted,
      lookbackDays: optional(aNumber),
      maxItems: optional(aNumber),
      confirmationToken: texted
    })
  ],
  findSync: ofOne,
  events: { iterates: [scope, mayRequest({ signal, after: optional(eventNumber) })] }
})

const act: ReadonlyArray<Argument> = ofOne

export const moderationArguments: Judgements<ModerationFacade> = {
  hide: act,
  unhide: act,
  like: act,
  unlike: act,
  delete: act,
  batch: [scope, ["ids", texts], ["action", oneOf(batchActions)]]
}

export const threadsArguments = ({ sources }: NetworkTable): Judgements<ThreadsFacade> => ({
  list: [
    scope,
    mayRequest<ThreadListRequest>({
      limit,
      after: placeBy("lastItemAt"),
      source: optional(oneOf(sources)),
      threadStatus: optional(oneOf(ThreadStage.literals)),
      accountId: texted,
      assignedTo: assignee,
      isUnread: flagged,
      q: texted,
      label: texted
    })
  ],
  find: ofOne,
  items: [scope, id, mayRequest({ limit, after: placeBy("receivedAt"), order: oneOf(["newest", "oldest"]) })],
  markRead: ofOne,
  setState: [
    scope,
    id,
    [
      "state",
      needs(
        ["threadStatus"],
        orRecord<Parameters<ThreadsFacade["setState"]>[2]>(threadNames, {
          threadStatus: oneOf(ThreadStatus.literals),
          assignedTo: texted,
          snoozedUntil: time
        })
      )
    ]
  ],
  setLabels: [scope, id, ["labels", texts]]
})

export const labelsArguments: Judgements<LabelsFacade> = { list: [scope] }

const threadId: Argument = ["threadId", text]

export const notesArguments: Judgements<NotesFacade> = {
  list: [scope, threadId, mayRequest<ListRequest>(list)],
  create: [scope, threadId, ["note", needs(["text"], orRecord(noteNames, { text, author: texted }))]],
  delete: [scope, threadId, ["noteId", text]]
}

const savedReply = orRecord(savedReplyNames, { name: text, text })

export const savedRepliesArguments: Judgements<SavedRepliesFacade> = {
  list: [scope, mayRequest<ListRequest>(list)],
  create: [scope, ["content", needs(["name", "text"], savedReply)]],
  update: [scope, id, ["change", savedReply]],
  delete: ofOne
}

const option = must((given) => Predicate.isString(given) || Predicate.isBoolean(given), "be a text, true or false")

const altTexts = recordOf(text, "an object of texts by file")
const flatOptions = recordOf(option, "an object of options")
const readOptions = needs(["values", "altTexts"], membersOf({ values: flatOptions, altTexts }, "{ values, altTexts }"))

/** As they are written, or as a target has them that was read. */
const options: Judge = (given, name) =>
  (isRecord(given) && isRecord(given["values"]) ? readOptions : flatOptions)(given, name)

const target = needs(
  ["accountId"],
  orRecord<PostTargetRequest>(targetNames, {
    accountId: text,
    text: texted,
    mediaIds: optional(texts),
    firstComment: texted,
    options: optional(options),
    altTexts: optional(altTexts)
  })
)

const targets: Judge = (given, name) =>
  Array.isArray(given)
    ? given.flatMap((one: unknown, at) => target(one, `${name}[${at}]`))
    : [`${name} must be a list of { accountId }`]

const post = {
  text: texted,
  mediaIds: optional(texts),
  targets: optional(targets),
  scheduledAt: time
} satisfies Record<keyof PostContent, Judge>

const ofTarget: ReadonlyArray<Argument> = [scope, id, ["targetId", text]]

export const postsArguments: Judgements<PostsFacade> = {
  create: [scope, ["post", orRecord(postNames, { ...post, isDraft: flag, idempotencyKey: texted })]],
  validate: [scope, ["post", orRecord<NewPostRequest>(postNames, { ...post, isDraft: flag })]],
  list: [scope, mayRequest({ ...list, status: optional(oneOf(PostStatus.literals)), accountId: texted })],
  find: ofOne,
  change: [scope, id, ["change", orRecord<PostContent>(postNames, post)]],
  publish: ofOne,
  cancel: ofOne,
  retryTarget: ofTarget,
  removeTarget: ofTarget,
  remove: ofOne
}
