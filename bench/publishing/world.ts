import { ImageSizes } from "@loopbox/adapters-blobs"
import * as MemoryBlobStore from "@loopbox/adapters-memory/MemoryBlobStore"
import * as MemoryCredentialVault from "@loopbox/adapters-memory/MemoryCredentialVault"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Sandbox, SandboxRoutes, SocialConnectors } from "@loopbox/adapters-social"
import { networks } from "@loopbox/adapters-social/names"
import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { MediaLinks } from "@loopbox/core/media/MediaLinks"
import { Posts } from "@loopbox/core/posts/Posts"
import * as PublishWorker from "@loopbox/core/publishing/PublishWorker"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Redacted } from "effect"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"

const metaAppSecret = Redacted.make("a secret of the benchmark")

/** The sandbox behind a socket of its own; its webhooks go nowhere. */
const layerSandbox = HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret }), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provideMerge(
    Sandbox.layer({
      seed: 1,
      accounts: [],
      secrets: { meta: metaAppSecret, threads: metaAppSecret, x: metaAppSecret },
      webhookUrl: Effect.succeed("http://127.0.0.1:9")
    })
  ),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.provide(FetchHttpClient.layer)
)

const layerConnectors = Layer.unwrap(
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
    const baseUrls = Object.fromEntries(networks.map((network) => [network, `${url}/${network}`]))
    return SocialConnectors.layer({ baseUrls, metaAppSecrets: [metaAppSecret] }).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
  })
)

/** Files by their names, at an address of this machine. */
const layerLinks = (filesUrl: string) =>
  Layer.succeed(
    MediaLinks,
    MediaLinks.of({
      linkTo: ({ filename }) => Effect.succeed(`${filesUrl}/${Option.getOrElse(filename, () => "")}`),
      isReachableBy: () => true
    })
  )

/** Posts, the worker that publishes them as a host's does, and the four networks; nothing else asks these anything. */
export const layerWorld = (folder: string, filesUrl: string) =>
  PublishWorker.layer().pipe(
    Layer.provideMerge(Posts.layer),
    Layer.provideMerge(MediaLibrary.layer.pipe(Layer.provide(ImageSizes.layer))),
    Layer.provideMerge(AccountTokens.layer),
    Layer.provideMerge(layerConnectors),
    Layer.provideMerge(layerSandbox),
    Layer.provideMerge(layerLinks(filesUrl)),
    Layer.provideMerge(PgAdapters.layerEmbedded({ folder })),
    Layer.provideMerge(Layer.mergeAll(MemoryCredentialVault.layer, MemoryBlobStore.layer)),
    Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto)),
    Layer.provideMerge(NodeServices.layer),
    Layer.provideMerge(SocialNetworks.layer)
  )
