import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type ReadFailed, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { Redact } from "@loopbox/core/kernel/Redact"
import { Connectors } from "@loopbox/core/networks/Connectors"
import type { PollStep } from "@loopbox/core/networks/PollStep"
import {
  type InboundActivity,
  type NormalisedDelivery,
  type Person,
  unknownPerson
} from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { NetworkModerate } from "@loopbox/core/networks/moderating/NetworkModerate"
import type {
  NetworkReads,
  NetworkWrites,
  SocialConnector,
  UnsettledThread
} from "@loopbox/core/networks/SocialConnector"
import type { Network } from "@loopbox/core/networks/Source"
import type { NetworkPublish } from "@loopbox/core/networks/publishing/NetworkPublish"
import { fakePublish } from "./FakePublish.ts"

/** The data and scripts of the fake networks, and the calls they received. */
export class FakeNetworks extends Context.Service<
  FakeNetworks,
  {
    /** Names by id; other people are unknown. */
    readonly people: Map<string, string>
    /** Thread keys by the external id of an item; other threads are gone. */
    readonly threads: Map<string, string>
    /** While set, look-ups of people and threads fail with it. */
    failure: ReadFailed | undefined
    /** The other calls, by name. Without a script there is nothing to read, and sending fails. */
    /** How posts are published. Without a script publishing fails. */
    publish: Partial<NetworkPublish>
    script: Partial<NetworkReads & NetworkWrites & NetworkModerate>
    readonly asked: Array<
      | { readonly call: "findPerson"; readonly access: AccountAccess; readonly personId: string }
      | { readonly call: "findThreadKey"; readonly access: AccountAccess; readonly thread: UnsettledThread }
    >
    /** Makes a body that the fake `normalise` parses into this. */
    readonly toBody: (
      activities: ReadonlyArray<InboundActivity>,
      more?: Partial<Omit<NormalisedDelivery, "activities">>
    ) => Uint8Array
    /** The parsed body; a body that was not made by `toBody` is unreadable. */
    readonly normalise: (body: Uint8Array) => NormalisedDelivery
  }
>()("@loopbox/testing/fakes/FakeNetworks") {
  static readonly layer: Layer.Layer<FakeNetworks> = Layer.sync(FakeNetworks, () => {
    const bodies: Array<NormalisedDelivery> = []
    return FakeNetworks.of({
      people: new Map(),
      threads: new Map(),
      failure: undefined,
      script: {},
      publish: {},
      asked: [],
      toBody: (activities, more = {}) => {
        bodies.push({ activities, ignored: new Map(), unreadable: [], ...more })
        return new TextEncoder().encode(String(bodies.length - 1))
      },
      normalise: (body) =>
        bodies[Number(new TextDecoder().decode(body))] ?? {
          activities: [],
          ignored: new Map(),
          unreadable: [{ path: "", reason: "not a fake body" }]
        }
    })
  })
}

const answer = <A>({ failure }: FakeNetworks["Service"], value: Effect.Effect<A, ReadFailed>) =>
  failure === undefined ? value : Effect.fail(failure)

const stepsOf: Record<Network, ReadonlyArray<PollStep>> = {
  instagram: ["comments", "messages"],
  facebook: ["comments", "messages"],
  threads: ["replies"],
  x: ["mentions"]
}

/** Uses the script at the time of each call. */
const scripted = (world: FakeNetworks["Service"], network: Network) => {
  const unscripted = new Unavailable({ network, networkCode: Option.none(), detail: "not scripted", reason: "source" })
  return {
    identify: (access) => world.script.identify?.(access) ?? Effect.fail(unscripted),
    listFeeds: (access, step, since) => world.script.listFeeds?.(access, step, since) ?? Effect.succeed([]),
    readFeed: (access, feed, request) => world.script.readFeed?.(access, feed, request) ?? Effect.fail(unscripted),
    isThere: (access, source, id) => world.script.isThere?.(access, source, id) ?? Effect.fail(unscripted),
    findMediaContext: (access, source, id) =>
      world.script.findMediaContext?.(access, source, id) ?? Effect.fail(unscripted),
    measure: (source, text) =>
      world.script.measure?.(source, text) ?? { length: Array.from(text).length, limit: 1_000 },
    prepareReply: (access, reply) => world.script.prepareReply?.(access, reply) ?? Effect.succeedNone,
    sendReply: (access, reply, preparation) =>
      world.script.sendReply?.(access, reply, preparation) ?? Effect.fail(unscripted),
    findReply: (access, uncertain) => world.script.findReply?.(access, uncertain) ?? Effect.fail(unscripted),
    moderate: {
      act: (access, item, moderation) => world.script.act?.(access, item, moderation) ?? Effect.fail(unscripted),
      replyPrivately: (access, reply) => world.script.replyPrivately?.(access, reply) ?? Effect.fail(unscripted)
    },
    refreshToken: (access, token) => world.script.refreshToken?.(access, token) ?? Effect.succeedNone
  } satisfies Partial<SocialConnector>
}

const makeConnector = (world: FakeNetworks["Service"], network: Network): SocialConnector => ({
  network,
  pollSteps: stepsOf[network] ?? [],
  publish: fakePublish(network, () => world.publish),
  ...scripted(world, network),
  findPerson: (access, _source, personId) =>
    Effect.suspend(() => {
      world.asked.push({ call: "findPerson", access, personId })
      const name = Option.fromUndefinedOr(world.people.get(personId))
      const person = Option.map(name, (known): Person => ({
        ...unknownPerson,
        id: Option.some(personId),
        name: Option.some(known),
        username: Option.some(known)
      }))
      return answer(world, Effect.succeed(person))
    }),
  findThreadKey: (access, thread) =>
    Effect.suspend(() => {
      world.asked.push({ call: "findThreadKey", access, thread })
      const key = world.threads.get(thread.externalId)
      const gone = new Rejected({ network, networkCode: Option.none(), detail: "as scripted", reason: "gone" })
      return answer(world, key === undefined ? Effect.fail(gone) : Effect.succeed(key))
    })
})

/** Scripted networks, controlled by `FakeNetworks`. */
export const layer: Layer.Layer<Connectors | FakeNetworks> = Layer.effect(
  Connectors,
  Effect.map(FakeNetworks, (world) => {
    const normalise = ({ body }: { readonly body: Uint8Array }) => world.normalise(body)
    return Connectors.of({
      normalise: { meta: normalise, threads: normalise, x: normalise },
      redact: Option.some<Redact>(({ body }, { accountId }) => {
        const { activities, ...rest } = world.normalise(body)
        const others = activities.filter(
          ({ route }) => Option.getOrNull(route.accountId) !== Option.getOrNull(accountId)
        )
        return others.length === 0 ? Option.none() : Option.some(world.toBody(others, rest))
      }),
      byNetwork: {
        instagram: makeConnector(world, "instagram"),
        facebook: makeConnector(world, "facebook"),
        threads: makeConnector(world, "threads"),
        x: makeConnector(world, "x")
      }
    })
  })
).pipe(Layer.provideMerge(FakeNetworks.layer))
