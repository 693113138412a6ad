import { PreparationFailed } from "@loopbox/core/networks/publishing/PublishErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { repeatable } from "../../calls/repeatable.ts"

/** What becomes of a publication whose container, photo or video is refused. */
type Fate = Pick<PreparationFailed, "code" | "again">

const never = (code: Fate["code"]): Fate => ({ code, again: "never" })
const anew = (code: Fate["code"]): Fate => ({ code, again: "new" })

/**
 * Meta's codes of media, by their subcode, which means the same under whichever code it comes (social-networks-write.md
 * B1, B3).
 */
const bySubcode: ReadonlyMap<number, Fate> = new Map([
  [2_207_003, anew("media_fetch_failed")],
  [2_207_020, anew("container_expired")],
  [2_207_008, anew("container_expired")],
  [2_207_001, anew("network_unavailable")],
  [2_207_032, anew("network_unavailable")],
  [2_207_053, anew("network_unavailable")],
  [2_207_052, anew("media_fetch_failed")],
  [2_207_026, never("media_rejected")],
  [2_207_004, never("media_rejected")],
  [2_207_005, never("media_rejected")],
  [2_207_009, never("media_rejected")],
  [2_207_057, never("media_rejected")],
  [2_207_077, never("media_fetch_failed")],
  [2_207_082, never("media_fetch_failed")],
  [2_207_010, never("rejected")],
  [2_207_028, never("rejected")],
  [2_207_023, never("rejected")],
  [2_207_040, never("rejected")],
  [2_207_050, never("rejected")],
  [2_207_006, never("missing_scopes")],
  [2_207_051, never("spam_blocked")],
  [2_207_042, never("quota_exceeded")]
])

/** Facebook's codes of photos and videos (B2), as code or as subcode. */
const byCode: ReadonlyMap<number, Fate> = new Map([
  [389, anew("media_fetch_failed")],
  [6000, anew("network_unavailable")],
  [6001, anew("network_unavailable")],
  [352, never("media_rejected")],
  [382, never("media_rejected")],
  [1_363_040, never("media_rejected")],
  [1_363_127, never("media_rejected")],
  [1_363_128, never("media_rejected")],
  [1_363_129, never("media_rejected")],
  [1_366_046, never("media_rejected")]
])

/** What a code and subcode, as in `352/2207026`, mean for what is prepared; none if they mean nothing particular. */
export const fateOf = (networkCode: string): Option.Option<Fate> => {
  const [code = "", subcode = ""] = networkCode.split("/")
  return Option.firstSomeOf([
    Option.fromUndefinedOr(bySubcode.get(Number(subcode))),
    Option.fromUndefinedOr(byCode.get(Number(subcode))),
    Option.fromUndefinedOr(byCode.get(Number(code)))
  ])
}

/** A step of a preparation: what is lost may be asked for again, and what is refused has its meaning for the whole. */
export const preparing = <A>(write: Effect.Effect<A, WriteFailed>): Effect.Effect<A, ReadFailed | PreparationFailed> =>
  Effect.catch(repeatable(write), (error): Effect.Effect<never, ReadFailed | PreparationFailed> => {
    const { detail, network, networkCode } = error
    return Option.match(Option.flatMap(networkCode, fateOf), {
      onNone: () => Effect.fail(error),
      onSome: (fate) => Effect.fail(new PreparationFailed({ network, networkCode, detail, ...fate }))
    })
  })

/** Threads' words about a video (B3.2). */
const byWord: ReadonlyMap<string, Fate> = new Map([
  ["FAILED_DOWNLOADING_VIDEO", anew("media_fetch_failed")],
  ["FAILED_PROCESSING_AUDIO", anew("media_rejected")],
  ["FAILED_PROCESSING_VIDEO", anew("media_rejected")],
  // Sic.
  ["INVALID_ASPEC_RATIO", never("media_rejected")],
  ["INVALID_BIT_RATE", never("media_rejected")],
  ["INVALID_DURATION", never("media_rejected")],
  ["INVALID_FRAME_RATE", never("media_rejected")],
  ["INVALID_AUDIO_CHANNELS", never("media_rejected")],
  ["INVALID_AUDIO_CHANNEL_LAYOUT", never("media_rejected")]
])

/** What a container's own words say: Threads has names for it, Instagram's text has a subcode in it. */
export const containerFailed = (network: Network, words: string): PreparationFailed => {
  const subcode = /\b22\d{5}\b/.exec(words)?.[0]
  const known = Option.orElse(Option.fromUndefinedOr(byWord.get(words.trim())), () =>
    Option.flatMap(Option.fromUndefinedOr(subcode), (one) => fateOf(`0/${one}`))
  )
  const fate = Option.getOrElse(known, () => anew("media_rejected"))
  return new PreparationFailed({
    network,
    networkCode: Option.fromUndefinedOr(subcode ?? /^[A-Z_]+$/.exec(words.trim())?.[0]),
    detail: words.slice(0, 500),
    ...fate
  })
}

/** The container has waited for longer than a day. */
export const containerExpired = (network: Network): PreparationFailed =>
  new PreparationFailed({
    network,
    networkCode: Option.none(),
    detail: "the container has expired",
    code: "container_expired",
    again: "new"
  })
