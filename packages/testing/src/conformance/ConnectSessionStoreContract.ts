import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import type { ConnectAttempt, KeptCandidate } from "@loopbox/core/connecting/ConnectAttempt"
import { ConnectSession } from "@loopbox/core/connecting/ConnectSession"
import { ConnectSessionStore, keptAttempts, type KeptSession } from "@loopbox/core/connecting/ConnectSessionStore"
import { nextConnectSessionId, nextSocialAccountId, nextWorkspaceId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { noon } from "../fixtures/activities.ts"
import { connect, type InboxPorts, inboxEpoch, inboxWorld, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"

const hex = Effect.map(
  Effect.flatMap(SecureRandom, (random) => random.randomBytes(32)),
  (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
)

const newSession = Effect.fnUntraced(function* (workspaceId: WorkspaceId, more: Partial<ConnectSession> = {}) {
  const kept: KeptSession = {
    linkDigest: yield* hex,
    sealedLink: "sealed link",
    session: new ConnectSession({
      id: yield* nextConnectSessionId(yield* SecureRandom),
      workspaceId,
      network: "facebook",
      login: "facebook",
      externalUserId: Option.none(),
      status: "pending",
      returnUrl: Option.some("https://app.example/back?a=b"),
      features: ["inbox", "publish"],
      socialAccountId: Option.none(),
      accountIds: [],
      failure: Option.none(),
      createdAt: noon,
      expiresAt: DateTime.add(noon, { minutes: 30 }),
      completedAt: Option.none(),
      ...more
    })
  }
  return kept
})

const put = Effect.fnUntraced(function* (workspaceId: WorkspaceId, more: Partial<ConnectSession> = {}) {
  const kept = yield* newSession(workspaceId, more)
  assert.isTrue(yield* (yield* ConnectSessionStore).put(kept, false))
  return kept
})

const newAttempt = Effect.fnUntraced(function* ({ session }: KeptSession) {
  const attempt: ConnectAttempt = {
    workspaceId: session.workspaceId,
    sessionId: session.id,
    stateDigest: yield* hex,
    cookieDigest: yield* hex,
    redirectUri: "https://here.example/connect/callback/facebook",
    sealedVerifier: "sealed verifier",
    createdAt: noon,
    progress: { _tag: "Open" }
  }
  return attempt
})

/** Asks to begin an attempt, with the session as it is or changed. */
const tryBegin = (attempt: ConnectAttempt, change: Partial<ConnectSession> = {}) =>
  ConnectSessionStore.use((store) =>
    store.begin(attempt.workspaceId, attempt.sessionId, (session) =>
      Option.some({ session: new ConnectSession({ ...session, ...change }), attempt })
    )
  )

const begin = Effect.fnUntraced(function* (kept: KeptSession) {
  const attempt = yield* newAttempt(kept)
  assert.isTrue(Option.isSome(yield* tryBegin(attempt)))
  return attempt
})

const candidate: KeptCandidate = {
  networkAccountId: "page",
  otherAccountId: Option.some("other"),
  throughAccountId: Option.none(),
  name: "A \u0000 Page",
  username: Option.none(),
  avatarUrl: Option.some("https://pictures.example/1"),
  personIds: ["p1"],
  permissions: ["read"],
  sealed: Option.some("sealed token"),
  hindrance: Option.none()
}

const factsOf = ({ stateDigest }: ConnectAttempt) =>
  ConnectSessionStore.use((store) => store.change({ by: "state", digest: stateDigest }, (facts) => ({ answer: facts })))

/** What every adapter of the port ConnectSessionStore does. */
export const connectSessionStoreContract = <E>(
  adapter: string,
  stores: Layer.Layer<InboxPorts | ConnectSessionStore, E>
) =>
  layer(inboxWorld(stores))(`ConnectSessionStore: ${adapter}`, (it) => {
    it.effect("finds a session as it was stored, by its id in its workspace and by its link", () =>
      Effect.gen(function* () {
        const [here, there] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        const store = yield* ConnectSessionStore
        const account = yield* nextSocialAccountId(yield* SecureRandom)
        const kept = yield* put(here.id, { externalUserId: Option.some("u1"), socialAccountId: Option.some(account) })
        assert.deepStrictEqual(yield* store.find(here.id, kept.session.id), Option.some(kept))
        assert.deepStrictEqual(yield* store.findByLink(kept.linkDigest), Option.some(kept))
        assert.deepStrictEqual(yield* store.find(there.id, kept.session.id), Option.none())
        assert.deepStrictEqual(yield* store.findByLink(yield* hex), Option.none())
      })
    )

    it.effect("stores nothing for an unknown workspace", () =>
      Effect.gen(function* () {
        const store = yield* ConnectSessionStore
        const kept = yield* newSession(yield* nextWorkspaceId(yield* SecureRandom))
        assert.isFalse(yield* store.put(kept, false))
        assert.deepStrictEqual(yield* store.findByLink(kept.linkDigest), Option.none())
        assert.deepStrictEqual(yield* tryBegin(yield* newAttempt(kept)), Option.none())
      })
    )

    it.effect("begins attempts, found by state and by cookie, with those that were begun after them", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const kept = yield* put(id)
        const [old, middle, young] = [yield* begin(kept), yield* begin(kept), yield* begin(kept)]
        yield* begin(yield* put(id))
        const seen = yield* factsOf(old)
        assert.deepStrictEqual(seen, Option.some({ session: kept.session, attempt: old, newer: [middle, young] }))
        const byCookie = yield* store.change({ by: "cookie", digest: young.cookieDigest }, (facts) => ({
          answer: facts
        }))
        assert.deepStrictEqual(byCookie, Option.some({ session: kept.session, attempt: young, newer: [] }))
        assert.deepStrictEqual(
          yield* store.change({ by: "cookie", digest: old.stateDigest }, () => ({ answer: 1 })),
          Option.none()
        )
      })
    )

    it.effect("stores the session that a rule returns with an attempt, and no attempt if it returns none", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const kept = yield* put(id, { status: "choosing" })
        const refused = yield* newAttempt(kept)
        const none = yield* store.begin(id, kept.session.id, () => Option.none())
        assert.deepStrictEqual(none, Option.some(kept.session))
        assert.deepStrictEqual(yield* factsOf(refused), Option.none())
        const attempt = yield* newAttempt(kept)
        assert.deepStrictEqual(yield* tryBegin(attempt, { status: "pending" }), Option.some(kept.session))
        const pending = new ConnectSession({ ...kept.session, status: "pending" })
        assert.deepStrictEqual(Option.getOrThrow(yield* store.find(id, kept.session.id)).session, pending)
      })
    )

    it.effect("shows a rule the attempts of the session, as it stores them", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const kept = yield* put(id)
        const first = yield* begin(kept)
        const second: ConnectAttempt = {
          ...(yield* newAttempt(kept)),
          progress: { _tag: "Open", beside: first.stateDigest }
        }
        yield* tryBegin(second)
        const seen: Array<ConnectAttempt> = []
        yield* store.begin(id, kept.session.id, (_, attempts) => {
          seen.push(...attempts)
          return Option.none()
        })
        assert.deepStrictEqual(seen, [first, second])
      })
    )

    it.effect("keeps the newest attempts of a session only", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const kept = yield* put(id)
        const attempts = yield* Effect.forEach(Array.from({ length: keptAttempts + 2 }), () => begin(kept))
        const found = yield* Effect.forEach(attempts, factsOf)
        assert.deepStrictEqual(
          found.map(Option.isSome),
          attempts.map((_, n) => n >= 2)
        )
      })
    )

    it.effect("changes an attempt and its session together, and keeps what a rule leaves out", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const kept = yield* put(id)
        const attempt = yield* begin(kept)
        const name = { by: "state", digest: attempt.stateDigest } as const
        const account = yield* nextSocialAccountId(yield* SecureRandom)
        const choosing = {
          ...attempt,
          progress: { _tag: "Choosing", answer: "digest", candidates: [{ ...candidate, name: "A Page" }] }
        } as const
        const session = new ConnectSession({
          ...kept.session,
          status: "completed",
          accountIds: [account],
          failure: Option.some({ code: "missing_scopes", detail: "read" }),
          completedAt: Option.some(noon)
        })
        assert.deepStrictEqual(
          yield* store.change(name, () => ({ answer: "yes", session, attempt: choosing })),
          Option.some("yes")
        )
        assert.deepStrictEqual(yield* factsOf(attempt), Option.some({ session, attempt: choosing, newer: [] }))
        assert.deepStrictEqual(Option.getOrThrow(yield* store.find(id, kept.session.id)).session, session)
      })
    )

    it.effect("keeps text that a network should not have sent", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const attempt = yield* begin(yield* put(id))
        const progress = { _tag: "Choosing", answer: "digest", candidates: [candidate] } as const
        const name = { by: "state", digest: attempt.stateDigest } as const
        yield* store.change(name, () => ({ answer: 1, attempt: { ...attempt, progress } }))
        assert.isTrue(Option.isSome(yield* factsOf(attempt)))
      })
    )

    it.effect("lets one of many that come at once change an attempt first", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const attempt = yield* begin(yield* put(id))
        const name = { by: "state", digest: attempt.stateDigest } as const
        const claim = (n: number) =>
          store.change(name, (facts) =>
            facts.attempt.progress._tag === "Open"
              ? {
                  answer: true,
                  attempt: {
                    ...facts.attempt,
                    progress: { _tag: "Exchanging", answer: `${n}`, token: `${n}`, until: noon }
                  }
                }
              : { answer: false }
          )
        const claims = yield* Effect.all(
          Array.from({ length: 10 }, (_, n) => claim(n)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(claims.filter((won) => Option.contains(won, true)).length, 1)
      })
    )

    it.effect("deletes what is old, attempts earlier than sessions", () =>
      Effect.gen(function* () {
        const epoch = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const expiring = (hours: number) => put(id, { expiresAt: DateTime.add(epoch, { hours }) })
        const [oldest, middle, young] = [yield* expiring(1), yield* expiring(3), yield* expiring(5)]
        const attempts = [yield* begin(oldest), yield* begin(middle), yield* begin(young)]
        const before = { sessions: DateTime.add(epoch, { hours: 2 }), attempts: DateTime.add(epoch, { hours: 4 }) }
        while ((yield* store.removeOlder(before, 1)) > 0);
        const found = yield* Effect.forEach([oldest, middle, young], ({ linkDigest }) => store.findByLink(linkDigest))
        assert.deepStrictEqual(found.map(Option.isSome), [false, true, true])
        assert.deepStrictEqual((yield* Effect.forEach(attempts, factsOf)).map(Option.isSome), [false, false, true])
      })
    )

    it.effect("goes with an account that it names", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const erasures = yield* Erasures
        const [gone, kept] = [
          yield* connect(id, { networkAccountId: `gone ${id}` }),
          yield* connect(id, { networkAccountId: `kept ${id}` })
        ]
        const again = yield* put(id, { socialAccountId: Option.some(gone.id) })
        const attempt = yield* begin(again)
        const done = yield* put(id)
        yield* store.change({ by: "state", digest: (yield* begin(done)).stateDigest }, ({ session }) => ({
          answer: 1,
          session: new ConnectSession({ ...session, status: "completed", accountIds: [kept.id, gone.id] })
        }))
        const other = yield* put(id, { socialAccountId: Option.some(kept.id) })
        yield* erasures.erase({ workspaceId: id, accountId: gone.id }, Option.none())
        assert.deepStrictEqual(yield* store.findByLink(again.linkDigest), Option.none())
        assert.deepStrictEqual(yield* factsOf(attempt), Option.none())
        assert.deepStrictEqual(yield* store.findByLink(done.linkDigest), Option.none())
        assert.isTrue(Option.isSome(yield* store.findByLink(other.linkDigest)))
      })
    )

    it.effect("is stored for a known managed user only while they exist, and for a new one at any time", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const [store, users] = [yield* ConnectSessionStore, yield* ManagedUsers]
        const tryPut = Effect.fnUntraced(function* (isOwnerKnown: boolean) {
          const kept = yield* newSession(id, { externalUserId: Option.some("u1") })
          const isStored = yield* store.put(kept, isOwnerKnown)
          assert.strictEqual(Option.isSome(yield* store.find(id, kept.session.id)), isStored)
          return isStored
        })
        assert.isFalse(yield* tryPut(true))
        assert.isTrue(yield* tryPut(false))
        yield* users.put(id, "u1", noon)
        assert.isTrue(yield* tryPut(true))
        yield* users.erase(id, "u1", Option.none())
        assert.isFalse(yield* tryPut(true))
      })
    )

    it.effect("goes with its managed user, and with its workspace", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        const store = yield* ConnectSessionStore
        const users = yield* ManagedUsers
        yield* users.put(id, "u1", noon)
        const [owned, free] = [yield* put(id, { externalUserId: Option.some("u1") }), yield* put(id)]
        const attempt = yield* begin(owned)
        yield* users.erase(id, "u1", Option.none())
        assert.deepStrictEqual(yield* store.findByLink(owned.linkDigest), Option.none())
        assert.deepStrictEqual(yield* factsOf(attempt), Option.none())
        assert.isTrue(Option.isSome(yield* store.findByLink(free.linkDigest)))
        yield* (yield* Workspaces).erase(id, Option.none())
        assert.deepStrictEqual(yield* store.findByLink(free.linkDigest), Option.none())
      })
    )
  })
