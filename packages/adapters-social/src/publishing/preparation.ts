import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { Preparation, PreparationStep } from "@loopbox/core/networks/publishing/NetworkPublish"
import type { PublishMedia } from "@loopbox/core/networks/publishing/Publication"
import type { Network } from "../names.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import { decodeUnknownOption } from "effect/Schema"

export const ready = (preparation: Preparation): PreparationStep => ({ _tag: "Ready", preparation })

/** There is more to do, now or after a pause. */
export const again = (preparation: Preparation, after: Duration.Duration = Duration.zero): PreparationStep => ({
  _tag: "Again",
  preparation,
  after
})

/** Reads what a connector has kept; what it does not understand counts as nothing, and is begun anew. */
export const preparationReader = <S extends Schema.Codec<unknown, unknown>>(schema: S, fresh: S["Type"]) => {
  const decode = decodeUnknownOption(schema)
  return (preparation: Option.Option<Preparation>): S["Type"] =>
    Option.getOrElse(Option.flatMap(preparation, decode), () => fresh)
}

/** How long to wait before asking again, a little longer each time: 2, 3, 5 … 30 seconds. */
export const pauseAfter = (polls: number): Duration.Duration =>
  Duration.seconds(Math.min(30, Math.round(2 * 1.5 ** polls)))

/** The address of a file, for a network that fetches it. */
export const linkOf = (network: Network, media: PublishMedia): Effect.Effect<string, Unavailable> =>
  Effect.mapError(
    media.link,
    () =>
      new Unavailable({
        network,
        networkCode: Option.none(),
        detail: "no address for the file could be made",
        reason: "upstream"
      })
  )
