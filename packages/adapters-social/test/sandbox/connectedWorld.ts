/** The connectors over the simulated networks, on sockets of this machine. */
import { Connectors, connectorTo, normaliserOf } from "@loopbox/core/networks/Connectors"
import type { FeedPage } from "@loopbox/core/networks/Feed"
import type { InboundActivity } from "@loopbox/core/networks/InboundActivity"
import { networks } from "../../src/names.ts"
import type { Network } from "../../src/names.ts"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { ids, served } from "./served.ts"
import { accounts, secrets } from "./sandboxed.ts"

export const connectedWorld = Effect.fnUntraced(function* () {
  const served_ = yield* served()
  const baseUrls = Object.fromEntries(networks.map((network) => [network, `${served_.url}/${network}`]))
  served_.sandbox.api.changeSettings({ container_delay_ms: 0 })
  const context = yield* Layer.build(
    SocialConnectors.layer({ baseUrls, metaAppSecrets: [secrets.meta] }).pipe(Layer.provide(FetchHttpClient.layer))
  )
  const connectors = yield* Effect.provideContext(Effect.service(Connectors), context)
  const accessOf = (network: Network) => {
    const account = accounts.find((one) => one.network === network)
    assert.isDefined(account)
    return {
      networkAccountId: String(ids[network]),
      otherAccountId: Option.none(),
      login: Option.none(),
      throughAccountId: Option.none(),
      username: Option.fromUndefinedOr(account?.username),
      accessToken: account?.accessToken ?? secrets.x
    }
  }

  /** All that webhooks told, as the connectors read it. */
  const heard = Effect.map(served_.told, (bodies): ReadonlyArray<InboundActivity> =>
    bodies.flatMap((body) => {
      const text = JSON.stringify(body)
      const endpoint = text.includes('"topic"') ? "threads" : text.includes('"event_type"') ? "x" : "meta"
      const read = normaliserOf(
        connectors,
        endpoint
      )({
        body: new TextEncoder().encode(text),
        arrivedAt: DateTime.makeUnsafe(0)
      })
      assert.deepStrictEqual(read.unreadable, [])
      return read.activities
    })
  )

  /** All that a first poll reads. */
  const polled = Effect.fnUntraced(function* (network: Network) {
    const connector = connectorTo(connectors, network)
    const activities: Array<InboundActivity> = []
    for (const step of connector.pollSteps) {
      for (const feed of yield* connector.listFeeds(accessOf(network), step, DateTime.makeUnsafe(0))) {
        let cursor = Option.none<string>()
        do {
          const page: FeedPage = yield* connector.readFeed(accessOf(network), feed, {
            cursor,
            checkpoint: Option.none(),
            since: Option.none(),
            limit: Option.none()
          })
          assert.deepStrictEqual(page.unreadable, [])
          activities.push(...page.activities)
          cursor = page.next
        } while (Option.isSome(cursor))
      }
    }
    return activities
  })
  return { ...served_, connectors, accessOf, heard, polled }
})
