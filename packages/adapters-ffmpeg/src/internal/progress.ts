/** Reads what ffmpeg tells under `-progress`: lines of `key=value`, of which two matter. */
export interface ProgressReader {
  readonly push: (text: string) => void
  /** Pictures written so far; never falls. */
  readonly pictures: () => number
  /** Length of the file so far. */
  readonly size_bytes: () => number
}

/** A line is never this long; what has no end is forgotten. */
const maxLine_chars = 1024

export const makeProgressReader = (): ProgressReader => {
  let unread = ""
  let pictures = 0
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
        if (line.startsWith("total_size=")) size_bytes = Math.max(size_bytes, numberOf(line.slice(11)))
      }
    },
    pictures: () => pictures,
    size_bytes: () => size_bytes
  }
}
