import { auditActions } from "@loopbox/core/audit/AuditEvent"
import { PostStatus } from "@loopbox/core/items/ShownPost"
import { ThreadStatus } from "@loopbox/core/items/Thread"
import { ThreadStage } from "@loopbox/core/threads/ThreadStage"
import { plans } from "@loopbox/core/workspaces/Plan"
import { roles } from "@loopbox/core/workspaces/Role"
import * as Predicate from "effect/Predicate"
import type { AccountsFacade } from "../facade/accountsFacade.ts"
import type { InboxFacade, ItemListRequest, PlainReplyRequest } from "../facade/inboxFacade.ts"
import type { KeysFacade } from "../facade/keysFacade.ts"
import type { ListRequest } from "../facade/listRequest.ts"
import type { MediaFacade } from "../facade/mediaFacade.ts"
import type { MembersFacade } from "../facade/membersFacade.ts"
import type { NewPostRequest, PostContent, PostsFacade, PostTargetRequest } from "../facade/postsFacade.ts"
import type { ThreadListRequest, ThreadsFacade } from "../facade/threadsFacade.ts"
import type { EndpointRequest, WebhookEndpointsFacade } from "../facade/webhookEndpointsFacade.ts"
import type { AuditListRequest, WorkspacesFacade } from "../facade/workspacesFacade.ts"
import { anything, flag, isRecord, type Judge, membersOf, must, oneOf, optional, text, texts } from "./Judge.ts"
import type { Argument, Judgements } from "./judged.ts"

/**
 * An object with these members and no other; the compiler tells when one is missing here. A record of ours that is given back,
 * as `{ ...account, name }`, has more of them, which are left alone: it is known by its id.
 */
const requestOf = <Request>(members: Readonly<Record<keyof Request & string, Judge>>): Judge => {
  const judge = membersOf(members, `an object of ${Object.keys(members).join(", ")}`)
  const isMember = ([name]: readonly [string, unknown]) => Object.hasOwn(members, name)
  return (given, name) =>
    judge(isRecord(given) && "id" in given ? Object.fromEntries(Object.entries(given).filter(isMember)) : given, name)
}

/** The same of an argument that may be left out. */
const mayRequest = <Request>(members: Readonly<Record<keyof Request & string, Judge>>): Argument => {
  const judge = requestOf<Request>(members)
  return ["request", (given, name) => (given === undefined ? [] : judge(given, name))]
}

const id: Argument = ["id", text]
const scope: Argument = ["scope", anything] // Judged where it is entered.
const workspaceId: Argument = ["workspaceId", text]
const texted = optional(text)
const flagged = optional(flag)
const aNumber = must(Predicate.isNumber, "be a number")
const list = { limit: anything, after: anything } satisfies Record<keyof ListRequest, Judge>

const assignee: Judge = (given, name) =>
  given === undefined || given === null || Predicate.isString(given) || (isRecord(given) && given["nobody"] === true)
    ? []
    : [`${name} must be a text, or { nobody: true }`]

const limits = membersOf(
  { activeJobs: optional(aNumber), conversionsPer24Hours: optional(aNumber) },
  "{ activeJobs, conversionsPer24Hours }"
)

/** A name of nothing or of a page's length would be refused over HTTP, too. */
const workspaceName = must(
  (given) => Predicate.isString(given) && given.trim() !== "" && given.length <= 200,
  "be a text of 1 to 200 characters"
)

export const workspacesArguments: Judgements<WorkspacesFacade> = {
  create: [["workspace", requestOf({ name: workspaceName, plan: oneOf(plans), limits })]],
  find: [id],
  usage: [id],
  auditEvents: [
    id,
    mayRequest<AuditListRequest>({ ...list, actor: texted, action: optional(oneOf(auditActions)), target: texted })
  ],
  list: [mayRequest<ListRequest>(list)],
  update: [id, ["change", requestOf({ name: workspaceName, plan: oneOf(plans), limits })]],
  erase: [id]
}

const userId: Argument = ["userId", text]

export const membersArguments: Judgements<MembersFacade> = {
  list: [workspaceId, mayRequest<ListRequest>(list)],
  find: [workspaceId, userId],
  set: [workspaceId, ["userId", anything], ["role", oneOf(roles)]],
  remove: [workspaceId, userId],
  issueToken: [
    workspaceId,
    userId,
    [
      "options",
      (given, name) => {
        if (given === undefined) return []
        const isUnset = isRecord(given) && "externalUserId" in given && !Predicate.isString(given["externalUserId"])
        // Without one the token opens what its user may open.
        const unset = isUnset ? [`${name}.externalUserId must be a text where it is given`] : []
        return [...unset, ...requestOf({ signal: anything, seconds: anything, externalUserId: anything })(given, name)]
      }
    ]
  ]
}

export const keysArguments: Judgements<KeysFacade> = {
  create: [["key", requestOf({ workspaceId: text, name: text, creatorUserId: texted, expiresAt: anything })]],
  find: [workspaceId, id],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  revoke: [workspaceId, id]
}

const isBytes = (given: unknown): boolean =>
  given instanceof Uint8Array || (Predicate.isObject(given) && Symbol.asyncIterator in given)

const bytes: Judge = must(isBytes, "be a Uint8Array, or an async iterable of them")

const upload = requestOf({ workspaceId: text, bytes, contentType: texted, filename: texted })

export const mediaArguments: Judgements<MediaFacade> = {
  upload: [
    [
      "file",
      (given, name) =>
        isRecord(given) && given["bytes"] === undefined ? [`${name}.bytes is missing`] : upload(given, name)
    ]
  ],
  find: [workspaceId, id],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  remove: [workspaceId, id]
}

const credentials = membersOf(
  { accessToken: text, refreshToken: texted, expiresAt: anything },
  "{ accessToken, refreshToken, expiresAt }"
)

/** Members that must be there. */
const needs =
  (names: ReadonlyArray<string>, judge: Judge): Judge =>
  (given, name) => {
    const missing = isRecord(given) ? names.filter((member) => given[member] === undefined) : []
    return missing.length > 0 ? missing.map((member) => `${name}.${member} is missing`) : judge(given, name)
  }

export const accountsArguments: Judgements<AccountsFacade> = {
  connect: [
    [
      "account",
      needs(
        ["workspaceId", "network", "networkAccountId", "name", "credentials"],
        requestOf<Parameters<AccountsFacade["connect"]>[0]>({
          workspaceId: text,
          network: text,
          networkAccountId: text,
          name: text,
          username: texted,
          avatarUrl: texted,
          externalUserId: texted,
          credentials: needs(["accessToken"], credentials),
          permissions: texts,
          check: flag
        })
      )
    ]
  ],
  list: [workspaceId, mayRequest<ListRequest>(list)],
  find: [workspaceId, id],
  renew: [workspaceId, id, ["credentials", needs(["accessToken"], credentials)]],
  check: [workspaceId, id],
  disconnect: [workspaceId, id]
}

const state = needs(
  ["threadStatus"],
  requestOf({ threadStatus: oneOf(ThreadStatus.literals), assignedTo: texted, snoozedUntil: anything })
)

export const inboxArguments: Judgements<InboxFacade> = {
  list: [
    scope,
    mayRequest<ItemListRequest>({
      ...list,
      source: texted,
      isRead: flagged,
      isOwn: flagged,
      threadStatus: optional(oneOf(ThreadStatus.literals)),
      threadKey: texted,
      postId: texted,
      accountId: texted,
      assignedTo: assignee,
      receivedAfter: anything,
      receivedBefore: anything,
      q: texted
    })
  ],
  find: [scope, id],
  markRead: [scope, id],
  markUnread: [scope, id],
  setThreadState: [scope, id, ["state", state]],
  reply: [
    scope,
    id,
    [
      "reply",
      requestOf<PlainReplyRequest>({
        text: texted,
        mediaIds: optional(texts),
        tag: optional(oneOf(["human_agent"])),
        idempotencyKey: anything
      })
    ]
  ],
  replyPrivately: [scope, id, ["reply", needs(["text"], requestOf({ text, idempotencyKey: anything }))]],
  findOperation: [scope, id],
  findMediaContext: [scope, id],
  findSync: [scope, id]
}

export const threadsArguments: Judgements<ThreadsFacade> = {
  list: [
    scope,
    mayRequest<ThreadListRequest>({
      ...list,
      source: texted,
      threadStatus: optional(oneOf(ThreadStage.literals)),
      accountId: texted,
      assignedTo: assignee,
      isUnread: flagged,
      q: texted,
      label: texted
    })
  ],
  find: [scope, id],
  items: [scope, id, mayRequest({ ...list, order: oneOf(["newest", "oldest"]) })],
  markRead: [scope, id],
  setState: [scope, id, ["state", state]],
  setLabels: [scope, id, ["labels", texts]]
}

const endpoint = {
  url: text,
  events: optional(texts),
  externalUserId: texted,
  description: texted,
  isOrdered: flag
} satisfies Record<keyof EndpointRequest, Judge>

export const webhookEndpointsArguments: Judgements<WebhookEndpointsFacade> = {
  create: [workspaceId, ["endpoint", needs(["url"], requestOf<EndpointRequest>(endpoint))]],
  find: [workspaceId, id],
  update: [workspaceId, id, ["change", requestOf({ ...endpoint, status: oneOf(["enabled", "disabled"]) })]],
  delete: [workspaceId, id],
  rotateSecret: [workspaceId, id],
  listDeliveries: [
    workspaceId,
    id,
    mayRequest({ ...list, status: optional(oneOf(["pending", "delivered", "failed", "canceled"])) })
  ]
}

const target = needs(
  ["accountId"],
  requestOf<PostTargetRequest>({
    accountId: text,
    text: texted,
    mediaIds: optional(texts),
    firstComment: texted,
    options: optional(must(isRecord, "be an object of options")),
    altTexts: optional(must(isRecord, "be an object of texts by file"))
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
  scheduledAt: anything
} satisfies Record<keyof PostContent, Judge>

export const postsArguments: Judgements<PostsFacade> = {
  create: [scope, ["post", requestOf({ ...post, isDraft: flag, idempotencyKey: anything })]],
  validate: [scope, ["post", requestOf<NewPostRequest>({ ...post, isDraft: flag })]],
  list: [scope, mayRequest({ ...list, status: optional(oneOf(PostStatus.literals)), accountId: texted })],
  find: [scope, id],
  change: [scope, id, ["change", requestOf<PostContent>(post)]],
  publish: [scope, id],
  cancel: [scope, id],
  remove: [scope, id]
}
