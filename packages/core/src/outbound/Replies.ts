import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { EntitledCaller } from "../access/EntitledCaller.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { connectorOf, Connectors } from "../connectors/Connectors.ts"
import { ItemNotFound } from "../inbox/InboxErrors.ts"
import { InboxEvents } from "../inbox/InboxEvents.ts"
import type { InboxItem } from "../inbox/InboxItem.ts"
import { InboxStore } from "../inbox/InboxStore.ts"
import type { LiveItem } from "../inbox/StoredItem.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import { InboxItemId, nextOutboundOperationId, OutboundOperationId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { judgeItem, judgePermissions, judgeSubmit, judgeText, judgeWindow } from "./judgeReply.ts"
import {
  type NotAnswerable,
  OperationNotFound,
  type PermissionsMissing,
  type ReplyKeyConflict,
  ReplyKeyRequired,
  type ReplyTextInvalid,
  type WindowClosed
} from "./OutboundErrors.ts"
import { OutboundOperation, Waiting } from "./OutboundOperation.ts"
import { OutboundStore } from "./OutboundStore.ts"
import { dueAt } from "./transitions.ts"

export interface ReplyRequest {
  /** Sent trimmed. */
  readonly text: string
  /** One key is one reply to one item, however often it is asked for; required for `x_reply`. */
  readonly idempotencyKey: Option.Option<IdempotencyKey>
}

/** What is known of a reply when its outcome is, or when the wait is over. */
export interface ReplyOutcome {
  readonly operation: OutboundOperation
  /** What was sent, as an item: once the operation is completed, unless it was deleted since or can't be read now. */
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

/** How long a reply is waited for (design §6). */
const waitFor = Duration.seconds(20)

/** The net under the words of change: how often an operation that is waited for is looked at anyhow. */
const lookEvery = "1 second"

/** How often it is looked at, at most: every event of its workspace wakes who waits. */
const lookAgainAfter = Duration.millis(100)

/** Driving service: items are answered, each request at most once (design §6). */
export class Replies extends Context.Service<
  Replies,
  {
    /**
     * Accepts a reply, durably, and waits up to 20 seconds for a worker to send it.
     *
     * The refusals come in the order of api.md §3, and then there is no operation. Ending the wait ends nothing else.
     */
    readonly reply: (
      caller: EntitledCaller,
      itemId: string,
      request: ReplyRequest
    ) => Effect.Effect<ReplyOutcome, ReplyRefused | StoreUnavailable>
    /** An operation of any source; one outside of the scope is as good as absent. */
    readonly find: (
      caller: EntitledCaller,
      id: string
    ) => Effect.Effect<OutboundOperation, OperationNotFound | StoreUnavailable>
  }
>()("@loopbox/core/outbound/Replies") {
  static readonly layer: Layer.Layer<
    Replies,
    never,
    OutboundStore | InboxStore | InboxEvents | SocialAccounts | Connectors | SecureRandom
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
  const random = yield* SecureRandom
  const awaitOutcome = yield* makeAwaitOutcome

  const findAnswered = Effect.fnUntraced(function* (caller: EntitledCaller, id: string) {
    const answered = isItemId(id) ? yield* store.findAnswered(caller, id) : Option.none()
    return Option.isSome(answered) ? answered.value : yield* new ItemNotFound({ itemId: id })
  })

  const judgeAccount = Effect.fnUntraced(function* ({ accountId, id, source, workspaceId }: LiveItem) {
    const account = yield* accounts.find(workspaceId, accountId)
    if (Option.isNone(account)) return yield* new ItemNotFound({ itemId: id })
    yield* Effect.fromResult(judgePermissions(source, account.value.permissions))
  })

  /** A new operation, should the key be new. */
  const toOperation = Effect.fnUntraced(function* (item: LiveItem, { idempotencyKey, text }: ReplyRequest) {
    const now = yield* DateTime.now
    const { accountId, externalId, linkedPostId, replyTargetId, source, threadKey, workspaceId } = item
    return new OutboundOperation({
      id: yield* nextOutboundOperationId(random),
      workspaceId,
      accountId,
      itemId: item.id,
      source,
      idempotencyKey,
      text,
      target: { externalId, replyTargetId, threadKey, linkedPostId },
      attempts: 0,
      state: new Waiting({ since: now }),
      createdAt: now,
      updatedAt: now
    })
  })

  const reply = Effect.fn("Replies.reply")(function* (caller: EntitledCaller, itemId: string, request: ReplyRequest) {
    const text = request.text.trim()
    const answered = yield* findAnswered(caller, itemId)
    const { item } = answered
    yield* Effect.fromResult(judgeItem(item))
    yield* Effect.fromResult(judgeText(connectorOf(connectors, item.source).measure(item.source, text)))
    if (item.source === "x_reply" && Option.isNone(request.idempotencyKey)) return yield* new ReplyKeyRequired()
    yield* judgeAccount(item)
    const fresh = yield* toOperation(item, { ...request, text })
    const window = judgeWindow(answered, fresh.createdAt)
    const submit = store
      .submit(fresh, (existing) => judgeSubmit(existing, fresh, window))
      .pipe(Effect.catchTag("AccountGone", () => Effect.fail(new ItemNotFound({ itemId }))))
    const operation = yield* awaitOutcome(caller, submit)
    const outcome: ReplyOutcome = { operation, item: yield* findResponse(caller, operation) }
    return outcome
  })

  const findResponse = ({ scope, sources }: EntitledCaller, { state }: OutboundOperation) =>
    state._tag === "Completed" && Option.isSome(state.responseItemId)
      ? inbox.find({ scope, sources }, state.responseItemId.value).pipe(
          // It was sent: that it can't be shown now is no reason to have it sent again.
          Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.none<InboxItem>()))
        )
      : Effect.succeed(Option.none<InboxItem>())

  const find = Effect.fn("Replies.find")(function* (caller: EntitledCaller, id: string) {
    const operation = isOperationId(id) ? yield* store.find(caller, id) : Option.none<OutboundOperation>()
    return Option.isSome(operation) ? operation.value : yield* new OperationNotFound({ operationId: id })
  })

  return Replies.of({ reply, find })
})

/** Whether waiting until a moment may bring more. */
const isOpen = (operation: OutboundOperation, until: DateTime.Utc): boolean => {
  switch (operation.state._tag) {
    case "Waiting":
    case "Sending":
    case "RemoteSucceeded":
      return true
    case "OutcomeUnknown":
      return Option.exists(dueAt(operation), (look) => DateTime.isLessThan(look, until))
    default:
      return false
  }
}

const makeAwaitOutcome = Effect.gen(function* () {
  const store = yield* OutboundStore
  const events = yield* InboxEvents

  /** Runs `submit`, then follows the operation until its outcome is known, or waiting is of no more use. */
  return Effect.fnUntraced(function* <E>(caller: EntitledCaller, submit: Effect.Effect<OutboundOperation, E>) {
    // It listens before the operation is there, so that no word is missed.
    const changed = yield* Queue.sliding<void>(1)
    const listen = events.changes.pipe(
      Stream.filter((workspaceId) => workspaceId === caller.scope.workspaceId),
      Stream.runForEach(() => Queue.offer(changed, undefined))
    )
    yield* Effect.forkScoped(listen, { startImmediately: true })
    let operation = yield* submit
    const until = DateTime.addDuration(yield* DateTime.now, waitFor)
    const follow = Effect.gen(function* () {
      for (let pause = Duration.zero; isOpen(operation, until); pause = lookAgainAfter) {
        yield* Effect.sleep(pause)
        yield* Effect.raceFirst(Queue.take(changed), Effect.sleep(lookEvery))
        const found = yield* store.find(caller, operation.id).pipe(
          // It is accepted: what is away now may be back before the wait is over.
          Effect.catchTag("StoreUnavailable", () => Effect.succeed(Option.some(operation)))
        )
        // Erased, or moved to another user: what was known last is what can be told.
        if (Option.isNone(found)) return
        operation = found.value
      }
    })
    yield* Effect.timeoutOption(follow, waitFor)
    return operation
  }, Effect.scoped)
})

const isItemId = Schema.is(InboxItemId)
const isOperationId = Schema.is(OutboundOperationId)
