import { assert } from "@effect/vitest"
import { DateTime, type Duration, Effect, Fiber, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { Replies } from "@loopbox/core/replies/Replies"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type Chance, makeChance } from "./Chance.ts"
import { checkReplies, checkRepliesAtRest, checkRepliesOver } from "./replyInvariants.ts"
import { type Effected, makeReplyNetwork, type ReplyNetwork } from "./ReplyNetwork.ts"
import { makeProcesses } from "./processes.ts"
import { type AnsweredPlace, layerLossy, makeReplyTown, portsOf, type Process, type ReplyTown } from "./ReplyTown.ts"
import { checkLaws } from "./laws/checkLaws.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { eventHash } from "./eventHash.ts"
import { afresh } from "./Weather.ts"

const keys = ["k1", "k2", "k3", undefined]

/** What clients asked for, by item and key, and when. */
type Asked = Map<string, Array<DateTime.Utc>>

/** Answers to what nobody asked for: of a key that named another text before. */
type Violations = Array<string>

/** Somebody answers an item, and may hang up at any moment. */
const request = Effect.fnUntraced(function* (
  chance: Chance,
  caller: EntitledCaller,
  place: Pick<AnsweredPlace, "itemId" | "source">,
  asked: Asked,
  violations: Violations,
  n = chance.below(12)
) {
  // One key is for one text, but for the client that errs.
  const name = keys[n % keys.length] ?? (place.source === "x_reply" ? `x${n}` : undefined)
  const text = `Text ${chance.isOneIn(20) ? "of another" : n % 6}`
  const idempotencyKey = name === undefined ? Option.none() : Option.some(IdempotencyKey.make(`${name}-${n}`))
  const key = `${place.itemId} ${Option.getOrElse(idempotencyKey, () => text)}`
  asked.set(key, [...(asked.get(key) ?? []), yield* DateTime.now])
  const answered = Effect.map((yield* Replies).reply(caller, place.itemId, { text, idempotencyKey }), (outcome) => {
    if (outcome.operation.text !== text) violations.push(`${text} was asked for, and ${outcome.operation.id} answered`)
  })
  const client = yield* Effect.forkScoped(Effect.ignore(answered))
  if (chance.isOneIn(3)) {
    yield* Effect.forkScoped(Effect.delay(Fiber.interrupt(client), `${chance.below(5_000)} millis`))
  }
  return n
})

/** The networks tell of some of what they have, sooner or later. */
const echo = Effect.fnUntraced(function* (chance: Chance, network: ReplyNetwork, told: Set<Effected>) {
  const effect = chance.pick(network.effects.filter((one) => !told.has(one)))
  if (effect === undefined) return
  told.add(effect)
  const ingest = (yield* Ingest).ingest({ activities: [effect.post], deliveryIds: [], isLastTry: true })
  // Where the store is away, the network tells it again.
  yield* Effect.retry(ingest, { times: 20 })
})

/** What happens where people answer: requests, crashes, machines that sleep, networks that tell of what they have. */
export const makeReplying = Effect.fnUntraced(function* (
  chance: Chance,
  town: ReplyTown,
  network: ReplyNetwork,
  pollEvery: Duration.Input = "4 seconds"
) {
  const asked: Asked = new Map()
  const violations: Violations = []
  const told = new Set<Effected>()
  const store = yield* OutboundStore
  const items = yield* IngestStore
  const connectors = yield* Connectors
  const context = yield* Effect.context<AccountTokens | Ingest | SecureRandom>()
  // A process that was killed is never closed: its fibers stand still for ever.
  const start = Effect.fnUntraced(function* (process: Process, pollEvery: Duration.Input) {
    const worker = ReplyWorker.layer({ pollEvery }).pipe(Layer.provide(portsOf(process, store, items, connectors)))
    yield* Layer.buildWithScope(worker, yield* Scope.make()).pipe(Effect.provideContext(context))
  })
  const { crash, goOnAlone, kill, processes } = yield* makeProcesses(chance, pollEvery, start)
  // One machine, or all of them, and then for long.
  const sleep = Effect.gen(function* () {
    chance.note("a machine sleeps")
    if (chance.isOneIn(2)) {
      // In the middle of something, if one does anything soon.
      for (const process of processes) process.arrangeDoze((30 + chance.below(120)) * 1_000)
      const wake = Effect.sync(() => processes.forEach((process) => process.arrangeDoze(undefined)))
      return yield* Effect.forkScoped(Effect.delay(wake, "40 seconds"))
    }
    const isAll = chance.isOneIn(2)
    const asleep = isAll ? [...processes] : processes.slice(0, 1)
    for (const process of asleep) process.pause()
    yield* Effect.forkScoped(
      Effect.delay(
        Effect.sync(() => asleep.forEach((process) => process.resume())),
        `${(isAll ? 60 : 0) + chance.below(120)} seconds`
      )
    )
  })
  const step = Effect.gen(function* () {
    const choice = chance.below(8)
    const place = choice < 4 ? chance.pick(town.places) : undefined
    if (place !== undefined) {
      const n = yield* request(chance, town.caller, place, asked, violations)
      // The same words once more, under another key: two posts that look alike.
      if (chance.isOneIn(3)) yield* request(chance, town.caller, place, asked, violations, (n + 6) % 12)
    }
    if (choice === 4) yield* crash
    if (choice === 5) yield* echo(chance, network, told)
    if (choice === 7 && chance.isOneIn(2)) yield* sleep
    if (choice === 6 && chance.isOneIn(6)) {
      chance.note("the clock jumps")
      yield* TestClock.adjust(`${chance.below(10)} minutes`)
    }
    if (chance.isOneIn(2)) yield* TestClock.adjust(`${chance.below(9_000)} millis`)
  })
  const echoLate = Effect.gen(function* () {
    while (network.effects.length > told.size && chance.isOneIn(2)) yield* echo(chance, network, told)
  })
  /** Somebody answers an item of another place. */
  const ask = (caller: EntitledCaller, place: Pick<AnsweredPlace, "itemId" | "source">) =>
    request(chance, caller, place, asked, violations)
  const checkAnswered = Effect.sync(() => assert.isEmpty(violations, violations.slice(0, 5).join("; ")))
  const check = Effect.all([checkLaws, checkAnswered, checkReplies(network, asked)], { discard: true })
  return { step, ask, echoLate, check, goOnAlone, kill }
})

/** Plays one seed: clients, crashes and faults for a while, then calm until every deadline has passed. */
export const simulateReplies = (seed: number, plant: Plant<InboxPorts> = Layer.empty) => {
  const chance = makeChance(seed)
  const weather = { isFair: false }
  return Effect.gen(function* () {
    const town = yield* makeReplyTown(yield* makeWorkspace("growth"))
    const network = makeReplyNetwork(chance, weather)
    ;(yield* FakeNetworks).script = network.script
    const { check, echoLate, goOnAlone, kill, step } = yield* makeReplying(chance, town, network)
    for (let n = 0; n < 70; n++) {
      yield* step
      if (n % 10 === 0) yield* check
    }
    weather.isFair = true
    yield* TestClock.adjust("2 minutes")
    yield* echoLate
    // Whom the echoes woke has a turn first. Its next pause would begin after the 8 minutes otherwise, without a look in between.
    yield* TestClock.adjust("1 second")
    for (let n = 0; n < 4; n++) {
      yield* TestClock.adjust("8 minutes")
      yield* check
    }
    const ends = yield* checkRepliesAtRest(town, network)
    yield* goOnAlone("90 minutes")
    yield* TestClock.adjust("26 hours")
    yield* checkRepliesOver
    yield* checkLaws
    kill()
    return { ends, hash: yield* eventHash }
  }).pipe(Effect.scoped, Effect.provide(layerLossy(chance, weather, plant)), Effect.provide(TestClock.layer()), afresh)
}
