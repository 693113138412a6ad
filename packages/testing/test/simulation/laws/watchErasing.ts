import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Option, PubSub, References } from "effect"
import type { MemoryInbox } from "@loopbox/adapters-memory/memoryInbox"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { FakeNetworks } from "../../../src/fakes/FakeConnector.ts"

type State = MemoryState["Service"]

/** What every erasure promises: all that is of whoever is erased goes, and nothing else does. */
export class ErasingLaw extends Context.Service<ErasingLaw, { readonly violations: Array<string> }>()("ErasingLaw") {
  static readonly layer: Layer.Layer<ErasingLaw> = Layer.sync(ErasingLaw, () => ({ violations: [] }))
}

/** What must hold at every moment, whatever is under way. */
export const checkErasures = Effect.map(ErasingLaw, ({ violations }) =>
  assert.isEmpty(violations, violations.slice(0, 5).join("; "))
)

/** What is erased: accounts, with a managed user, or with their whole workspace. */
interface Erased {
  readonly workspaceId: WorkspaceId
  readonly accounts: ReadonlySet<SocialAccountId>
  readonly user?: string
  readonly isWorkspace?: boolean
}

/** Whether any of these stands somewhere in a row. */
const says = (row: unknown, words: ReadonlySet<string>): boolean => {
  if (typeof row === "string") return words.has(row)
  if (typeof row !== "object" || row === null || row instanceof Uint8Array) return false
  if (row instanceof Map) return Array.from(row).some((pair) => says(pair, words))
  return (row instanceof Set ? Array.from(row) : Object.values(row)).some((part) => says(part, words))
}

type Rows = ReadonlyMap<string, unknown>

const isMap = (kept: unknown): kept is ReadonlyMap<string, unknown> => kept instanceof Map

/** Kept in other ways: judged by themselves, or written by whoever erases. */
const apart = ["accounts", "logs", "deliveries", "doneUnits", "managedUsers", "unredacted", "lanes", "positions"]

const eventRows = new WeakMap<object, object>()

/** An event with whose it is: the same row for the same event, so that few have to be compared. */
const eventRow = (event: object, workspaceId: WorkspaceId): object => {
  const row = eventRows.get(event) ?? { ...event, workspaceId }
  eventRows.set(event, row)
  return row
}

/** The rows of every map of the state, by their names: one that is new is looked through, too. */
const rowsOf = (state: State): Rows => {
  const { inbox } = state
  const rows = new Map<string, unknown>()
  for (const part of [state, inbox])
    for (const [table, kept] of Object.entries(part))
      if (isMap(kept) && !apart.includes(table)) for (const [id, row] of kept) rows.set(`${table} ${id}`, row)
  for (const [id, row] of inbox.outgoing.endpoints) rows.set(`endpoint ${id}`, row)
  for (const [id, row] of inbox.outgoing.deliveries) rows.set(`outgoing ${id}`, row)
  for (const [id, log] of inbox.logs)
    for (const { event, seq } of log.events) rows.set(`event ${seq} of ${id}`, eventRow(event, id))
  for (const line of inbox.audit.kept) rows.set(`audit ${line.id}`, line)
  return rows
}

/** Of an event that is stored anew. */
const isSame = (name: string, a: unknown, b: unknown): boolean =>
  a === b || (name.startsWith("event ") && JSON.stringify(a) === JSON.stringify(b))

/** What an account has, without what is in it. */
const sizesOf = (inbox: MemoryInbox, id: SocialAccountId) => {
  const entry = inbox.accounts.get(id)
  return (
    entry && [entry.items, entry.threads, entry.labels, entry.notes, entry.operations].map(({ size }) => size).join()
  )
}

/** The names that may be left in no row. */
const leftOf = (
  name: string,
  row: unknown,
  words: ReadonlySet<string>,
  user: string | undefined
): ReadonlySet<string> => {
  const names = user === undefined ? [] : [user]
  // The audit tells what was done with accounts, and names no person.
  if (name.startsWith("audit ")) return new Set(names)
  if (!name.startsWith("event ") || typeof row !== "object" || row === null) return new Set([...words, ...names])
  // For a day the log has what a post of others, too, was, and whose an item's account was: who hears of it hears whose it is now.
  if ("post" in row) return new Set()
  // It may have been the workspace's when it failed.
  if ("endpoint" in row) return new Set(names)
  return "item" in row || "thread" in row ? words : new Set([...words, ...names])
}

/** A row that is of nobody who is erased is as it was; of one that is, nothing is left that names them. */
const judgeRows = (
  before: Rows,
  after: Rows,
  words: ReadonlySet<string>,
  { isWorkspace, user, workspaceId }: Erased
) => {
  const wrong: Array<string> = []
  const own = new Set<string>([workspaceId])
  for (const [name, row] of before) {
    // Of a workspace that is erased, the records of files stay until their bytes are gone.
    if (isWorkspace === true && name.startsWith("media ")) continue
    const isNamed = says(row, words) || (user !== undefined && says(row, own) && says(row, new Set([user])))
    const now = after.get(name)
    if (!isNamed && !isSame(name, row, now)) wrong.push(`${name} was changed by an erasure that is not about it`)
    if (!isNamed || now === undefined) continue
    if (says(now, leftOf(name, now, words, user))) wrong.push(`${name} still names who was erased`)
  }
  return wrong
}

/** A post and a sync of others, too, stay for them. */
const judgeShared = (posts: ReadonlyArray<KeptPost>, { inbox }: State, { accounts, user, workspaceId }: Erased) => {
  const wrong: Array<string> = []
  for (const { post, targets } of posts) {
    const isTheirs =
      post.workspaceId === workspaceId && user !== undefined && Option.contains(post.externalUserId, user)
    const others = targets.filter(({ accountId }) => !accounts.has(accountId)).map(({ id }) => id)
    const left = inbox.posts.get(post.id)?.kept.targets.map(({ id }) => id) ?? []
    if (left.join() !== (isTheirs ? [] : others).join())
      wrong.push(`${post.id} has ${left.length} targets after an erasure`)
  }
  for (const { isCompleted, run, tasks } of inbox.runs.values()) {
    const isOpen = Array.from(tasks.values()).some(({ result }) => result === undefined)
    if (isCompleted === isOpen) wrong.push(`${run.id} waits for what was erased`)
  }
  return wrong
}

const pageOf = ({ network, networkAccountId }: { readonly network: string; readonly networkAccountId: string }) =>
  `${network} ${networkAccountId}`

/** Puts an erasure under the law. */
const makeWatch = (state: State, { violations }: ErasingLaw["Service"], networks: FakeNetworks["Service"]) => {
  const { inbox } = state
  /** What came in, with whom each part of it is for. */
  const heard = () =>
    new Map(
      Array.from(inbox.deliveries, ([id, { delivery }]) => [
        id,
        networks.normalise(delivery.body).activities.map(({ route }) => ({
          page: `${route.network} ${Option.getOrElse(route.accountId, () => "")}`
        }))
      ])
    )
  return <A, E>(erased: Erased, call: Effect.Effect<A, E>, isDone: (answer: A) => boolean) =>
    Effect.gen(function* () {
      const { accounts, user, workspaceId } = erased
      const endpoints = Array.from(inbox.outgoing.endpoints.values(), ({ endpoint }) => endpoint).filter(
        (one) => one.workspaceId === workspaceId && user !== undefined && Option.contains(one.externalUserId, user)
      )
      const words = new Set<string>([...accounts, ...endpoints.map(({ id }) => id)])
      if (erased.isWorkspace === true) words.add(workspaceId)
      const [rows, told] = [rowsOf(state), heard()]
      const posts = Array.from(inbox.posts.values(), ({ kept }) => kept)
      const others = Array.from(inbox.accounts.values(), ({ account }) => account).filter(({ id }) => !accounts.has(id))
      const sizes = new Map(others.map(({ id }) => [id, sizesOf(inbox, id)]))
      const pages = new Set(
        Array.from(accounts).flatMap((id) =>
          Array.from(
            [inbox.accounts.get(id)?.account].flatMap((one) => one ?? []),
            pageOf
          )
        )
      )
      for (const other of others) pages.delete(pageOf(other))
      const changes = yield* PubSub.subscribe(state.accessChanges)
      const answer = yield* call
      if (!isDone(answer)) return answer
      const isPerson = user !== undefined || erased.isWorkspace === true
      if (isPerson && !(yield* PubSub.takeUpTo(changes, 100)).includes(workspaceId))
        violations.push("whoever is erased keeps the access that they have open")
      violations.push(...judgeRows(rows, rowsOf(state), words, erased), ...judgeShared(posts, state, erased))
      for (const id of accounts) if (inbox.accounts.has(id)) violations.push(`${id} is there after its erasure`)
      for (const [id, size] of sizes)
        if (sizesOf(inbox, id) !== size) violations.push(`${id} lost something by an erasure that is not about it`)
      for (const units of inbox.doneUnits.values())
        if (says(units, words)) violations.push("what was done for an erased account is still noted")
      const now = heard()
      for (const [id, before] of told) {
        const left = before.filter(({ page }) => !pages.has(page))
        const isThere = left.map(({ page }) => page).join() === (now.get(id) ?? []).map(({ page }) => page).join()
        if (!isThere) violations.push(`what came in as ${id} holds too much or too little after an erasure`)
      }
      return answer
      // The rows before and after are those of one transaction.
    }).pipe(Effect.scoped, Effect.provideService(References.PreventSchedulerYield, true))
}

/** The ports that erase, under the law. */
export const watchErasing = Layer.unwrap(
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { accounts } = state.inbox
    const watch = makeWatch(state, yield* ErasingLaw, yield* FakeNetworks)
    const [users, erasures, workspaces] = [yield* ManagedUsers, yield* Erasures, yield* Workspaces]
    const ofAccount = (workspaceId: WorkspaceId, id: SocialAccountId): Erased => ({
      workspaceId,
      accounts: new Set([id])
    })
    return Layer.mergeAll(
      Layer.succeed(
        ManagedUsers,
        ManagedUsers.of({
          ...users,
          erase: (workspaceId, user, redact) =>
            Effect.suspend(() => {
              const own = Array.from(accounts.values(), ({ account }) => account).filter(
                (one) => one.workspaceId === workspaceId && Option.contains(one.externalUserId, user)
              )
              const erased = { workspaceId, user, accounts: new Set(own.map(({ id }) => id)) }
              return watch(erased, users.erase(workspaceId, user, redact), (isErased) => isErased)
            })
        })
      ),
      Layer.succeed(
        Erasures,
        Erasures.of({
          ...erasures,
          advance: (erasure, before, redact) =>
            erasure._tag === "Account" && accounts.has(erasure.accountId)
              ? watch(
                  ofAccount(erasure.workspaceId, erasure.accountId),
                  erasures.advance(erasure, before, redact),
                  (progress) => progress === "Done"
                )
              : erasures.advance(erasure, before, redact)
        })
      ),
      Layer.succeed(
        Workspaces,
        Workspaces.of({
          ...workspaces,
          erase: (workspaceId, redact) =>
            Effect.suspend(() => {
              const own = Array.from(accounts.values(), ({ account }) => account).filter(
                (one) => one.workspaceId === workspaceId
              )
              const erased = { workspaceId, isWorkspace: true, accounts: new Set(own.map(({ id }) => id)) }
              return watch(erased, workspaces.erase(workspaceId, redact), (wasThere) => wasThere)
            })
        })
      )
    )
  })
)
