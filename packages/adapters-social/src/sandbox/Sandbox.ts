import type { Network } from "@loopbox/core/connectors/Source"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { HttpClient } from "effect/http/HttpClient"
import { makeDeliveries } from "./Deliveries.ts"
import type { Deliveries, DeliverySettings } from "./Deliveries.ts"
import type { Faults } from "./Faults.ts"
import { Reads } from "./Reads.ts"
import { webhookEvent } from "./webhookBodies.ts"
import { World } from "./World.ts"
import type { Happening, NewWriting, SandboxAccount, SandboxRefused } from "./World.ts"

/** What came of an action. */
export interface Done {
  /** The id that the network gave; of an edit on X the new one. */
  readonly id: string
  /** Whether the network tells of it by webhook. */
  readonly isTold: boolean
}

type Act<A> = (input: A, faults?: Faults) => Effect.Effect<Done, SandboxRefused>

/** Something that a person wrote, by its network and id. */
export interface Written {
  readonly network: Network
  readonly id: string
}

export interface SandboxSettings extends DeliverySettings {
  /** Makes the ids; another one for every start, or what happens later looks like what came before. */
  readonly seed: number
  readonly accounts: ReadonlyArray<SandboxAccount>
}

/**
 * The four networks, simulated: people do things, the networks tell by webhook and answer when they are asked
 * (`SandboxRoutes`). All of it is in memory and gone with the process.
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly world: World
    /** What the networks are asked, and how they fail at it. */
    readonly reads: Reads
    readonly connect: (account: SandboxAccount) => Effect.Effect<void>
    readonly comment: Act<NewWriting>
    readonly message: Act<NewWriting>
    readonly mention: Act<NewWriting>
    readonly edit: Act<Written & { readonly text: string }>
    readonly remove: Act<Written>
    readonly hide: Act<Written & { readonly isHidden: boolean }>
    readonly release: Deliveries["release"]
    readonly settled: Deliveries["settled"]
    readonly records: Deliveries["records"]
  }
>()("@loopbox/adapters-social/sandbox/Sandbox") {}

export const layer = (settings: SandboxSettings): Layer.Layer<Sandbox, never, HttpClient> =>
  Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const deliveries = yield* makeDeliveries(yield* HttpClient, settings)
      const world = new World(settings.seed)
      for (const account of settings.accounts) world.connect(account)

      const act = Effect.fnUntraced(function* (
        outcome: (at: DateTime.Utc) => Result.Result<Happening, SandboxRefused>,
        faults: Faults
      ) {
        const happening = yield* Effect.fromResult(outcome(yield* DateTime.now))
        const event = webhookEvent(happening)
        if (Option.isSome(event)) yield* deliveries.send(event.value, faults)
        return { id: happening.writing.id, isTold: Option.isSome(event) }
      })

      return Sandbox.of({
        world,
        reads: new Reads(),
        connect: (account) => Effect.sync(() => world.connect(account)),
        comment: (input, faults = {}) => act((at) => world.comment(input, at), faults),
        message: (input, faults = {}) => act((at) => world.message(input, at), faults),
        mention: (input, faults = {}) => act((at) => world.mention(input, at), faults),
        edit: ({ id, network, text }, faults = {}) => act((at) => world.edit(network, id, text, at), faults),
        remove: ({ id, network }, faults = {}) => act((at) => world.remove(network, id, at), faults),
        hide: ({ id, isHidden, network }, faults = {}) => act((at) => world.hide(network, id, isHidden, at), faults),
        release: deliveries.release,
        settled: deliveries.settled,
        records: deliveries.records
      })
    })
  )
