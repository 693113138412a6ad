import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Connectors } from "@loopbox/core/networks/Connectors"
import { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Feature } from "@loopbox/core/networks/Feature"
import type { CodeExchange, ConnectCandidate, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as FakeConnector from "./FakeConnector.ts"

/** The dialogs and token endpoints of the fake networks: what they answer, and what they were asked. */
export class FakeDialogs extends Context.Service<
  FakeDialogs,
  {
    /** Answers the exchange of a code. */
    answer: (exchange: CodeExchange) => Effect.Effect<ReadonlyArray<ConnectCandidate>, ConnectFailed>
    /** Every exchange that was tried, with its code. */
    readonly exchanged: Array<string>
    /** The network's ids of the accounts whose permission was taken back. */
    readonly revoked: Array<string>
    /** The last request for a dialog was one to connect an account again. */
    wasReconnect: boolean
    missingSettings: ReadonlyArray<string>
  }
>()("@loopbox/testing/fakes/FakeDialogs") {}

/** What the fake networks ask for. */
const permissionsFor = (features: ReadonlyArray<Feature>) => features.map((feature) => `may_${feature}`)

/** An account that a person may connect: everything is granted. */
export const candidate = (networkAccountId: string, change: Partial<ConnectCandidate> = {}): ConnectCandidate => ({
  networkAccountId,
  otherAccountId: Option.some(`other ${networkAccountId}`),
  throughAccountId: Option.none(),
  name: `Page ${networkAccountId}`,
  username: Option.none(),
  avatarUrl: Option.none(),
  personIds: ["person"],
  permissions: permissionsFor(["inbox", "publish", "moderate"]),
  token: Option.some({
    accessToken: Redacted.make(`token of ${networkAccountId}`),
    refreshToken: Option.none(),
    expiresAt: Option.none()
  }),
  hindrance: Option.none(),
  ...change
})

/** A refusal of the code. */
export const connectFailed = (reason: ConnectFailed["reason"]) =>
  new ConnectFailed({ network: "instagram", reason, networkCode: Option.some("100/36009"), detail: "as scripted" })

const makeConnect = (world: FakeDialogs["Service"], login: string, alwaysChooses: boolean): NetworkConnect => ({
  login,
  get missingSettings() {
    return world.missingSettings
  },
  alwaysChooses,
  permissionsFor,
  authorizeUrl: ({ isReconnect, redirectUri, state }) =>
    Effect.sync(() => {
      world.wasReconnect = isReconnect
      const query = new URLSearchParams({ redirect_uri: redirectUri, state: Redacted.value(state) })
      return Redacted.make(`https://${login}.example/dialog?${query.toString()}`)
    }),
  exchange: (exchange) =>
    Effect.suspend(() => {
      world.exchanged.push(Redacted.value(exchange.code))
      return world.answer(exchange)
    }),
  inspect: () => Effect.die(new Error("not scripted")),
  subscription: Option.none(),
  revoke: ({ networkAccountId }) => Effect.sync(() => void world.revoked.push(networkAccountId)),
  revokesPerson: false
})

/** Dialogs for scripted networks: `instagram` without, `facebook` with a page to choose. */
export const layerDialogs: Layer.Layer<Connectors | FakeDialogs, never, Connectors> = Layer.effect(
  Connectors,
  Effect.gen(function* () {
    const connectors = yield* Connectors
    const world = yield* FakeDialogs
    const { facebook, instagram, ...others } = connectors.byNetwork
    return Connectors.of({
      ...connectors,
      byNetwork: {
        ...others,
        ...(instagram && { instagram: { ...instagram, connect: [makeConnect(world, "instagram", false)] } }),
        ...(facebook && { facebook: { ...facebook, connect: [makeConnect(world, "facebook", true)] } })
      }
    })
  })
).pipe(
  Layer.provideMerge(
    Layer.sync(FakeDialogs, () =>
      FakeDialogs.of({
        answer: () => Effect.succeed([candidate("page")]),
        exchanged: [],
        revoked: [],
        wasReconnect: false,
        missingSettings: []
      })
    )
  )
)

/** Fake networks by which people connect accounts. */
export const layer: Layer.Layer<Connectors | FakeConnector.FakeNetworks | FakeDialogs> = layerDialogs.pipe(
  Layer.provideMerge(FakeConnector.layer)
)
