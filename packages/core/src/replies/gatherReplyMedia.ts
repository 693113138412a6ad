import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ActionNotAvailable } from "../items/acting/ActionNotAvailable.ts"
import type { LiveItem } from "../items/StoredItem.ts"
import { MediaId } from "../kernel/Ids.ts"
import type { Media } from "../media/Media.ts"
import { PublicUrlRequired } from "../media/MediaErrors.ts"
import { MediaLinks } from "../media/MediaLinks.ts"
import { MediaStore } from "../media/MediaStore.ts"
import type { SourceTraits } from "../networks/Network.ts"
import { Networks } from "../networks/Networks.ts"
import { ReplyMediaInvalid } from "../outbound/OutboundErrors.ts"
import type { MediaOfReply } from "../outbound/OutboundOperation.ts"
import { judgeReplyMedia, replyMediaKind } from "./judgeReplyMedia.ts"

/** Why a reply with a file is not sent. */
export type ReplyMediaRefused = ReplyMediaInvalid | PublicUrlRequired | ActionNotAvailable

/** The files that a reply names, and whether it can be sent with them now. */
export interface GatheredReplyMedia {
  /** A file that is gone has any kind: an earlier reply of the same key may have carried it. */
  readonly media: ReadonlyArray<MediaOfReply>
  readonly verdict: Result.Result<void, ReplyMediaRefused>
}

const isMediaId = Schema.is(MediaId)

const notSupported = new ActionNotAvailable({ action: "reply_media", reason: "not_supported", missingScopes: [] })

/** Deleted since it was judged. */
export const fileGone = new ReplyMediaInvalid({
  reason: "not_found",
  allowed: [],
  actual: Option.none(),
  limit: Option.none()
})

/** Makes what reads the files of a reply and judges them. */
export const makeGatherReplyMedia = Effect.gen(function* () {
  const store = yield* MediaStore
  const links = yield* MediaLinks
  const networks = yield* Networks

  const judge = (
    { replyMedia }: SourceTraits,
    network: string,
    found: ReadonlyArray<Option.Option<Media>>
  ): Result.Result<void, ReplyMediaRefused> => {
    if (found.length === 0) return Result.succeed(undefined)
    if (Option.isNone(replyMedia)) return Result.fail(notSupported)
    for (const one of found) {
      const judged = judgeReplyMedia(replyMedia.value, one)
      if (Result.isFailure(judged)) return Result.fail(judged.failure)
    }
    return links.isReachableBy(network)
      ? Result.succeed(undefined)
      : Result.fail(new PublicUrlRequired({ networks: [network] }))
  }

  return Effect.fnUntraced(function* ({ source, workspaceId }: LiveItem, mediaIds: ReadonlyArray<string>) {
    const known = mediaIds.filter(isMediaId)
    const traits = networks.traitsOf(source)
    const found = yield* Effect.forEach(known, (id) => store.find(workspaceId, id))
    const unknown = mediaIds.slice(known.length).map(() => Option.none<Media>())
    const gathered: GatheredReplyMedia = {
      media: known.map((mediaId, i) => ({
        mediaId,
        kind: Option.match(found[i] ?? Option.none(), { onNone: () => "image", onSome: replyMediaKind })
      })),
      verdict: judge(traits, traits.network, [...unknown, ...found])
    }
    return gathered
  })
})
