import type { OverlayPlan } from "./planOverlay.ts"
import type { MovieTracks } from "./readTracks.ts"

/** How much a track may differ from the picture of the input (A65). */
const tolerance_ms = 150

/**
 * What of the plan a made video does not keep, in words for logs; empty if all is kept.
 *
 * @param isFastStart whether the index precedes the samples
 */
export const checkOverlay = (
  plan: OverlayPlan,
  { isFragmented, tracks }: MovieTracks,
  isFastStart: boolean
): ReadonlyArray<string> => {
  const [picture, sound] = tracks
  const lasts = (length_ms: number | undefined): boolean =>
    length_ms !== undefined && Math.abs(length_ms - plan.picture_ms) <= tolerance_ms
  const promises: ReadonlyArray<readonly [name: string, isKept: boolean]> = [
    ["a picture and a sound", tracks.length === 2 && picture?.kind === "picture" && sound?.kind === "sound"],
    ["H.264", picture?.codec === "avc1"],
    ["AAC", sound?.codec === "mp4a"],
    [`a picture of ${plan.picture_ms} ms`, lasts(picture?.length_ms)],
    ["a sound as long", lasts(sound?.length_ms)],
    ["index in front", isFastStart && !isFragmented],
    ["no edit list", tracks.every(({ edits }) => edits.length === 0)]
  ]
  return promises.flatMap(([name, isKept]) => (isKept ? [] : [name]))
}
