/** Reads what ffmpeg tells under `-progress`: lines of `key=value`, of which three matter. */
export interface ProgressReader {
  readonly push: (text: string) => void
  /** Pictures written so far; never falls. */
  readonly pictures: () => number
  /** Time in the output up to which it is written; never falls. */
  readonly time_ms: () => number
  /** Length of the file so far. */
  readonly size_bytes: () => number
}

/** A line is never this long; what has no end is forgotten. */
const maxLine_chars = 1024

export const makeProgressReader = (): ProgressReader => {
  let unread = ""
  let pictures = 0
  let time_ms = 0
  let size_bytes = 0
  const numberOf = (text: string): number => {
    const value = Number(text.trim())
    return Number.isFinite(value) ? value : 0
  }
  return {
    push: (text) => {
      const lines = (unread + text).split("\n")
      unread = (lines.pop() ?? "").slice(-maxLine_chars)
      for (const line of lines) {
        if (line.startsWith("frame=")) pictures = Math.max(pictures, numberOf(line.slice(6)))
        // Microseconds, whatever the name says.
        if (line.startsWith("out_time_ms=")) time_ms = Math.max(time_ms, numberOf(line.slice(12)) / 1000)
        if (line.startsWith("total_size=")) size_bytes = Math.max(size_bytes, numberOf(line.slice(11)))
      }
    },
    pictures: () => pictures,
    time_ms: () => time_ms,
    size_bytes: () => size_bytes
  }
}
