import type { VideoFacts } from "@loopbox/core/overlays/planOverlay"

/** A picture lasts so long at most when nothing says how long the last one does. */
const lastPicture_ms = 33

/**
 * Reads ffmpeg's list of packets (`framecrc`): a heading with the time base of each stream, and a line for each packet:
 * stream, decoding time, time shown, length, size, checksum. Stream 0 is the picture, 1 the sound.
 */
export const packetTimes = (list: string): VideoFacts => {
  let base_ms = 0
  let first = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let hasSound = false
  for (const line of list.split("\n")) {
    const base = /^#tb 0: (\d+)\/(\d+)$/.exec(line)
    if (base !== null) base_ms = (Number(base[1]) * 1000) / Number(base[2])
    if (line.startsWith("#")) continue
    const [stream = "", , shown = "", length = ""] = line.split(",").map((field) => field.trim())
    if (stream === "1") hasSound = true
    const time = Number(shown)
    if (stream !== "0" || !Number.isFinite(time)) continue
    first = Math.min(first, time)
    last = Math.max(last, time)
    end = Math.max(end, time + (Number(length) || 0))
  }
  const isEmpty = first === Number.POSITIVE_INFINITY
  const picture_ms = Math.max((end - first) * base_ms, end === last ? (last - first) * base_ms + lastPicture_ms : 0)
  return {
    picture_ms: isEmpty ? 0 : picture_ms,
    pictureStart_ms: isEmpty ? 0 : Math.max(0, first * base_ms),
    isUniversal: false,
    hasSound
  }
}
