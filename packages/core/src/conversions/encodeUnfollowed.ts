import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { EncodedVideo } from "../encoding/EncodedVideo.ts"
import type { EncodeFailed } from "../encoding/EncodeFailed.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { BlobMissing } from "../media/BlobStore.ts"
import type { GifFacts, GifVerdict } from "../media/gif/GifFacts.ts"

type InputUnread = BlobMissing | StoreUnavailable

/** The data of an image ends or breaks too early: what the encoder was given shows less of it than browsers do. */
class DataBroken extends Data.TaggedError("DataBroken")<{ readonly facts: GifFacts }> {}

/**
 * Encodes a GIF while its data is still being followed, which takes up to a tenth of the encoding's time.
 *
 * Almost every GIF is whole, and then what was found by following it changes nothing. Where it is broken, the encoder is
 * stopped, what it has made is removed, and it begins again with the mended GIF.
 *
 * @param facts of the scan that has not followed the data
 * @param follow facts of the scan that does; begins when it can no longer hold up the encoder
 */
export const encodeUnfollowed = Effect.fnUntraced(function* (
  facts: GifFacts,
  follow: Effect.Effect<GifFacts, GifVerdict | InputUnread>,
  encode: (facts: GifFacts) => Effect.Effect<EncodedVideo, EncodeFailed | InputUnread, Scope.Scope>
) {
  const first = yield* Scope.fork(yield* Effect.scope)
  const followed = Effect.flatMap(follow, (found) =>
    found.images.some(({ dataEnd }) => dataEnd !== undefined)
      ? Effect.fail(new DataBroken({ facts: found }))
      : Effect.void
  )
  // How the first encoding ends counts only once the data is known to be whole: broken data may have been the cause.
  return yield* Effect.all([Effect.exit(Scope.provide(encode(facts), first)), followed], { concurrency: 2 }).pipe(
    Effect.flatMap(([exit]) => exit),
    Effect.catchTag("DataBroken", (broken) => Effect.andThen(Scope.close(first, Exit.void), encode(broken.facts)))
  )
})
