import { Clock, type Duration, Effect, Layer, Scope } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import * as DeliveryWorker from "@loopbox/core/outgoing/DeliveryWorker"
import { OutgoingQueue } from "@loopbox/core/outgoing/OutgoingQueue"
import { WebhookSender } from "@loopbox/core/outgoing/WebhookSender"
import * as ThreadKeeper from "@loopbox/core/threads/ThreadKeeper"
import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import type { Chance } from "../Chance.ts"
import { makeProcesses } from "../processes.ts"
import type { Process } from "../ReplyTown.ts"
import { makeLossy } from "../Weather.ts"
import type { Causes } from "./Causes.ts"
import type { ReceiverTown } from "./Receivers.ts"

/** The ports as a process has them: now and then they fail, and once it is killed, nothing passes in either direction. */
const portsOf = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  causes: Causes,
  { switchedOffBefore }: Pick<ReceiverTown, "switchedOffBefore">
) {
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const threads = yield* ThreadStore
  const lossy = makeLossy(chance, weather, 14)
  return ({ pass }: Process) => {
    const through = <A, E>(call: Effect.Effect<A, E>) => pass(lossy(call))
    // What was answered and could not be written is sent again.
    const written = <A, E>(call: Effect.Effect<A, E>) =>
      Effect.tapError(through(call), () => Effect.map(Clock.currentTimeMillis, (at) => causes.note(at)))
    const sending: typeof queue = {
      ...queue,
      lagging: (...of) => through(queue.lagging(...of)),
      listening: (id) => through(queue.listening(id)),
      append: (...of) => through(switchedOffBefore(queue.append(...of))),
      claim: (request) => through(queue.claim(request)),
      next: (...of) => through(queue.next(...of)),
      renew: (...of) => through(queue.renew(...of)),
      release: (...of) => through(queue.release(...of)),
      settle: (...of) => written(queue.settle(...of)),
      succeed: (...of) => written(queue.succeed(...of)),
      cancel: (...of) => written(queue.cancel(...of))
    }
    return Layer.mergeAll(
      Layer.succeed(OutgoingQueue, sending),
      Layer.succeed(WebhookSender, { ...sender, send: (message) => pass(sender.send(message)) }),
      Layer.succeed(ThreadStore, { ...threads, wakeDue: (...of) => through(threads.wakeDue(...of)) })
    )
  }
})

/** How often a process looks for what is due to be sent. */
const usual = "5 seconds"

/** Processes that send webhooks and end snoozes; some die without a word, some sleep. */
export const makeSending = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  causes: Causes,
  receivers: ReceiverTown
) {
  const ports = yield* portsOf(chance, weather, causes, receivers)
  const context = yield* Effect.context<
    InboxEvents | Workspaces | SocialAccounts | ConversionStore | OverlayStore | CredentialVault | SecureRandom
  >()
  const start = Effect.fnUntraced(function* (process: Process, pollEvery: Duration.Input) {
    const workers = Layer.mergeAll(
      DeliveryWorker.layer({ pollEvery }),
      ThreadKeeper.layer({ every: pollEvery === usual ? "7 seconds" : pollEvery })
    )
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(Layer.provide(workers, ports(process)), scope).pipe(Effect.provideContext(context))
  })
  const { crash, goOnAlone, kill, processes } = yield* makeProcesses(chance, usual, start)
  /** What a process had in hand when it was killed is sent again. */
  const noted = <A, E, R>(killing: Effect.Effect<A, E, R>) =>
    Effect.andThen(
      Effect.map(Clock.currentTimeMillis, (now) => causes.note(now)),
      killing
    )
  /** A machine sleeps, and goes on later as if nothing had been; its clock has jumped. */
  const sleep = Effect.gen(function* () {
    const asleep = processes[chance.below(processes.length)]
    const [now, lasts_ms] = [yield* Clock.currentTimeMillis, 1_000 + chance.below(60_000)]
    // Until it has found out that others have its work.
    causes.note(now, now + lasts_ms + 10_000)
    asleep?.pause()
    chance.note("a machine sleeps")
    const wake = Effect.sync(() => asleep?.resume())
    yield* Effect.forkScoped(Effect.delay(wake, lasts_ms))
  })
  const step = Effect.suspend(() => (chance.isOneIn(2) ? noted(crash) : sleep))
  return { step, kill, goOnAlone: (rarely: Duration.Input) => noted(goOnAlone(rarely)) }
})
