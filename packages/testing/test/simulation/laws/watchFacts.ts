import { DateTime, Effect, Layer, Option } from "effect"
import type { AccountEntry, MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { type OutboundOperation, sentSourceOf } from "@loopbox/core/outbound/OutboundOperation"
import { type OperationClaim, OutboundStore, type ReconcileFacts } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import { StateLaw } from "./watchStates.ts"

type Law = StateLaw["Service"]

const isUncertain = ({ state }: OutboundOperation) => state._tag === "Sending" || state._tag === "OutcomeUnknown"

/** The network's id of what an operation has sent, if that is known. */
const sentBy = ({ state }: OutboundOperation): string | undefined => {
  if (state._tag === "Completed") return state.responseExternalId
  return state._tag === "RemoteSucceeded" ? state.accepted.externalId : undefined
}

/** What an operation may have sent, of what is stored: the account's own, with its words, from when it was attempted on. */
const ownOf = ({ items }: AccountEntry, operation: OutboundOperation) => {
  const { state } = operation
  if (!("attemptedAt" in state)) return []
  const since = DateTime.subtract(state.attemptedAt, { seconds: 60 })
  return Array.from(items.values()).flatMap((item) =>
    item._tag === "LiveItem" &&
    item.isOwn &&
    item.source === sentSourceOf(operation) &&
    DateTime.isGreaterThanOrEqualTo(item.receivedAt, since)
      ? [item]
      : []
  )
}

/** Whoever decides which post is whose is told of all that may have sent one, and of all that is known to be somebody's. */
const judgeFacts = (entry: AccountEntry, { operation, own, rivals, taken }: ReconcileFacts): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const others = Array.from(entry.operations.values(), (one) => one.operation).filter(({ id }) => id !== operation.id)
  const wanted = others.filter(isUncertain).map(({ id }) => id)
  if (
    wanted.sort().join() !==
    rivals
      .map(({ id }) => id)
      .sort()
      .join()
  )
    wrong.push("is decided without its rivals")
  for (const other of others) {
    const id = sentBy(other)
    if (id !== undefined && !taken.has(id)) wrong.push(`is not told that ${id} is another's`)
  }
  const known = new Set(own.map(({ externalId }) => externalId))
  for (const { externalId } of ownOf(entry, operation))
    if (!known.has(externalId)) wrong.push(`is not told of ${externalId}`)
  return wrong
}

const isAlike = (a: OutboundOperation, b: OutboundOperation) =>
  a.text === b.text && a.itemId === b.itemId && Option.isSome(a.privately) === Option.isSome(b.privately)

/** What is found may be another's: not while one of the same words is being sent, nor where there are more posts than replies. */
const judgeFound = (
  entry: AccountEntry,
  { operation, rivals, taken }: ReconcileFacts,
  after: OutboundOperation
): ReadonlyArray<string> => {
  if (operation.state._tag !== "OutcomeUnknown" || after.state._tag !== "RemoteSucceeded") return []
  // What was prepared, or is private, may be sent again while its outcome is unknown: then an answer says which post it is.
  if (Option.isSome(operation.state.preparation) || Option.isSome(operation.privately)) return []
  if (Option.contains(after.state.accepted.operationTag, operation.id)) return []
  const alike = rivals.filter((rival) => isAlike(rival, operation))
  const { externalId, receivedAt } = after.state.accepted
  const maySend = ({ state }: OutboundOperation) =>
    state._tag === "Sending" &&
    DateTime.isGreaterThanOrEqualTo(receivedAt, DateTime.subtract(state.attemptedAt, { seconds: 60 }))
  if (alike.some(maySend)) return ["takes a post while one like it is being sent"]
  const begun = DateTime.subtract(operation.state.attemptedAt, { seconds: 5 })
  const posts = ownOf(entry, operation).filter(
    (item) =>
      !taken.has(item.externalId) &&
      item.body === operation.text &&
      Option.isNone(item.operationTag) &&
      Option.contains(item.parentExternalId, operation.target.externalId) &&
      DateTime.isGreaterThanOrEqualTo(item.createdAt, begun)
  )
  // By age: whoever was asked for first has the first.
  const isKnown = posts.some((item) => item.externalId === externalId)
  const count = posts.length + (isKnown ? 0 : 1)
  return count > alike.length + 1 ? ["takes one of more posts than there are replies like it"] : []
}

const watchReplies = (right: OutboundStore["Service"], { violations }: Law, { accounts }: MemoryInbox) =>
  OutboundStore.of({
    ...right,
    submit: (name, decide) =>
      right.submit(name, (existing, rivals) => {
        const operations = Array.from(accounts.get(name.accountId)?.operations.values() ?? [], (one) => one.operation)
        const wanted = operations.filter(
          ({ id, itemId, privately, state }) =>
            Option.isSome(name.privately) &&
            Option.isSome(privately) &&
            itemId === name.itemId &&
            !("endedAt" in state) &&
            !Option.exists(existing, (one) => one.id === id)
        )
        const told = new Set(rivals.map(({ id }) => id))
        for (const { id } of wanted) if (!told.has(id)) violations.push(`a private reply is asked for beside ${id}`)
        for (const id of told)
          if (!wanted.some((one) => one.id === id)) violations.push(`a private reply has to wait for ${id}`)
        return decide(existing, rivals)
      }),
    reconcile: (claim: OperationClaim, candidates, decide) =>
      right.reconcile(claim, candidates, (facts) => {
        const decided = decide(facts)
        const entry = accounts.get(claim.operation.accountId)
        if (entry === undefined) return decided
        for (const wrong of [...judgeFacts(entry, facts), ...judgeFound(entry, facts, decided.operation)])
          violations.push(`${claim.operation.id} ${wrong}`)
        return decided
      })
  })

const uncertain = ["Publishing", "OutcomeUnknown", "NeedsReconciliation"]

const watchPosts = (right: PostStore["Service"], { violations }: Law, { posts }: MemoryInbox) =>
  PostStore.of({
    ...right,
    findRivals: (of) =>
      Effect.tap(right.findRivals(of), (found) =>
        Effect.sync(() => {
          const told = new Set(found.uncertain.map(({ target }) => target.id))
          const others = Array.from(posts.values())
            .flatMap(({ kept }) => kept.targets)
            .filter(({ accountId, id }) => accountId === of.accountId && id !== of.id)
          for (const { id, state } of others) {
            if (uncertain.includes(state._tag) && !told.has(id))
              violations.push(`${of.id} is looked for without its rival ${id}`)
            if ("externalId" in state && !found.knownIds.has(state.externalId))
              violations.push(`${of.id} is not told that ${state.externalId} is another's`)
          }
          const known = new Set<string>(
            others.filter(({ state }) => uncertain.includes(state._tag)).map(({ id }) => id)
          )
          for (const id of told) if (!known.has(id)) violations.push(`${of.id} is looked for beside ${id}, no rival`)
        })
      )
  })

/** What a look for each target of an account would be told, where another may be published without its id being known. */
export const checkRivals = Effect.gen(function* () {
  const [{ inbox }, store] = [yield* MemoryState, yield* PostStore]
  const targets = Array.from(inbox.posts.values()).flatMap(({ kept }) => kept.targets)
  const open = targets.filter(({ state }) => uncertain.includes(state._tag) || state._tag === "Published").slice(-4)
  for (const { accountId, id } of open) {
    const other = targets.find((one) => one.accountId === accountId && one.id !== id)
    if (other !== undefined) yield* store.findRivals(other)
  }
})

/** The ports of what is done on networks, under the law that a decision knows all that it is about. */
export const watchFacts = Layer.mergeAll(
  Layer.effect(
    OutboundStore,
    Effect.gen(function* () {
      return watchReplies(yield* OutboundStore, yield* StateLaw, (yield* MemoryState).inbox)
    })
  ),
  Layer.effect(
    PostStore,
    Effect.gen(function* () {
      return watchPosts(yield* PostStore, yield* StateLaw, (yield* MemoryState).inbox)
    })
  )
)
