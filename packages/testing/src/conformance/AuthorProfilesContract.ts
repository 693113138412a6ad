import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { AuthorProfiles, type ProfileClaim } from "@loopbox/core/inbox/AuthorProfiles"
import { inboxItemOf, posted } from "../fixtures/activities.ts"
import {
  connect,
  eventsAfter,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  scopeOf,
  walk
} from "../fixtures/inboxFixtures.ts"
import { leaseContract } from "./leaseContract.ts"

const nameless = (externalId: string, personId = "psid") =>
  posted({
    source: "ig_dm",
    externalId,
    threadKey: personId,
    author: { id: Option.some(personId), name: Option.none(), username: Option.none() }
  })

const world = Effect.gen(function* () {
  const now = yield* inboxEpoch
  const { id } = yield* makeInboxWorkspace(now)
  const account = yield* connect(id, { at: now })
  return { now, account, workspaceId: id, scope: scopeOf(id), profiles: yield* AuthorProfiles }
})

const claim = Effect.fnUntraced(function* (leaseNow: DateTime.Utc, limit = 10) {
  const token = yield* (yield* SecureRandom).uuidV7()
  const leaseUntil = DateTime.add(leaseNow, { minutes: 1 })
  return yield* (yield* AuthorProfiles).claim({ limit, token, leaseNow, leaseUntil })
})

const only = (claims: ReadonlyArray<ProfileClaim>): ProfileClaim => claims[0] ?? assert.fail("nothing to claim")

const named = (name: string) => ({
  _tag: "Known" as const,
  person: { name: Option.some(name), avatarUrl: Option.some("https://example.test/a.png") }
})

/** What every adapter of the port AuthorProfiles does. */
export const authorProfilesContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`AuthorProfiles: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "profile",
      add: Effect.fnUntraced(function* (count) {
        const { account, now } = yield* world
        const people = Array.from({ length: count }, (_, n) => nameless(`item-${n}`, `person-${n}`))
        yield* ingest(account, people, { now })
        return now
      }),
      claim: (request) => Effect.flatMap(AuthorProfiles, (profiles) => profiles.claim(request)),
      idOf: ({ personId }: ProfileClaim) => personId,
      renew: (held, until) => Effect.flatMap(AuthorProfiles, (profiles) => profiles.renew(held, until)),
      release: (held, now) => Effect.flatMap(AuthorProfiles, (profiles) => profiles.release(held, now)),
      settle: [
        (held, at) => Effect.flatMap(AuthorProfiles, (profiles) => profiles.settle(held, named("Ann"), at)),
        (held, at) => Effect.flatMap(AuthorProfiles, (profiles) => profiles.settle(held, { _tag: "Later", at }, at))
      ]
    })

    it.effect("asks once for a person whom the network names by id only", () =>
      Effect.gen(function* () {
        const { account, now } = yield* world
        yield* ingest(account, [nameless("a"), nameless("b"), posted({ externalId: "c" })], { now })
        const claims = yield* claim(now)
        assert.deepStrictEqual(
          claims.map(({ accountId, attempts, personId, source }) => [accountId, personId, source, attempts]),
          [[account.id, "psid", "ig_dm", 0]]
        )
        yield* ingest(account, [nameless("d")], { now })
        assert.deepStrictEqual(yield* claim(now), [])
      })
    )

    it.effect("fills the person's items that have no name, and tells of each once", () =>
      Effect.gen(function* () {
        const { account, now, profiles, scope, workspaceId } = yield* world
        yield* ingest(account, [nameless("a"), nameless("b"), nameless("c", "other")], { now })
        const held = (yield* claim(now)).find(({ personId }) => personId === "psid")
        if (held === undefined) return yield* Effect.die(new Error("not claimed"))
        assert.deepStrictEqual(yield* profiles.settle(held, named("Ann"), now), 2)
        const names = (yield* walk(scope)).map(
          (item) => `${item.externalId} ${Option.getOrElse(item.authorName, () => "-")}`
        )
        assert.deepStrictEqual(names.sort(), ["a Ann", "b Ann", "c -"])
        const told = (yield* eventsAfter(workspaceId, 3)).map(({ event }) => inboxItemOf(event)?.externalId)
        assert.deepStrictEqual(told.sort(), ["a", "b"])
      })
    )

    it.effect("names what comes later at once", () =>
      Effect.gen(function* () {
        const { account, now, profiles, scope, workspaceId } = yield* world
        yield* ingest(account, [nameless("a")], { now })
        yield* profiles.settle(only(yield* claim(now)), named("Ann"), now)
        yield* ingest(account, [nameless("b")], { now })
        const items = yield* walk(scope)
        assert.deepStrictEqual(
          items.map(({ authorName }) => authorName),
          [Option.some("Ann"), Option.some("Ann")]
        )
        assert.deepStrictEqual(
          (yield* eventsAfter(workspaceId)).map(({ event }) => event._tag),
          ["NewItem", "ItemUpdated", "NewItem"]
        )
      })
    )

    it.effect(
      "tries again when it was put off, counts no claim that was handed back, and never asks after an answer",
      () =>
        Effect.gen(function* () {
          const { account, now, profiles } = yield* world
          yield* ingest(account, [nameless("a")], { now })
          const at = DateTime.add(now, { seconds: 30 })
          yield* profiles.settle(only(yield* claim(now)), { _tag: "Later", at }, now)
          assert.deepStrictEqual(yield* claim(now), [])
          const held = only(yield* claim(at))
          assert.strictEqual(held.attempts, 1)
          yield* profiles.release(held, at)
          const again = only(yield* claim(at))
          assert.strictEqual(again.attempts, 1)
          const nothing = { _tag: "Known", person: { name: Option.none(), avatarUrl: Option.none() } } as const
          assert.deepStrictEqual(yield* profiles.settle(again, nothing, at), 0)
          yield* ingest(account, [nameless("b")], { now })
          assert.deepStrictEqual(yield* claim(DateTime.add(now, { days: 1 })), [])
        })
    )

    it.effect("asks nothing in the name of an account that can't be used", () =>
      Effect.gen(function* () {
        const { account, now, workspaceId } = yield* world
        yield* ingest(account, [nameless("a")], { now })
        const accounts = yield* SocialAccounts
        yield* accounts.requireReauth(workspaceId, account.id, DateTime.add(account.createdAt, { seconds: 1 }))
        assert.deepStrictEqual(yield* claim(now), [])
        const credentials = { sealed: "fresh", expiresAt: Option.none() }
        yield* accounts.update(workspaceId, account.id, { credentials }, now)
        assert.strictEqual((yield* claim(DateTime.add(now, { minutes: 10 }))).length, 1)
      })
    )
  })
