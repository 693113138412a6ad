import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { AccountGone } from "@loopbox/core/accounts/AccountErrors"
import type { LiveItem } from "@loopbox/core/items/StoredItem"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { MediaNotFound } from "@loopbox/core/media/MediaErrors"
import { clockMargin } from "@loopbox/core/outbound/matchReply"
import { openStatuses, type OutboundOperation, sentSourceOf, statusOf } from "@loopbox/core/outbound/OutboundOperation"
import {
  type OperationChange,
  type OperationClaim,
  OutboundStore,
  type OwnItem,
  type ReplyName
} from "@loopbox/core/outbound/OutboundStore"
import { eventsOf } from "@loopbox/core/outbound/showOperation"
import { dueAt, hastened, responseIdOf } from "@loopbox/core/outbound/transitions"
import { type AccountEntry, accountsIn, type MemoryInbox, type OperationEntry, writeEvents } from "./memoryInbox.ts"
import { MemoryState } from "./MemoryState.ts"

interface Held {
  readonly entry: AccountEntry
  readonly reply: OperationEntry
}

const heldBy = (inbox: MemoryInbox, { operation, token }: OperationClaim): Held | undefined => {
  const entry = inbox.accounts.get(operation.accountId)
  const reply = entry?.operations.get(operation.id)
  return entry !== undefined && reply?.token === token ? { entry, reply } : undefined
}

/** Stores an operation and the events of its change. */
const put = (
  inbox: MemoryInbox,
  entry: AccountEntry,
  operation: OutboundOperation,
  lease: Pick<OperationEntry, "leaseUntil" | "token">
): void => {
  const before = Option.map(Option.fromUndefinedOr(entry.operations.get(operation.id)), (reply) => reply.operation)
  entry.operations.set(operation.id, { operation, dueAt: Option.getOrUndefined(dueAt(operation)), ...lease })
  writeEvents(inbox, operation.workspaceId, eventsOf(before, operation), operation.updatedAt)
}

const apply = (inbox: MemoryInbox, { entry }: Held, token: string, { leaseUntil, operation }: OperationChange) => {
  put(inbox, entry, operation, {
    leaseUntil: Option.getOrUndefined(leaseUntil),
    token: Option.isSome(leaseUntil) ? token : undefined
  })
  return operation
}

const liveItemsOf = ({ items }: AccountEntry): ReadonlyArray<LiveItem> =>
  Array.from(items.values()).flatMap((item) => (item._tag === "LiveItem" ? [item] : []))

/** Own items that an operation may have posted, oldest first. */
const ownItems = (entry: AccountEntry, operation: OutboundOperation): ReadonlyArray<OwnItem> => {
  const { state } = operation
  const source = sentSourceOf(operation)
  return "attemptedAt" in state
    ? liveItemsOf(entry)
        .filter(
          (item) =>
            item.isOwn &&
            item.source === source &&
            DateTime.isGreaterThanOrEqualTo(item.receivedAt, DateTime.subtract(state.attemptedAt, clockMargin))
        )
        .map((item) => ({ ...item, itemId: item.id, attached: item.attachments.map(({ type }) => type) }))
        .sort((a, b) => DateTime.Order(a.receivedAt, b.receivedAt))
        .slice(0, 500)
    : []
}

const factsOf = (entry: AccountEntry, operation: OutboundOperation) => {
  const others = Array.from(entry.operations.values(), (reply) => reply.operation).filter(
    ({ id }) => id !== operation.id
  )
  return {
    operation,
    rivals: others.filter(({ state }) => state._tag === "Sending" || state._tag === "OutcomeUnknown"),
    hasUnreadRivals: false,
    own: ownItems(entry, operation),
    taken: new Set(others.flatMap((other) => Option.toArray(responseIdOf(other))))
  }
}

const findByKey = (entry: AccountEntry, { idempotencyKey, itemId }: ReplyName): Option.Option<OutboundOperation> =>
  Option.flatMap(idempotencyKey, (key) =>
    Option.fromUndefinedOr(
      Array.from(entry.operations.values(), (reply) => reply.operation).find(
        (operation) => operation.itemId === itemId && Option.contains(operation.idempotencyKey, key)
      )
    )
  )

/** The item's private replies that have not ended. */
const privateRivals = (entry: AccountEntry, { itemId, privately }: ReplyName): ReadonlyArray<OutboundOperation> =>
  Option.isNone(privately)
    ? []
    : Array.from(entry.operations.values())
        .filter((reply) => reply.dueAt !== undefined)
        .map((reply) => reply.operation)
        .filter((operation) => operation.itemId === itemId && Option.isSome(operation.privately))

const byDue = (a: OperationEntry, b: OperationEntry): number =>
  a.dueAt === undefined || b.dueAt === undefined ? 0 : DateTime.Order(a.dueAt, b.dueAt)

export const layer: Layer.Layer<OutboundStore, never, MemoryState> = Layer.effect(
  OutboundStore,
  Effect.map(MemoryState, ({ inbox, media }) => {
    const wake = () => PubSub.publishUnsafe(inbox.replyWakeUps, undefined)
    const held = (claim: OperationClaim, use: (held: Held) => OutboundOperation) =>
      Effect.suspend(() => {
        const found = heldBy(inbox, claim)
        return found === undefined
          ? Effect.fail(new LeaseLost({ what: "operation", id: claim.operation.id }))
          : Effect.succeed(use(found))
      })
    return OutboundStore.of({
      submit: Effect.fnUntraced(function* (name, decide) {
        const entry = inbox.accounts.get(name.accountId)
        if (entry?.account.workspaceId !== name.workspaceId || entry.account.status === "disconnected") {
          return yield* new AccountGone({ accountId: name.accountId })
        }
        const existing = findByKey(entry, name)
        const rivals = privateRivals(entry, name).filter(
          ({ id }) => !Option.exists(existing, (operation) => operation.id === id)
        )
        const decided = decide(existing, rivals)
        if (Result.isFailure(decided)) return yield* Effect.fail(decided.failure)
        const operation = decided.success
        if (Option.isSome(existing) && existing.value === operation) return operation
        for (const { mediaId } of operation.media) {
          if (media.get(mediaId)?.deletedAt !== undefined || !media.has(mediaId)) {
            return yield* new MediaNotFound({ mediaId })
          }
        }
        const reply = entry.operations.get(operation.id)
        put(inbox, entry, operation, { leaseUntil: reply?.leaseUntil, token: reply?.token })
        wake()
        return operation
      }),
      find: (scope, id) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(
            accountsIn(inbox, scope)
              .flatMap(({ operations }) => operations.get(id)?.operation ?? [])
              .find(({ source }) => scope.sources.has(source))
          )
        ),
      claim: ({ leaseNow, leaseUntil, limit, now, sources, token }) =>
        Effect.sync(() =>
          Array.from(inbox.accounts.values())
            .flatMap(({ operations }) =>
              Array.from(operations.values())
                .filter(
                  (reply) =>
                    reply.dueAt !== undefined &&
                    DateTime.isLessThanOrEqualTo(reply.dueAt, now) &&
                    (reply.leaseUntil === undefined || DateTime.isLessThanOrEqualTo(reply.leaseUntil, leaseNow)) &&
                    sources.includes(reply.operation.source)
                )
                .map((reply) => ({ operations, reply }))
            )
            .sort((a, b) => byDue(a.reply, b.reply))
            .slice(0, limit)
            .map(({ operations, reply }) => {
              operations.set(reply.operation.id, { ...reply, leaseUntil, token })
              return { operation: reply.operation, token }
            })
        ),
      renew: (claim, leaseUntil) =>
        Effect.asVoid(
          held(claim, ({ entry, reply }) => {
            entry.operations.set(reply.operation.id, { ...reply, leaseUntil })
            return reply.operation
          })
        ),
      change: (claim, decide) =>
        held(claim, (found) => apply(inbox, found, claim.token, decide(found.reply.operation))),
      reconcile: (claim, _candidates, decide) =>
        held(claim, (found) => apply(inbox, found, claim.token, decide(factsOf(found.entry, found.reply.operation)))),
      hasten: ({ accountId }) =>
        Effect.sync(() => {
          const entry = inbox.accounts.get(accountId)
          for (const { leaseUntil, operation, token } of Array.from(entry?.operations.values() ?? [])) {
            if (entry !== undefined && operation.state._tag === "OutcomeUnknown") {
              put(inbox, entry, hastened(operation), { leaseUntil, token })
            }
          }
          wake()
        }),
      depth: Effect.sync(() => {
        const counts = { pending: 0, sending: 0, outcome_unknown: 0, remote_succeeded: 0 }
        const since: Array<DateTime.Utc> = []
        for (const { operations } of inbox.accounts.values()) {
          for (const { operation } of operations.values()) {
            const status = openStatuses.find((one) => one === statusOf(operation))
            if (status === undefined) continue
            counts[status] += 1
            since.push(operation.createdAt)
          }
        }
        return { counts, oldestAt: Option.fromUndefinedOr(since.sort(DateTime.Order)[0]) }
      }),
      wakeUps: Stream.fromPubSub(inbox.replyWakeUps)
    })
  })
)
