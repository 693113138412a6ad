import type { PublishQuota } from "@loopbox/core/networks/publishing/NetworkPublish"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OptionalCount, optionalPart, optionalParts, reader } from "../../payloads/payload.ts"

const Limit = Schema.Struct({
  quota_usage: OptionalCount,
  config: optionalPart(Schema.Struct({ quota_total: OptionalCount, quota_duration: OptionalCount }))
})

const readLimits = reader(Schema.Struct({ data: optionalParts(Limit) }))

/** Both of Meta's publishing limits are of a day, unless they say otherwise. */
const day_s = 86_400

/** The limit of posts, as Instagram and Threads tell it. */
export const readPublishingLimit = (value: unknown): Result.Result<Option.Option<PublishQuota>, string> =>
  Result.map(readLimits(value), ({ data }) =>
    Option.gen(function* () {
      const { config, quota_usage } = yield* Option.fromUndefinedOr(data[0])
      const { quota_duration, quota_total } = yield* config
      const window = Duration.seconds(Option.getOrElse(quota_duration, () => day_s))
      return { used: yield* quota_usage, total: yield* quota_total, window }
    })
  )
