import { layerMac } from "@loopbox/adapters-http/node/nodeMac"
import { MediaLinks } from "@loopbox/adapters-http/server/media/linkSigning"
import { Signer } from "@loopbox/adapters-http/server/media/Signer"
import { HttpSettings } from "@loopbox/adapters-http/server/system/HttpSettings"
import type { Media, ReadyMedia } from "@loopbox/core/media/Media"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { HostConfig } from "./hostConfig.ts"
import { readSecretKeys } from "./hostSecrets.ts"
import type { LinkedFile } from "./publicAddress.ts"
import { signingKeys } from "@loopbox/embedded/presets/signingKeys"

/** A proxy that ignores ranges sends all of it. */
const mostBytes = 20 * 1024 * 1024

const firstPage = { limit: 100, after: Option.none() }

const isSmall = (media: Media): media is ReadyMedia => media._tag === "ReadyMedia" && media.sizeBytes <= mostBytes

const findFile = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const store = yield* MediaStore
  for (const { id } of (yield* workspaces.list(firstPage)).items) {
    const found = (yield* store.list(id, firstPage)).items.find(isSmall)
    if (found !== undefined) return Option.some(found)
  }
  return Option.none()
})

/** A file of any workspace with a link as networks get it, good for some minutes; none where there is no file. */
export const findLinkedFile = (config: HostConfig) =>
  Effect.fnUntraced(function* (publicUrl: string) {
    const keys = yield* readSecretKeys(config)
    const media = yield* findFile
    if (Option.isNone(keys) || Option.isNone(media)) return Option.none<LinkedFile>()
    const { contentType, id, sizeBytes } = media.value
    const { olderSigningKeys, signingKey } = yield* signingKeys(keys.value)
    const sign = Effect.flatMap(Effect.all([MediaLinks, DateTime.now]), ([links, now]) =>
      links.sign("download", id, DateTime.add(now, { minutes: 5 }))
    )
    const url = yield* Effect.provide(
      sign,
      MediaLinks.layer.pipe(
        Layer.provide(Signer.layer),
        Layer.provide(HttpSettings.layer({ publicUrl, signingKey, olderSigningKeys })),
        Layer.provide(layerMac)
      )
    )
    return Option.some<LinkedFile>({ url, contentType, sizeBytes })
  })
