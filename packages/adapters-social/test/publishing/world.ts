/** The connectors of all networks at the simulated ones, on a socket of this machine. */
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { connectorTo, Connectors } from "@loopbox/core/networks/Connectors"
import type { Network } from "../../src/names.ts"
import { networks } from "../../src/names.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { accounts, secrets } from "../sandbox/sandboxed.ts"
import { fileHost } from "../sandbox/publishing/files.ts"
import { served } from "../sandbox/served.ts"
import { publishOf } from "./driving.ts"

export const publishingWorld = Effect.fnUntraced(function* () {
  const one = yield* served({ answerFile: fileHost() })
  const baseUrls = Object.fromEntries(networks.map((network) => [network, `${one.url}/${network}`]))
  const layer = SocialConnectors.layer({ baseUrls, metaAppSecrets: [secrets.meta] })
  const context = yield* Layer.build(layer.pipe(Layer.provide(FetchHttpClient.layer)))
  const connectors = yield* Effect.provideContext(Effect.service(Connectors), context)
  const connectorOf = (network: Network) => connectorTo(connectors, network)
  const of = (network: Network) => publishOf(connectorOf(network))
  // Long after the standing posts.
  yield* TestClock.adjust("1 hour")
  return { ...one, of, connectorOf }
})

export const accessOf = (network: Network): AccountAccess => {
  const account = accounts.find((one) => one.network === network)
  return account === undefined
    ? assert.fail("no such account")
    : {
        networkAccountId: account.accountId,
        otherAccountId: Option.none(),
        login: Option.none(),
        throughAccountId: Option.none(),
        username: Option.some(account.username),
        accessToken: account.accessToken
      }
}
