import type { components } from "@loopbox/client"

type ConversionFailureCode = NonNullable<components["schemas"]["ConversionJob"]["error"]>["code"]

/** Texts of the page Media. Failures are named by the codes of the API. */
export const englishMedia = {
  heading: "Media",
  lead: "Drop a GIF; it becomes an MP4 that every network takes.",
  drop: "Drop a GIF here, or",
  choose: "Choose a file",
  background: "Background",
  backgroundHint: "Seen through transparent pixels",
  wrongType: (name: string) => `${name} is no GIF.`,
  uploading: "Uploading",
  queued: "In the queue",
  place: (place: number) =>
    place === 1 ? "First of this workspace's that wait" : `Number ${place} of this workspace's that wait`,
  processing: "Converting",
  succeeded: "Done",
  failed: "Failed",
  cancel: "Cancel",
  remove: "Take it from the list",
  gif: "GIF",
  video: "Video",
  download: "Download",
  keptUntil: (when: string) => `Kept until ${when}`,
  recent: "Conversions",
  empty: "Nothing was converted yet",
  emptyText: "The first GIF that you drop above will stand here, beside its video.",
  more: "Show older ones",
  quota: "Conversions of the last 24 hours",
  quotaUsed: (used: number, limit: number) => `${used} of ${limit}`,
  quotaRolls: "each gives its place back after 24 hours",
  quotaReset: (when: string) => `One more from ${when}`,
  failures: {
    gif_dimensions_exceeded: "The picture is larger than your plan allows.",
    gif_frame_count_exceeded: "It has more frames than your plan allows.",
    gif_decode_budget_exceeded: "Its frames together are more than can be decoded here.",
    gif_duration_exceeded: "It is longer than your plan allows.",
    gif_probe_failed: "It is no whole GIF: it ends early, or its parts contradict each other.",
    gif_decode_failed: "Its pictures can't be decoded.",
    processing_timeout: "It took too long.",
    output_size_exceeded: "The video would be larger than networks accept.",
    gif_conversion_failed: "The encoder failed. Try it once more.",
    input_media_unavailable: "The uploaded GIF is no longer there. Upload it again.",
    output_upload_failed: "The video could not be stored. Convert it again.",
    canceled: "It was canceled."
  } satisfies Readonly<Record<ConversionFailureCode, string>>
}

export type MediaMessages = typeof englishMedia
