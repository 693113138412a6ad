import type { GivenFile } from "../publishing/loadFile.ts"

interface Limits {
  readonly formats: ReadonlyArray<string>
  readonly most_bytes: number
}

const limits: Readonly<Record<string, Limits>> = {
  tweet_image: { formats: ["jpeg", "png"], most_bytes: 5 * 1024 * 1024 },
  tweet_gif: { formats: ["gif"], most_bytes: 15 * 1024 * 1024 },
  tweet_video: { formats: ["mp4"], most_bytes: 512 * 1024 * 1024 }
}

const video_s = { least: 0.5, most: 140 }

/** Why X does not take a file; undefined if it does. */
export const mediaFailure = (
  category: string,
  { contentType, duration_s, format, size_bytes }: GivenFile
): string | undefined => {
  const known = limits[category]
  if (known === undefined) return "The category is unknown."
  const isWebp = category === "tweet_image" && contentType === "image/webp"
  if (!known.formats.includes(format ?? "") && !isWebp) return "The media type is unrecognized."
  if (size_bytes > known.most_bytes) return "The file size is too large."
  if (category !== "tweet_video" || duration_s === undefined) return undefined
  if (duration_s > video_s.most) return "This user is not allowed to post a video longer than 2 minutes"
  return duration_s < video_s.least ? "The video is too short." : undefined
}
