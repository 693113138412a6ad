import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Sandbox, SandboxRoutes } from "@loopbox/adapters-social"
import { type Network, networks } from "@loopbox/adapters-social/names"
import type { Writing } from "@loopbox/adapters-social/sandbox/Writing"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { FetchHttpClient, HttpMiddleware, HttpRouter, HttpServer } from "effect/http"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"

/** Where networks reach the product, whichever of its hosts is up: no address of a loopback, which live networks refuse. */
export const publicUrl = "http://product.example"

const account = (nth: number, network: Network, isSubscribed: boolean) => ({
  network,
  accountId: `10000000000000${nth}`,
  name: `Shop ${nth}`,
  username: `shop_${nth}`,
  accessToken: Redacted.make(`token-of-${network}-${nth}`),
  isSubscribed
})
export type Account = ReturnType<typeof account>

/** The accounts of the first customer: one of each network, and one without webhooks, of which only polls tell. */
export const accountsOfOne = [
  ...networks.map((network, nth) => account(nth, network, true)),
  account(4, "facebook", false)
]

/** The accounts of another customer, on two of the same networks. */
export const accountsOfOther = [account(5, "facebook", true), account(6, "threads", false)]

/** The accounts that the product has connected. */
export const accounts = [...accountsOfOne, ...accountsOfOther]

/** How people name themselves to be heard by X, wherever they write. */
export const handle = "@shop_3"

export interface Networks {
  readonly url: string
  /** What signs all that they tell. */
  readonly secret: string
  readonly sandbox: Sandbox.Sandbox["Service"]
  /** All that was written to the accounts or by them; posts are no items. */
  readonly writings: () => ReadonlyArray<Writing>
  /** Until the product has taken all that it is told. */
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A network tries again for as long as no host takes an event; what it drops would be lost, and was never taken. */
const retryAfter = Array.from({ length: 1_000 }, () => 300)

/**
 * The four networks in this process, so that they outlive every host. What they tell goes to the hosts in turn, and what
 * they load comes from them.
 */
export const startNetworks = async (seed: number, hostUrls: () => ReadonlyArray<string>): Promise<Networks> => {
  const secret = Redacted.make(randomBytes(24).toString("hex"))
  let turn = 0
  const throughBalancer: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const urls = hostUrls()
    turn += 1
    const url = request.url.replace(publicUrl, urls[turn % urls.length] ?? "")
    return fetch(new Request(url, request))
  }
  const scope = Effect.runSync(Scope.make())
  const layer = Layer.fresh(
    HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret: secret }), { disableLogger: true, disableListenLog: true })
  ).pipe(
    Layer.provideMerge(
      Sandbox.layer({
        seed,
        accounts,
        secrets: { meta: secret, threads: secret, x: secret },
        webhookUrl: Effect.succeed(`${publicUrl}/v1/webhooks`),
        retryAfter
      })
    ),
    Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.Fetch, throughBalancer)),
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const sandbox = Context.get(context, Sandbox.Sandbox)
  const { address } = Context.get(context, HttpServer.HttpServer)
  const url = `http://localhost:${"port" in address ? address.port : 0}`
  sandbox.api.changeSettings({ instagram_posts: 10_000, meta_calls: 1_000_000, container_delay_ms: 200 })
  const writings = (): ReadonlyArray<Writing> => accounts.flatMap((account) => [...sandbox.world.ofAccount(account)])
  return {
    url,
    secret: Redacted.value(secret),
    sandbox,
    writings,
    settled: () => Effect.runPromise(sandbox.settled),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
