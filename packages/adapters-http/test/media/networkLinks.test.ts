import { assert, describe, layer } from "@effect/vitest"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { MediaLinks } from "@loopbox/core/media/MediaLinks"
import { MediaLinks as SignedLinks } from "@loopbox/adapters-http/server/media/linkSigning"
import * as NetworkLinks from "@loopbox/adapters-http/server/media/NetworkLinks"
import { Signer } from "@loopbox/adapters-http/server/media/Signer"
import { HttpSettings } from "@loopbox/adapters-http/server/system/HttpSettings"
import { DateTime, Effect, Layer } from "effect"
import { Mac } from "effect/crypto"
import { baseUrl, call, gif, makeWorkspace, server, signingKey, uploadGif } from "../support.ts"

const links = Layer.unwrap(
  Effect.map(baseUrl, (publicUrl) =>
    NetworkLinks.layer((network) => network === "threads").pipe(
      Layer.provide(SignedLinks.layer),
      Layer.provide(Signer.layer),
      Layer.provide(HttpSettings.layer({ publicUrl, signingKey })),
      Layer.provide(Mac.layerWebCrypto)
    )
  )
).pipe(Layer.provideMerge(server))

const crawler = { "user-agent": "facebookexternalhit/1.1" }

describe("the address of a file for networks (api-2-decided A43)", () => {
  layer(links, { excludeTestServices: true })((it) => {
    const linked = Effect.gen(function* () {
      const { key, workspace } = yield* makeWorkspace()
      const media = yield* (yield* MediaLibrary).find(workspace.id, yield* uploadGif(key))
      if (media._tag === "PendingMedia") return yield* Effect.die(new Error("pending"))
      return yield* (yield* MediaLinks).linkTo(media)
    })

    it.effect("is valid for 24 hours", () =>
      Effect.gen(function* () {
        const expires = Number(new URL(yield* linked).searchParams.get("expires"))
        const left = expires - DateTime.toEpochMillis(yield* DateTime.now)
        assert.isAtMost(left, 86_400_000)
        assert.isAbove(left, 86_400_000 - 60_000)
      })
    )

    it.effect("answers HEAD, GET and ranges to a network's crawler, without cookies, redirects or a login", () =>
      Effect.gen(function* () {
        const url = yield* linked
        const head = yield* call("HEAD", url, { headers: crawler })
        assert.deepStrictEqual(
          [head.status, head.headers.get("content-length"), head.headers.get("content-type"), head.text],
          [200, String(gif.length), "image/gif", ""]
        )
        const whole = yield* call("GET", url, { headers: crawler })
        assert.deepStrictEqual([whole.status, whole.headers.get("content-length")], [200, String(gif.length)])
        assert.isNull(whole.headers.get("set-cookie"))
        const part = yield* call("GET", url, { headers: { ...crawler, range: "bytes=0-5" } })
        assert.deepStrictEqual(
          [part.status, part.text, part.headers.get("content-range")],
          [206, "GIF89a", `bytes 0-5/${gif.length}`]
        )
        const past = yield* call("GET", url, { headers: { ...crawler, range: `bytes=${gif.length}-` } })
        assert.deepStrictEqual([past.status, past.headers.get("content-range")], [416, `bytes */${gif.length}`])
        assert.strictEqual((yield* call("GET", `${url}x`, { headers: crawler })).status, 401)
      })
    )

    it.effect("says which networks reach it, as the host knows", () =>
      Effect.map(MediaLinks, ({ isReachableBy }) =>
        assert.deepStrictEqual([isReachableBy("threads"), isReachableBy("instagram")], [true, false])
      )
    )
  })
})
