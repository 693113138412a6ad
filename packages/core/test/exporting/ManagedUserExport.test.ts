import { assert, describe, it } from "@effect/vitest"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { posted } from "@loopbox/testing/fixtures/activities"
import { away } from "@loopbox/testing/fixtures/mediaFixtures"
import { connect, ingest, inboxWorld, makeInboxWorkspace, redactNames } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { Effect, Layer, Option, Stream } from "effect"
import type { ExportLine } from "../../src/exporting/ExportLine.ts"
import { ExportStore } from "../../src/exporting/ExportStore.ts"
import { exportedAtOnce, ManagedUserExport } from "../../src/exporting/ManagedUserExport.ts"
import { ManagedUsers } from "../../src/workspaces/ManagedUsers.ts"

const stores = MemoryAdapters.layerStores.pipe(Layer.provideMerge(layerNetworks))
const services = Layer.provideMerge(ManagedUserExport.layer, inboxWorld(stores))

/** The services over stores of which one is changed. */
const servicesWith = (change: (store: ExportStore["Service"]) => ExportStore["Service"]) =>
  ManagedUserExport.layer.pipe(
    Layer.provideMerge(Layer.effect(ExportStore, Effect.map(ExportStore, change))),
    Layer.provideMerge(inboxWorld(stores))
  )

/** A user with an account that has so many items. */
const makeUser = Effect.fnUntraced(function* (items: number) {
  const { id } = yield* makeInboxWorkspace()
  const account = yield* connect(id, { owner: "u1", networkAccountId: "page" })
  const names = Array.from({ length: items }, (_, at) => `c${at}`)
  yield* ingest(
    account,
    names.map((externalId) => posted({ externalId }))
  )
  return { id, account }
})

const exported = Effect.fnUntraced(function* (workspaceId: string) {
  return yield* (yield* ManagedUserExport).export(workspaceId, "u1")
})

const countOf = (lines: ReadonlyArray<ExportLine>, type: ExportLine["type"]) =>
  lines.filter((line) => line.type === type).length

describe("the export of a managed user (api-2.md §16)", () => {
  it.effect("has every item once over many pages, and says at its end how many lines came before", () =>
    Effect.gen(function* () {
      const items = 3 * exportedAtOnce + 1
      const { id } = yield* makeUser(items)
      const lines = yield* Stream.runCollect(yield* exported(id))
      const ids = new Set(lines.flatMap((line) => (line.type === "item" ? [line.data.id] : [])))
      assert.strictEqual(ids.size, items)
      assert.strictEqual(countOf(lines, "item"), items)
      assert.strictEqual(countOf(lines, "thread"), items)
      assert.deepStrictEqual(lines[0]?.type, "managed_user")
      assert.deepStrictEqual(lines[lines.length - 1], { type: "end", lines: lines.length - 1 })
      assert.strictEqual(countOf(lines, "end"), 1)
    }).pipe(Effect.provide(services))
  )

  it.effect("reads no page before the one before it was taken", () => {
    let pages = 0
    const endless = servicesWith((store) => ({
      ...store,
      accounts: (user, query) =>
        Effect.map(store.accounts(user, { ...query, after: Option.none() }), ({ items }) => {
          pages++
          return { items: Array.from({ length: query.limit }, () => items).flat(), next: Option.some("more") }
        })
    }))
    return Effect.gen(function* () {
      const { id } = yield* makeUser(0)
      const stream = yield* exported(id)
      assert.strictEqual(pages, 0)
      const lines = yield* Stream.runCollect(Stream.take(stream, exportedAtOnce))
      assert.strictEqual(lines.length, exportedAtOnce)
      assert.strictEqual(pages, 1)
    }).pipe(Effect.provide(endless))
  })

  it.effect("fails without its last line when a store does", () =>
    Effect.gen(function* () {
      const { id } = yield* makeUser(1)
      const seen: Array<ExportLine> = []
      const failure = yield* Effect.flip(
        Stream.runForEach(yield* exported(id), (line) => Effect.sync(() => seen.push(line)))
      )
      assert.strictEqual(failure._tag, "StoreUnavailable")
      assert.isAbove(seen.length, 2)
      assert.strictEqual(countOf(seen, "end"), 0)
    }).pipe(Effect.provide(servicesWith((store) => ({ ...store, auditEvents: () => Effect.fail(away()) }))))
  )

  it.effect("fails without its last line when the user is erased meanwhile", () =>
    Effect.gen(function* () {
      const { id } = yield* makeUser(1)
      const users = yield* ManagedUsers
      const seen: Array<ExportLine> = []
      const failure = yield* Effect.flip(
        Stream.runForEach(yield* exported(id), (line) => {
          seen.push(line)
          return line.type === "account" ? users.erase(id, "u1", redactNames) : Effect.void
        })
      )
      assert.strictEqual(failure._tag, "ManagedUserNotFound")
      assert.strictEqual(countOf(seen, "end"), 0)
    }).pipe(Effect.provide(services))
  )

  it.effect("is refused for whoever is not there, and not audited", () =>
    Effect.gen(function* () {
      const { id } = yield* makeInboxWorkspace()
      assert.strictEqual((yield* Effect.flip(exported(id)))._tag, "ManagedUserNotFound")
      assert.strictEqual((yield* Effect.flip(exported("ws_none")))._tag, "WorkspaceNotFound")
    }).pipe(Effect.provide(services))
  )
})
