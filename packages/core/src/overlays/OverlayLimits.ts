/** Limits of section 12; each is the largest allowed value. */
export const overlayLimits = {
  /** 500 MiB. */
  video_bytes: 524_288_000,
  /** 10 minutes. */
  video_ms: 600_000,
  /** 100 MiB. */
  audio_bytes: 104_857_600
} as const
