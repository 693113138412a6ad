import { PgAdapters, PgCredentialVault } from "@loopbox/adapters-postgres"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { nextSyncId, type OutgoingEndpointId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { addEndpoint } from "@loopbox/testing/fixtures/laneFixtures"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { testDatabase } from "../../testDatabase.ts"
import { vaultKey } from "./deliveryKey.ts"

/**
 * Events in all, each to the ten endpoints of its workspace, and how often a process is killed; more by hand:
 * LOOPBOX_LOAD_EVENTS=100000 LOOPBOX_LOAD_KILLS=20 make a million deliveries.
 */
const total = Number(process.env["LOOPBOX_LOAD_EVENTS"] ?? 2_000)
const kills = Number(process.env["LOOPBOX_LOAD_KILLS"] ?? 4)
const workspaceCount = 5
const events = Math.ceil(total / workspaceCount)

/** Events that are published at a time in a workspace. */
const together = 20

/**
 * Before the kills, events at a steady pace that is far from what the machine can do: one for each workspace at a time. First
 * to workspaces that have endpoints of the healthy kinds only, then to those that have all.
 */
const paceMillis = 100
const paced = Math.min(600, Math.max(50, Math.ceil(events / 20)))

/** Events of each workspace that has all kinds. */
const expected = events + paced

/** How long a process works at least before it is killed, and how long for nothing. */
const lifeMillis = 1_000
const idleMillis = 20_000

/** What happens; endpoints name it, so that nothing else counts. */
const happens = "inbox.sync_complete"

interface Running {
  readonly child: ChildProcess
  /** It has said that it works. */
  readonly begun: Promise<unknown>
}

/** How receivers answer. Of each, as many endpoints, in five workspaces: 50 endpoints. */
const receivers = ["well", "well", "well", "well", "ordered", "slow", "slow", "failing", "dead", "dead"] as const
type Kind = (typeof receivers)[number]

/** Those whose order of events, and whose duplicates, no fault of their own excuses. */
const isHealthy = ({ kind }: Pick<Receiver, "kind">): boolean => kind === "well" || kind === "ordered"

interface Receiver {
  readonly name: string
  readonly kind: Kind
  /** Numbers of the events that were accepted, as they came. */
  readonly accepted: Array<number>
  /** When each event that was published at a steady pace was accepted first, by its place. */
  readonly acceptedAt: Map<number, number>
}

const newReceiver = (name: string, kind: Kind): Receiver => ({ name, kind, accepted: [], acceptedAt: new Map() })

/** Of some durations, what 99 of 100 stay below, and the median. */
const percentiles = (durations: ReadonlyArray<number>) => {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

const slowMillis = 250

/** A server with a path for each receiver. */
const listen = (all: ReadonlyMap<string, Receiver>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const tries = new Map<string, number>()
      const server = http.createServer((request, response) => {
        let body = ""
        request.on("data", (chunk) => (body += String(chunk)))
        request.on("end", () => {
          const receiver = all.get(request.url ?? "")
          const { place, seq } = JSON.parse(body)
          const id = String(request.headers["webhook-id"])
          const tried = (tries.get(id) ?? 0) + 1
          tries.set(id, tried)
          const status = receiver?.kind === "failing" && tried <= 2 ? 500 : 200
          const answer = () => {
            if (status === 200) receiver?.accepted.push(seq)
            if (status === 200 && receiver?.acceptedAt.has(place) === false) {
              receiver.acceptedAt.set(place, performance.now())
            }
            response.writeHead(status).end("said")
          }
          if (receiver?.kind === "slow") setTimeout(answer, slowMillis)
          else answer()
        })
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

const inPlain = Effect.fnUntraced(function* ({ password, url, ...rest }: PgAdapters.Target) {
  const known = Effect.isEffect(password) ? yield* password : password
  return JSON.stringify({
    ...rest,
    url: url === undefined ? undefined : Redacted.value(url),
    password: known === undefined ? undefined : Redacted.value(known)
  })
})

/** Two processes that write and send, of which one after the other is killed. */
const makeWorkers = (target: PgAdapters.Target) =>
  Effect.acquireRelease(
    Effect.map(inPlain(target), (given) => {
      const start = (): Running => {
        const child = spawn(
          process.execPath,
          ["--conditions=@loopbox/source", path.join(import.meta.dirname, "deliveryChild.ts"), given],
          { stdio: ["ignore", "pipe", "inherit"] }
        )
        return { child, begun: once(child.stdout, "data") }
      }
      const running = [start(), start()]
      const stop = async ({ child }: Running) => {
        const exit = once(child, "exit")
        child.kill("SIGKILL")
        await exit
      }
      /** Kills the oldest once it has worked for a while, and something has come since the last one was killed. */
      const killNext = async (accepted: () => number) => {
        const [oldest] = running.splice(0, 1)
        running.push(start())
        if (oldest === undefined) return
        await oldest.begun
        const before = accepted()
        const until = performance.now() + idleMillis
        await sleep(lifeMillis)
        while (accepted() === before && performance.now() < until) await sleep(50)
        await stop(oldest)
      }
      return { killNext, stopAll: () => Promise.all(running.map(stop)) }
    }),
    ({ stopAll }) => Effect.promise(stopAll)
  )

const sealNew = (workspaceId: WorkspaceId) => (id: OutgoingEndpointId) =>
  CredentialVault.use((vault) =>
    vault.seal(
      { workspaceId, accountId: id },
      {
        accessToken: Redacted.make("whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"),
        refreshToken: Option.none(),
        expiresAt: Option.none()
      }
    )
  )

describe("Deliveries while their processes are killed", () => {
  it.live(
    "reach every endpoint that answers, ordered ones in order, whatever others do",
    () =>
      Effect.gen(function* () {
        const target = yield* testDatabase()
        const all = new Map<string, Receiver>()
        const { port } = yield* listen(all)
        yield* Effect.gen(function* () {
          const log = yield* InboxEvents
          const random = yield* SecureRandom.SecureRandom
          const vaults = yield* Effect.context<CredentialVault>()
          /** Workspaces with endpoints of these kinds. */
          const addWorkspaces = Effect.fnUntraced(function* (kinds: ReadonlyArray<Kind>) {
            const workspaces = yield* Effect.replicateEffect(
              Effect.map(makeInboxWorkspace(), ({ id }) => id),
              workspaceCount
            )
            for (const workspaceId of workspaces) {
              for (const [n, kind] of kinds.entries()) {
                const name = `/${workspaceId}/${n}`
                all.set(name, newReceiver(name, kind))
                const url = kind === "dead" ? "http://127.0.0.1:1/" : `http://127.0.0.1:${port}${name}`
                const seal = (id: OutgoingEndpointId) => Effect.provideContext(sealNew(workspaceId)(id), vaults)
                const settings = { url, isOrdered: kind === "ordered", events: Option.some([happens]) }
                yield* addEndpoint(workspaceId, yield* DateTime.now, settings, seal)
              }
            }
            return workspaces
          })
          const publish = Effect.fnUntraced(function* (workspaceId: WorkspaceId, places: ReadonlyArray<number>) {
            const some: Array<InboxEvent> = []
            for (const newItems of places) {
              some.push({
                _tag: "SyncCompleted",
                externalUserId: Option.none(),
                syncId: yield* nextSyncId(random),
                newItems
              })
            }
            yield* log.publish(workspaceId, some, yield* DateTime.now)
          })
          /** Publishes at a steady pace, and answers how long the healthy ones of these workspaces waited for each event. */
          const waits = Effect.fnUntraced(function* (workspaces: ReadonlyArray<WorkspaceId>) {
            const healthy = Array.from(all.values()).filter(
              (one) => isHealthy(one) && workspaces.some((id) => one.name.startsWith(`/${id}/`))
            )
            const publishedAt: Array<number> = []
            const came = (count: number) =>
              Effect.sleep("20 millis").pipe(
                Effect.repeat({ while: () => healthy.some(({ acceptedAt }) => acceptedAt.size < count) })
              )
            // The first one waits for processes that start, and for what they look at for the first time.
            for (const workspaceId of workspaces) yield* publish(workspaceId, [0])
            yield* came(1)
            const began = performance.now()
            for (let place = 1; place < paced; place++) {
              const due = began + place * paceMillis
              yield* Effect.sleep(Math.max(0, due - performance.now()))
              publishedAt.push(performance.now())
              for (const workspaceId of workspaces) yield* publish(workspaceId, [place])
            }
            yield* came(paced)
            return percentiles(
              healthy.flatMap(({ acceptedAt }) =>
                publishedAt.map((published, place) => (acceptedAt.get(place + 1) ?? 0) - published)
              )
            )
          })
          const { killNext } = yield* makeWorkers(target)
          const without = yield* waits(yield* addWorkspaces(receivers.filter((kind) => isHealthy({ kind }))))
          const apart = Array.from(all.keys())
          const workspaces = yield* addWorkspaces(receivers)
          const beside = yield* waits(workspaces)
          for (const name of apart) all.delete(name)
          yield* Effect.log(
            `from being published to being accepted by a healthy endpoint: p50 ${without.p50.toFixed(0)} ms, ` +
              `p99 ${without.p99.toFixed(0)} ms alone; p50 ${beside.p50.toFixed(0)} ms, p99 ${beside.p99.toFixed(0)} ms ` +
              `beside dead, slow and failing ones: ${(beside.p99 / without.p99).toFixed(2)} times as long at p99`
          )
          const rounds = Math.ceil(events / together)
          const startedAt = performance.now()
          let killed = 0
          const accepted = () => Array.from(all.values()).reduce((sum, one) => sum + one.accepted.length, 0)
          const acceptedBefore = accepted()
          for (let round = 0; round < rounds; round++) {
            const count = Math.min(together, events - round * together)
            for (const workspaceId of workspaces) {
              yield* publish(
                workspaceId,
                Array.from({ length: count }, (_, n) => paced + round * together + n)
              )
            }
            // As many as are due by now: a short run has fewer rounds than kills.
            while (killed < Math.floor(((round + 1) * kills) / rounds)) {
              yield* Effect.promise(() => killNext(accepted))
              killed += 1
            }
          }
          const missing = () =>
            Array.from(all.values()).filter(
              ({ accepted, kind }) => kind !== "dead" && new Set(accepted).size < expected
            )
          /** How many of each kind's deliveries have come, to be read while a long run lasts. */
          const tell = Effect.suspend(() => {
            const came = Map.groupBy(all.values(), ({ kind }) => kind)
            const counts = Array.from(came, ([kind, some]) => {
              const count = some.reduce((sum, { accepted }) => sum + accepted.length, 0)
              return `${kind} ${count} of ${some.length * expected}`
            })
            return Effect.log(`after ${Math.round((performance.now() - startedAt) / 1_000)} s: ${counts.join(", ")}`)
          })
          yield* tell
          let [progress, looks] = [-1, 0]
          // Nobody can say how long a machine takes; but as long as nothing is lost there is progress. What failed a third
          // time, for a process was killed under it, is tried again after two minutes.
          for (let still = 0; still < 300 && missing().length > 0;) {
            yield* Effect.sleep("500 millis")
            if (++looks % 20 === 0) yield* tell
            const now = accepted()
            still = now === progress ? still + 1 : 0
            progress = now
          }
          assert.strictEqual(killed, kills)
          assert.deepStrictEqual(
            missing().map(({ accepted, kind }) => [kind, new Set(accepted).size]),
            []
          )
          const living = Array.from(all.values()).filter(({ kind }) => kind !== "dead")
          const twiceOf = (some: ReadonlyArray<Receiver>) =>
            some.reduce((sum, { accepted }) => sum + accepted.length - new Set(accepted).size, 0)
          const healthy = living.filter(isHealthy)
          const share = twiceOf(healthy) / (healthy.length * expected)
          const seconds = (performance.now() - startedAt) / 1_000
          yield* Effect.log(
            `${Math.round((accepted() - acceptedBefore) / seconds)} deliveries a second were accepted in ${Math.round(seconds)} s of load`
          )
          yield* Effect.log(
            `${expected * workspaceCount} events to ${all.size} endpoints with ${killed} kills: ` +
              `${twiceOf(healthy)} of ${healthy.length * expected} twice (${(share * 100).toFixed(3)} %) to healthy ones, ` +
              `${twiceOf(living)} of ${living.length * expected} to all that live`
          )
          // What a killed process had in hand: at most 24 of an endpoint, and of an ordered one a single delivery.
          assert.isAtMost(twiceOf(living), killed * living.length * 24)
          const ordered = living.filter(({ kind }) => kind === "ordered")
          assert.isAtMost(twiceOf(ordered), killed * ordered.length)
          // As many are in hand at each kill, however many there are in all.
          if (total >= 1_000_000) assert.isBelow(share, 0.001)
          for (const { accepted } of ordered) {
            assert.deepStrictEqual(
              accepted,
              accepted.toSorted((a, b) => a - b)
            )
          }
        }).pipe(
          Effect.provide([
            PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks)),
            PgCredentialVault.layer(vaultKey).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
          ])
        )
      }).pipe(Effect.scoped),
    300_000 + total * 120
  )
})
