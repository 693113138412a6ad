import type { PgAdapters } from "@loopbox/adapters-postgres"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { AuthorProfiles } from "@loopbox/core/inbox/AuthorProfiles"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { decideMove } from "@loopbox/core/items/decideMove"
import { deleted, edited, hidden, posted } from "@loopbox/testing/fixtures/activities"
import { connect, idOf, inboxEpoch, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { copy, numbered, withoutStatistics } from "../copies.ts"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const count = 20_000

const tables = ["items", "threads", "item_words", "author_profiles", "events", "unread_counters"]

const hundred = (from: number) => Array.from({ length: 100 }, (_, n) => `e${`${from + n}`.padStart(5, "0")}`)

type Columns = Readonly<Record<string, string>>

/** An account with 20,000 items, each in a thread of its own and by an author who is known by an id only. */
const fill = Effect.fnUntraced(function* (more: { readonly items?: Columns; readonly words?: Columns } = {}) {
  const at = yield* inboxEpoch
  const { id: workspaceId } = yield* makeInboxWorkspace(at)
  const account = yield* connect(workspaceId, { at })
  yield* withoutStatistics(...tables)
  const author = { id: Option.some("a00000"), username: Option.none<string>(), name: Option.none<string>() }
  const first = posted({ externalId: "e00000", threadKey: "t00000", author })
  yield* ingest(account, [first], { now: at })
  const key = { external_id: numbered("external_id"), thread_key: numbered("thread_key"), id: numbered("id") }
  yield* copy("items", count, { ...key, author_id: numbered("author_id"), ...more.items })
  yield* copy("item_words", count, { ...key, ...more.words })
  yield* copy("author_profiles", count, { person_id: numbered("person_id") })
  yield* copy("threads", count, {
    thread_key: key.thread_key,
    id: key.id,
    last_item_id: numbered("last_item_id")
  })
  yield* copy("events", count, { seq: "r.seq + n", new_item_id: numbered("new_item_id") })
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE workspace_seq SET last = last + ${count} WHERE workspace_id = ${workspaceId}`
  return { at, account, author, workspaceId }
})

const findCostlyIngest = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const { account, at, author, workspaceId } = yield* fill()
    const [inbox, events] = [yield* InboxStore, yield* InboxEvents]
    const more = { now: at }
    const scope = scopeOf(workspaceId)
    yield* ingest(account, [
      posted({ externalId: "mine", threadKey: "mine", receivedAt: DateTime.add(at, { days: 400 }) })
    ])
    const id = yield* idOf(scope, "mine")
    return yield* findCostly(tables, {
      "an edit": ingest(account, [edited(1, "New", { externalId: "e00001" })], more),
      "100 edits": ingest(
        account,
        hundred(100).map((externalId) => edited(1, "New", { externalId })),
        more
      ),
      "a deletion": ingest(account, [deleted({ externalId: "e00002" })], more),
      "100 deletions": ingest(
        account,
        hundred(200).map((externalId) => deleted({ externalId })),
        more
      ),
      hiding: ingest(account, [hidden(1, true, { externalId: "e00003" })], more),
      "an answer to what is not there": ingest(account, [posted({ externalId: "x1", rootOf: "x0" })], more),
      "what was awaited": ingest(account, [posted({ externalId: "x0", threadKey: "t00004" })], more),
      "by an author who is known": ingest(account, [posted({ externalId: "x2", threadKey: "x2", author })], more),
      "an own one": ingest(account, [posted({ externalId: "x3", threadKey: "t00005", isOwn: true })], more),
      events: events.read(workspaceId, 10_000, 100),
      "one that is assigned": inbox.moveThread(
        scope,
        id,
        (item, before) => decideMove(item, before, { status: "assigned", assignedTo: Option.some("eve") }),
        at
      ),
      "one that is read": inbox.markRead(scope, id, at),
      "one that is unread": inbox.markUnread(scope, id, at)
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

const findCostlyNames = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const { account, at, author } = yield* fill()
    const profiles = yield* AuthorProfiles
    const later = (minutes: number) => DateTime.add(at, { minutes })
    yield* ingest(
      account,
      hundred(50_000).flatMap((externalId) => [
        posted({ externalId, threadKey: externalId, author }),
        posted({ externalId: `y${externalId}`, threadKey: externalId, author })
      ]),
      { now: at }
    )
    const lease = (token: string) => ({ token, limit: 10, leaseNow: later(1), leaseUntil: later(5) })
    const claims = yield* profiles.claim(lease("a"))
    const [many] = claims
    const other = claims[1]
    if (many?.personId !== "a00000" || other === undefined) return ["nobody is to be named"]
    const named = { _tag: "Known", person: { name: Option.some("Ann"), avatarUrl: Option.none() } } as const
    return yield* findCostly(tables, {
      claim: profiles.claim(lease("b")),
      renew: profiles.renew(many, later(6)),
      "name many": profiles.settle(many, named, later(1)),
      "name one": profiles.settle(other, named, later(1))
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

/** The look over all workspaces sorts what it finds, up to some thousands more than these; then it goes by an index. */
const looked = 25_000

const findCostlyWords = (target: PgAdapters.Target, plans: string, more: Parameters<typeof fill>[0]) =>
  Effect.gen(function* () {
    yield* fill(more)
    const words = yield* SearchWords
    return yield* findCostly(tables, { "fill 100": words.fill(100), "fill one": words.fill(1) }, looked)
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 items", {
  "those that the network tells more of are found by their keys": findCostlyIngest,
  "those of an author who is named are found by their keys": findCostlyNames,
  "those without words are found by their keys": (target, plans) =>
    findCostlyWords(target, plans, { items: { worded: "NULL" } }),
  "words without a thread are found by the keys of their items": (target, plans) =>
    findCostlyWords(target, plans, { words: { thread_key: "NULL" } })
})
