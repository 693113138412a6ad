import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ConsoleGrant, ConsoleSessionStore } from "@loopbox/core/access/ConsoleSessionStore"
import { type InboxPorts, inboxEpoch, inboxWorld } from "../fixtures/inboxFixtures.ts"
import { SecureRandom } from "effect/crypto/SecureRandom"

const digest = Effect.map(
  Effect.flatMap(SecureRandom, (source) => source.randomBytes(32)),
  (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
)

/** What every adapter of the port ConsoleSessionStore does. */
export const consoleSessionStoreContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | ConsoleSessionStore, E>
) =>
  layer(inboxWorld(stores))(`ConsoleSessionStore: ${adapter}`, (it) => {
    const make = Effect.fnUntraced(function* (kind: ConsoleGrant["kind"], hours = 1, given?: DateTime.Utc) {
      const store = yield* ConsoleSessionStore
      const epoch = given ?? (yield* inboxEpoch)
      const grant: ConsoleGrant = {
        digest: yield* digest,
        kind,
        epoch: yield* digest,
        expiresAt: DateTime.add(epoch, { hours })
      }
      yield* store.add(grant, epoch)
      return grant
    })

    it.effect("gives a ticket once, however many ask at once", () =>
      Effect.gen(function* () {
        const store = yield* ConsoleSessionStore
        const ticket = yield* make("ticket")
        assert.deepStrictEqual(yield* store.findSession(ticket.digest), Option.none())
        const taken = yield* Effect.all(
          Array.from({ length: 8 }, () => store.take(ticket.digest)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          taken.flatMap((one) => Option.toArray(one)),
          [ticket]
        )
        assert.deepStrictEqual(yield* store.take(ticket.digest), Option.none())
      })
    )

    it.effect("finds a session until it is removed, and takes it for no ticket", () =>
      Effect.gen(function* () {
        const store = yield* ConsoleSessionStore
        const [session, other] = [yield* make("session"), yield* make("session")]
        assert.deepStrictEqual(yield* store.take(session.digest), Option.none())
        assert.deepStrictEqual(yield* store.findSession(session.digest), Option.some(session))
        yield* store.removeSession(session.digest)
        yield* store.removeSession(session.digest)
        assert.deepStrictEqual(yield* store.findSession(session.digest), Option.none())
        assert.deepStrictEqual(yield* store.findSession(other.digest), Option.some(other))
        assert.deepStrictEqual(yield* store.findSession("00"), Option.none())
      })
    )

    it.effect("removes what has expired when another is added", () =>
      Effect.gen(function* () {
        const store = yield* ConsoleSessionStore
        const epoch = yield* inboxEpoch
        const [old, young] = [yield* make("session", 1, epoch), yield* make("session", 3, epoch)]
        const later = DateTime.add(epoch, { hours: 2 })
        yield* store.add({ ...young, digest: yield* digest, expiresAt: DateTime.add(later, { hours: 1 }) }, later)
        assert.deepStrictEqual(yield* store.findSession(old.digest), Option.none())
        assert.deepStrictEqual(yield* store.findSession(young.digest), Option.some(young))
      })
    )
  })
