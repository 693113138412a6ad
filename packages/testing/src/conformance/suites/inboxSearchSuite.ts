import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { deleted, edited, noon, posted } from "../../fixtures/activities.ts"
import {
  connect,
  type InboxPorts,
  inboxWorld,
  ingest,
  listed,
  makeInboxWorkspace,
  scopeOf,
  walk
} from "../../fixtures/inboxFixtures.ts"

const at = (minutes: number) => DateTime.add(noon, { minutes })

const world = Effect.gen(function* () {
  const workspace = yield* makeInboxWorkspace()
  return { workspace, account: yield* connect(workspace.id), scope: scopeOf(workspace.id) }
})

const asked = (q: string) => ({ search: parseSearch(q) })

/** Comments with these texts, each a minute after the one before, named by their place. */
const said = (...bodies: ReadonlyArray<string>) =>
  bodies.map((body, n) => posted({ externalId: `c${n}`, body, receivedAt: at(n) }))

/** Searching items by words (api-2.md §14). */
export const inboxSearchSuite = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`InboxStore, search: ${adapter}`, (it) => {
    it.effect("finds every word in body and author, the last as a beginning, newest first", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, [
          ...said("My parcel is late", "The PARCEL came", "latest parcels", "Straße zum Café"),
          posted({
            externalId: "kim",
            body: "a parcel",
            author: { name: Option.some("Kim Late"), username: Option.some("kim.late") },
            receivedAt: at(9)
          })
        ])
        assert.deepStrictEqual(yield* listed(scope, asked("parcel late")), ["kim", "c0"])
        assert.deepStrictEqual(yield* listed(scope, asked("PARC")), ["kim", "c2", "c1", "c0"])
        assert.deepStrictEqual(yield* listed(scope, asked("parcel")), ["kim", "c2", "c1", "c0"])
        assert.deepStrictEqual(yield* listed(scope, asked("lat parcel")), [])
        assert.deepStrictEqual(yield* listed(scope, asked("strasse cafe")), ["c3"])
      })
    )

    it.effect("finds words with and without vowel signs, accents and strokes, whichever were written", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, said("مُحَمَّد", "احمد", "שָׁלוֹם לכולם", "Đà Nẵng", "السلام"))
        for (const [n, spellings] of [
          ["محمد", "مُحمد"],
          ["أحمد", "إحمد"],
          ["שלום", "שָׁלוֹם"],
          ["da nang", "Đà Nẵng"],
          ["الســلام", "السَّلام"]
        ].entries()) {
          for (const q of spellings) assert.deepStrictEqual(yield* listed(scope, asked(q)), [`c${n}`], q)
        }
      })
    )

    it.effect("finds symbols, and any part of a text without spaces, but no parts that only lie near each other", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        yield* ingest(account, said("Thanks \u{1F60D}", "昨日東京都に行った", "東京と京都", "ภาษาไทยง่าย", "がんばれ"))
        assert.deepStrictEqual(yield* listed(scope, asked("\u{1F60D} tha")), ["c0"])
        assert.deepStrictEqual(yield* listed(scope, asked("東京")), ["c2", "c1"])
        assert.deepStrictEqual(yield* listed(scope, asked("東京都")), ["c1"])
        assert.deepStrictEqual(yield* listed(scope, asked("都 東京")), ["c2", "c1"])
        assert.deepStrictEqual(yield* listed(scope, asked("ไทย")), ["c3"])
        assert.deepStrictEqual(yield* listed(scope, asked("かんばれ")), [])
      })
    )

    it.effect("follows edits, and finds nothing of what is deleted or another's", () =>
      Effect.gen(function* () {
        const { account, scope } = yield* world
        const other = yield* world
        yield* ingest(account, said("first words", "other words"))
        yield* ingest(other.account, said("foreign words"))
        yield* ingest(account, [edited(1, "second thoughts", { externalId: "c0" })])
        assert.deepStrictEqual(yield* listed(scope, asked("second")), ["c0"])
        assert.deepStrictEqual(yield* listed(scope, asked("first")), [])
        assert.deepStrictEqual(yield* listed(scope, asked("words")), ["c1"])
        yield* ingest(account, [deleted({ externalId: "c1" })])
        assert.deepStrictEqual(yield* listed(scope, asked("words")), [])
        assert.deepStrictEqual(yield* listed(other.scope, asked("words")), ["c0"])
      })
    )

    it.effect("narrows by the other filters as well, page by page, each item once", () =>
      Effect.gen(function* () {
        const { account, scope, workspace } = yield* world
        const second = yield* connect(workspace.id, { networkAccountId: "second", owner: "ann" })
        yield* ingest(
          account,
          Array.from({ length: 30 }, (_, n) =>
            posted({
              externalId: `c${n}`,
              body: n % 3 === 0 ? "a needle" : "hay",
              receivedAt: at(n),
              isOwn: n % 2 === 0
            })
          )
        )
        yield* ingest(second, [posted({ account: "second", externalId: "s", body: "needle", receivedAt: at(4) })])
        const whole = yield* listed(scope, asked("needle"))
        assert.deepStrictEqual(whole, ["c27", "c24", "c21", "c18", "c15", "c12", "c9", "c6", "s", "c3", "c0"])
        for (const limit of [1, 3, 20]) {
          const pages = yield* walk(scope, { ...asked("needle"), limit })
          assert.deepStrictEqual(
            pages.map(({ externalId }) => externalId),
            whole
          )
        }
        const own = { ...asked("needle"), isOwn: Option.some(true) }
        assert.deepStrictEqual(yield* listed(scope, own), ["c24", "c18", "c12", "c6", "c0"])
        assert.deepStrictEqual(yield* listed(scopeOf(workspace.id, "ann"), asked("needle")), ["s"])
        const ofSecond = { ...asked("needle"), accountId: Option.some(second.id) }
        assert.deepStrictEqual(yield* listed(scope, ofSecond), ["s"])
      })
    )
  })
