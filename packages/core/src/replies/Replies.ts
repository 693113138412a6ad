import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { connectorOf, Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { ReplyTag } from "../networks/Reply.ts"
import { ItemNotFound } from "../inbox/InboxErrors.ts"
import type { InboxEvents } from "../feed/InboxEvents.ts"
import { MediaLinks } from "../media/MediaLinks.ts"
import { MediaStore } from "../media/MediaStore.ts"
import type { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import type { InboxItem } from "../items/InboxItem.ts"
import { InboxStore } from "../inbox/InboxStore.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { InboxItemId, nextOutboundOperationId, OutboundOperationId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { makeAwaitOutcome } from "./awaitOutcome.ts"
import { fileGone, makeGatherReplyMedia, type ReplyMediaRefused } from "./gatherReplyMedia.ts"
import { judgeReplyForm } from "./judgeReplyMedia.ts"
import { judgePrivateReply, judgeRivals, messagesOf, notAvailable } from "./judgePrivateReply.ts"
import { judgeItem, judgePermissions, judgeSubmit, judgeTerms, judgeText } from "./judgeReply.ts"
import {
  type NotAnswerable,
  OperationNotFound,
  type PermissionsMissing,
  type ReplyKeyConflict,
  ReplyKeyRequired,
  type ReplyMediaInvalid,
  type ReplyTextInvalid,
  type WindowClosed
} from "../outbound/OutboundErrors.ts"
import { OutboundOperation, Waiting } from "../outbound/OutboundOperation.ts"
import { OutboundStore } from "../outbound/OutboundStore.ts"

/** A fault of a reply that can be found before its files are read. */
export type ReplyFault = NotAnswerable | ReplyTextInvalid | ReplyMediaInvalid | ReplyKeyRequired

/** What can be judged of a reply before its files are read. */
export interface ReplyDraft {
  /** `none`: it is not known, and not judged. */
  readonly text: Option.Option<string>
  readonly mediaIds: ReadonlyArray<string>
  /** Whether it has a key, well-formed or not. */
  readonly hasKey: boolean
}

export interface ReplyRequest {
  /** Trimmed before it is sent. May be empty beside a file. */
  readonly text: string
  /** Files that it carries: at most one, where the source takes it. */
  readonly mediaIds?: ReadonlyArray<string> | undefined
  /** The same key on the same item is the same reply. Some networks require a key. */
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  /**
   * A person answers a direct message: allowed for 7 days, where the account has the permission (api-2.md §13). Within
   * the standard window it changes nothing.
   */
  readonly tag?: ReplyTag | undefined
}

export type PrivateReplyRequest = Pick<ReplyRequest, "text" | "idempotencyKey">

/** The state of a reply when its outcome is known, or when the wait ends. */
export interface ReplyOutcome {
  readonly operation: OutboundOperation
  /** The sent reply as an item, once the operation is completed. `none` if it was deleted, or can't be read now. */
  readonly item: Option.Option<InboxItem>
}

export type ReplyRefused =
  | ItemNotFound
  | NotAnswerable
  | ReplyTextInvalid
  | ReplyKeyRequired
  | ReplyKeyConflict
  | PermissionsMissing
  | WindowClosed
  | ReplyMediaRefused

export type PrivateReplyRefused = ItemNotFound | ReplyTextInvalid | ReplyKeyConflict | ActionNotAvailable

/** Driving service: replies to items, each request at most once (design §6). */
export class Replies extends Context.Service<
  Replies,
  {
    /** The faults of a draft as an answer to an item, and of the item; a reply would be refused for one of them. */
    readonly judge: (
      caller: EntitledCaller,
      itemId: string
    ) => Effect.Effect<(draft: ReplyDraft) => ReadonlyArray<ReplyFault>, ItemNotFound | StoreUnavailable>
    /**
     * Accepts a reply, durably, and waits up to 20 seconds for a worker to send it.
     *
     * Refusals are checked in the order of api.md §3; a refused request creates no operation. Interrupting the wait
     * does not stop the reply.
     */
    readonly reply: (
      caller: EntitledCaller,
      itemId: string,
      request: ReplyRequest
    ) => Effect.Effect<ReplyOutcome, ReplyRefused | StoreUnavailable>
    /** The faults of a text as a private reply to an item. */
    readonly judgePrivately: (
      caller: EntitledCaller,
      itemId: string
    ) => Effect.Effect<(text: Option.Option<string>) => ReadonlyArray<ReplyFault>, ItemNotFound | StoreUnavailable>
    /**
     * Answers a comment by a direct message, once, within the network's time (api-2.md §13). Accepted, sent and replayed
     * like a reply; the sent item lies in the conversation with who wrote the comment.
     *
     * What is not possible fails with `ActionNotAvailable`, as does a second one, also while the first is under way. An
     * uncertain send is repeated: the network takes one.
     */
    readonly replyPrivately: (
      caller: EntitledCaller,
      itemId: string,
      request: PrivateReplyRequest
    ) => Effect.Effect<ReplyOutcome, PrivateReplyRefused | StoreUnavailable>
    /** An operation of any source. One outside of the scope counts as not found. */
    readonly find: (
      caller: EntitledCaller,
      id: string
    ) => Effect.Effect<OutboundOperation, OperationNotFound | StoreUnavailable>
  }
>()("@loopbox/core/replies/Replies") {
  static readonly layer: Layer.Layer<
    Replies,
    never,
    OutboundStore | InboxStore | InboxEvents | SocialAccounts | Connectors | MediaStore | MediaLinks | SecureRandom
  > = Layer.effect(
    Replies,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* OutboundStore
  const inbox = yield* InboxStore
  const accounts = yield* SocialAccounts
  const connectors = yield* Connectors
  const networks = yield* Networks
  const random = yield* SecureRandom
  const awaitOutcome = yield* makeAwaitOutcome
  const gatherMedia = yield* makeGatherReplyMedia

  const findAnswered = Effect.fnUntraced(function* (caller: EntitledCaller, id: string) {
    const answered = isItemId(id) ? yield* inbox.findAnswered(caller, id) : Option.none()
    return Option.isSome(answered) ? answered.value : yield* new ItemNotFound({ itemId: id })
  })

  const judgeAccount = Effect.fnUntraced(function* ({ accountId, id, source, workspaceId }: LiveItem) {
    const account = yield* accounts.find(workspaceId, accountId)
    if (Option.isNone(account)) return yield* new ItemNotFound({ itemId: id })
    const { network, permissions } = account.value
    const prefixes = Option.match(networks.describe(network), {
      onNone: () => [],
      onSome: ({ permissionPrefixes }) => permissionPrefixes
    })
    yield* Effect.fromResult(judgePermissions(networks.traitsOf(source), prefixes, permissions))
    return account.value
  })

  /** What the credential may not do is told before a key is asked for (api.md §3). */
  const mayAskForKey = (item: LiveItem) =>
    judgeAccount(item).pipe(
      Effect.as(true),
      Effect.catchTag("PermissionsMissing", () => Effect.succeed(false))
    )

  /** The operation to store if the key is new. */
  const toOperation = Effect.fnUntraced(function* (
    item: LiveItem,
    { externalUserId }: Pick<SocialAccount, "externalUserId">,
    { idempotencyKey, tag, text }: ReplyRequest,
    media: OutboundOperation["media"] = []
  ) {
    const now = yield* DateTime.now
    const { accountId, externalId, linkedPostId, replyTargetId, source, threadKey, workspaceId } = item
    return new OutboundOperation({
      id: yield* nextOutboundOperationId(random),
      workspaceId,
      accountId,
      itemId: item.id,
      externalUserId,
      source,
      idempotencyKey,
      text,
      media,
      tag: Option.fromUndefinedOr(tag),
      target: { externalId, replyTargetId, threadKey, linkedPostId },
      attempts: 0,
      state: new Waiting({ since: now }),
      createdAt: now,
      updatedAt: now
    })
  })

  /** The faults of what a reply says. A source without files refuses them for what they are. */
  const measured = (
    { source }: LiveItem,
    text: string,
    mediaIds: ReadonlyArray<string>
  ): ReadonlyArray<ReplyTextInvalid | ReplyMediaInvalid> => {
    const { replyMedia } = networks.traitsOf(source)
    const ofText = judgeText(
      connectorOf(networks, connectors, source).measure(source, text),
      mediaIds.length > 0 ? 0 : 1
    )
    const ofFiles = Option.isSome(replyMedia) ? judgeReplyForm(replyMedia.value, text, mediaIds) : []
    return [...Option.toArray(Result.getFailure(ofText)), ...ofFiles]
  }

  const measuredPrivately = ({ source }: LiveItem, text: string) => {
    const messages = Option.getOrElse(messagesOf(networks, source), () => source)
    return judgeText(connectorOf(networks, connectors, source).measure(messages, text))
  }

  const judge = Effect.fn("Replies.judge")(function* (caller: EntitledCaller, itemId: string) {
    const { item } = yield* findAnswered(caller, itemId)
    const needsKey = networks.traitsOf(item.source).needsKey && (yield* mayAskForKey(item))
    return ({ hasKey, mediaIds, text }: ReplyDraft): ReadonlyArray<ReplyFault> => [
      ...Option.toArray(Result.getFailure(judgeItem(item))),
      ...Option.match(text, { onNone: () => [], onSome: (given) => measured(item, given.trim(), mediaIds) }),
      ...(needsKey && !hasKey ? [new ReplyKeyRequired()] : [])
    ]
  })

  const reply = Effect.fn("Replies.reply")(function* (caller: EntitledCaller, itemId: string, request: ReplyRequest) {
    const text = request.text.trim()
    const mediaIds = request.mediaIds ?? []
    const answered = yield* findAnswered(caller, itemId)
    const { item } = answered
    const traits = networks.traitsOf(item.source)
    yield* Effect.fromResult(judgeItem(item))
    const [fault] = measured(item, text, mediaIds)
    if (fault !== undefined) return yield* fault
    const account = yield* judgeAccount(item)
    if (traits.needsKey && Option.isNone(request.idempotencyKey)) return yield* new ReplyKeyRequired()
    const { media, verdict } = yield* gatherMedia(item, mediaIds)
    const fresh = yield* toOperation(item, account, { ...request, text }, media)
    const terms = Result.andThen(verdict, () => judgeTerms(traits, answered, account, fresh.tag, fresh.createdAt))
    const submit = store
      .submit(fresh, (existing) => judgeSubmit(existing, fresh, terms))
      .pipe(
        Effect.catchTags({
          AccountGone: () => Effect.fail(new ItemNotFound({ itemId })),
          MediaNotFound: () => Effect.fail(fileGone)
        })
      )
    const operation = yield* awaitOutcome(caller, submit)
    const outcome: ReplyOutcome = { operation, item: yield* findResponse(caller, operation) }
    return outcome
  })

  const judgePrivately = Effect.fn("Replies.judgePrivately")(function* (caller: EntitledCaller, itemId: string) {
    const { item } = yield* findAnswered(caller, itemId)
    return (text: Option.Option<string>): ReadonlyArray<ReplyFault> =>
      Option.toArray(Option.flatMap(text, (given) => Result.getFailure(measuredPrivately(item, given.trim()))))
  })

  const replyPrivately = Effect.fn("Replies.replyPrivately")(function* (
    caller: EntitledCaller,
    itemId: string,
    { idempotencyKey, ...request }: PrivateReplyRequest
  ) {
    const text = request.text.trim()
    const { item } = yield* findAnswered(caller, itemId)
    yield* Effect.fromResult(measuredPrivately(item, text))
    const messages = messagesOf(networks, item.source)
    if (Option.isNone(messages)) return yield* notAvailable("not_supported")
    const account = yield* accounts.find(item.workspaceId, item.accountId)
    if (Option.isNone(account)) return yield* new ItemNotFound({ itemId })
    const reply = yield* toOperation(item, account.value, { text, idempotencyKey })
    const fresh = new OutboundOperation({
      ...reply,
      target: { ...reply.target, threadKey: Option.getOrElse(item.authorId, () => item.externalId) },
      privately: Option.some({ source: messages.value, authorId: item.authorId })
    })
    const allowed = judgePrivateReply(networks, item, account.value, fresh.createdAt)
    const submit = store
      .submit(fresh, (existing, rivals) => judgeSubmit(existing, fresh, judgeRivals(allowed, rivals, fresh.createdAt)))
      .pipe(
        Effect.catchTags({
          AccountGone: () => Effect.fail(new ItemNotFound({ itemId })),
          // It carries none.
          MediaNotFound: Effect.die
        })
      )
    const operation = yield* awaitOutcome(caller, submit)
    const outcome: ReplyOutcome = { operation, item: yield* findResponse(caller, operation) }
    return outcome
  })

  const findResponse = ({ scope, sources }: EntitledCaller, { state }: OutboundOperation) =>
    state._tag === "Completed" && Option.isSome(state.responseItemId)
      ? inbox.find({ scope, sources }, state.responseItemId.value).pipe(
          // The reply was sent. An error here would make the caller send it again.
          Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.none<InboxItem>()))
        )
      : Effect.succeed(Option.none<InboxItem>())

  const find = Effect.fn("Replies.find")(function* (caller: EntitledCaller, id: string) {
    const operation = isOperationId(id) ? yield* store.find(caller, id) : Option.none<OutboundOperation>()
    return Option.isSome(operation) ? operation.value : yield* new OperationNotFound({ operationId: id })
  })

  return Replies.of({ judge, reply, judgePrivately, replyPrivately, find })
})

const isItemId = Schema.is(InboxItemId)
const isOperationId = Schema.is(OutboundOperationId)
