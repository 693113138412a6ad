import { DateTime, Effect, Equal, Layer, Option } from "effect"
import type { MemoryInbox, RunEntry } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { SyncRun } from "@loopbox/core/sync/SyncRun"
import { type NewRun, SyncStore } from "@loopbox/core/sync/SyncStore"
import { StateLaw } from "../watchStates.ts"
import { differing, type Judged, judged } from "./judged.ts"

const isOpen = ({ tasks }: RunEntry) => Array.from(tasks.values()).some(({ result }) => result === undefined)

const resultsOf = ({ tasks }: RunEntry) =>
  Array.from(tasks)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { result }]) => (result === undefined ? [] : [result]))

/** A run whose last account is done has ended, and that is told once, with all that is new. */
export const judgeEnd = ({ logs }: MemoryInbox, entry: RunEntry, last: number): ReadonlyArray<string> => {
  const { externalUserId, id, workspaceId } = entry.run
  const told = (logs.get(workspaceId)?.events ?? []).flatMap(({ event, seq }) =>
    event._tag === "SyncCompleted" && event.syncId === id ? [{ event, seq }] : []
  )
  if (isOpen(entry)) return told.length > 0 ? [`the end of ${id} is told, and it has not ended`] : []
  if (!entry.isCompleted) return [`${id} has nothing left to do, and has not ended`]
  const [one, ...more] = told
  if (one === undefined || more.length > 0 || one.seq <= last) return [`the end of ${id} is told ${told.length} times`]
  const newItems = resultsOf(entry).reduce((sum, result) => sum + result.newItems, 0)
  return differing(`what is told of the end of ${id}`, {
    "how many are new": [one.event.newItems, newItems],
    "whose it is": [one.event.externalUserId, externalUserId]
  })
}

/** A run as it is answered. */
const judgeAnswer = (entry: RunEntry, run: SyncRun): ReadonlyArray<string> =>
  differing(`what is answered of ${run.id}`, {
    "whether it has ended": [run.isCompleted, !isOpen(entry)],
    "how many accounts it has": [run.accountsChecked, entry.tasks.size],
    "what became of its accounts": [run.accounts, resultsOf(entry)],
    "whose it is": [run.externalUserId, entry.run.externalUserId],
    "what it is about": [run.backfill, entry.run.backfill]
  })

const userOf = ({ scope }: Pick<NewRun, "scope">) =>
  scope._tag === "WorkspaceScope" ? Option.none<string>() : Option.some(scope.externalUserId)

/** The accounts of a scope that are for the inbox: without a list of features they are for everything. */
const accountsOf = (
  { accounts }: MemoryInbox,
  { backfill, networks, scope }: Pick<NewRun, "backfill" | "networks" | "scope">
): ReadonlyArray<SocialAccount> => {
  const named = Option.flatMap(backfill, ({ accountId }) => accountId)
  return Array.from(accounts.values(), ({ account }) => account).filter(
    (one) =>
      one.workspaceId === scope.workspaceId &&
      one.status !== "disconnected" &&
      (one.features.length === 0 || one.features.includes("inbox")) &&
      networks.has(one.network) &&
      (scope._tag === "WorkspaceScope" || Option.contains(one.externalUserId, scope.externalUserId)) &&
      (Option.isNone(named) || named.value === one.id)
  )
}

/** Polls of the same scope that wait for all of these accounts. */
const joinable = ({ runs }: MemoryInbox, asked: NewRun, accounts: ReadonlyArray<SocialAccount>) =>
  Array.from(runs.values()).filter((entry) => {
    const { run, tasks } = entry
    return (
      asked.joinSince !== undefined &&
      Option.isNone(asked.backfill) &&
      run.workspaceId === asked.scope.workspaceId &&
      Equal.equals(run.externalUserId, userOf(asked)) &&
      Option.isNone(run.backfill) &&
      DateTime.isGreaterThanOrEqualTo(run.createdAt, asked.joinSince) &&
      isOpen(entry) &&
      accounts.every(({ id }) => tasks.has(id))
    )
  })

const watch = (right: SyncStore["Service"], judge: Judged, { inbox }: MemoryState["Service"]) =>
  SyncStore.of({
    ...right,
    start: (asked, decide) => {
      const results = new Map<string, ReturnType<typeof decide>>()
      const noting: typeof decide = (polled) => {
        const decided = decide(polled)
        results.set(polled.account.id, decided)
        return decided
      }
      return judge(
        () => {
          const accounts = accountsOf(inbox, asked)
          const used = Option.flatMap(asked.confirmation, (token) =>
            Option.fromUndefinedOr(inbox.confirmations.get(token))
          )
          return {
            accounts,
            joins: joinable(inbox, asked, accounts).map(({ run }) => run.id),
            earlier: Option.flatMap(used, ({ usedBy }) => usedBy),
            last: inbox.logs.get(asked.scope.workspaceId)?.last ?? 0
          }
        },
        right.start(asked, noting),
        ({ accounts, earlier, joins, last }, run) => {
          const entry = inbox.runs.get(run.id)
          // Of a scope that was erased meanwhile nothing is kept.
          if (entry === undefined) return run.accountsChecked === 0 && run.isCompleted ? [] : [`${run.id} is not kept`]
          const isNew = run.id === asked.id
          const before = Option.filter(earlier, (id) => inbox.runs.has(id))
          if (Option.isSome(before))
            return before.value === run.id ? judgeAnswer(entry, run) : [`a confirmation began ${run.id}, too`]
          if (!isNew && !joins.includes(run.id)) return [`${asked.id} was asked for, and ${run.id} is another poll`]
          if (isNew && joins.length > 0) return [`${run.id} begins beside ${joins.join()}, which waits for the same`]
          if (!isNew) return judgeAnswer(entry, run)
          return [
            ...judgeAnswer(entry, run),
            ...(isOpen(entry) || run.isCompleted ? judgeEnd(inbox, entry, last) : []),
            ...differing(`what ${run.id} begins with`, {
              "its accounts": [new Set<string>(entry.tasks.keys()), new Set<string>(accounts.map(({ id }) => id))],
              "what needs no poll": [
                Array.from(entry.tasks).map(([id, { result }]) => [id, result]),
                Array.from(entry.tasks.keys()).map((id) => [
                  id,
                  Option.getOrUndefined(results.get(id) ?? Option.none())
                ])
              ]
            })
          ]
        }
      )
    },
    find: (scope, id) =>
      judge(
        () => inbox.runs.get(id),
        right.find(scope, id),
        (entry, found) => {
          const isSeen =
            entry !== undefined &&
            entry.run.workspaceId === scope.workspaceId &&
            (scope._tag === "WorkspaceScope" || Option.contains(entry.run.externalUserId, scope.externalUserId))
          if (Option.isSome(found) !== isSeen) return [`who may see a sync: ${id}`]
          return entry === undefined || Option.isNone(found) ? [] : judgeAnswer(entry, found.value)
        }
      ),
    isCompleted: (workspaceId, id) =>
      judge(
        () => inbox.runs.get(id),
        right.isCompleted(workspaceId, id),
        (entry, isCompleted) => {
          const isEnded = entry === undefined || entry.run.workspaceId !== workspaceId || !isOpen(entry)
          return isEnded === isCompleted ? [] : [`what is answered of ${id}: whether it has ended`]
        }
      ),
    countAccounts: (asked) =>
      judge(
        () => accountsOf(inbox, asked).length,
        right.countAccounts(asked),
        (wanted, count) => (wanted === count ? [] : [`a sync of ${wanted} accounts is announced as one of ${count}`])
      )
  })

/** The port of syncs that are asked for, under the law that nothing is polled twice and all that was read is said. */
export const watchSyncs = Layer.effect(
  SyncStore,
  Effect.gen(function* () {
    return watch(yield* SyncStore, judged((yield* StateLaw).violations), yield* MemoryState)
  })
)
