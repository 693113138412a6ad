import * as Option from "effect/Option"
import type { VideoFacts } from "./planOverlay.ts"
import type { MovieTracks, TrackFacts } from "./readTracks.ts"

const longestSide_px = 1920

/** Profiles of H.264 whose pictures have 8 bits and 4:2:0: baseline, main, extended, high. */
const universalProfiles = new Set([66, 77, 88, 100])

/** An edit list that ends this much before its track has cut a picture off. */
const cut_ms = 50

const isEven = (side: number): boolean => side > 0 && side % 2 === 0

/** Whether a picture track is what all networks take; its frame rate and bit rate are its own. */
const isUniversal = (track: TrackFacts): boolean =>
  track.codec === "avc1" &&
  universalProfiles.has(track.avcProfile) &&
  track.entries === 1 &&
  track.hasSquarePixels &&
  isEven(track.width) &&
  isEven(track.height) &&
  Math.max(track.width, track.height) <= longestSide_px

/**
 * How long after the beginning the first picture is shown, if the track is shown once, wholly, and from its beginning.
 * Undefined for every other edit list: some networks refuse them, so that such a picture is not copied.
 */
const plainStart = ({ edits, firstShown_ms, length_ms }: TrackFacts): number | undefined => {
  if (edits.length === 0) return Math.max(0, firstShown_ms)
  const [edit] = edits
  if (edits.length > 1 || edit?.from_ms === undefined || !edit.isNormalSpeed) return undefined
  // Times in an edit list are rounded.
  if (edit.from_ms > firstShown_ms + 1) return undefined
  // A length of 0 stands for all in fragments, and is written by some encoders also without them.
  if (edit.length_ms > 0 && edit.length_ms < length_ms - cut_ms) return undefined
  return Math.max(0, firstShown_ms - edit.from_ms)
}

/** The facts of a video out of its index; `none` when the index does not say how long its picture is. */
export const videoFacts = ({ isFragmented, tracks }: MovieTracks): Option.Option<VideoFacts> => {
  const picture = tracks.find(({ kind }) => kind === "picture")
  if (picture === undefined || isFragmented) return Option.none()
  const pictureStart_ms = plainStart(picture)
  if (pictureStart_ms === undefined) return Option.none()
  const sound = tracks.find(({ kind }) => kind === "sound")
  return Option.some({
    picture_ms: picture.length_ms,
    pictureStart_ms,
    isUniversal: isUniversal(picture),
    hasSound: sound !== undefined && sound.samples > 0
  })
}
