/** Bytes as people read them: "1.2 MB". */
export const sizeText = (bytes: number, language: string): string => {
  const [unit, divisor] =
    bytes >= 1_000_000
      ? (["megabyte", 1_000_000] as const)
      : bytes >= 1_000
        ? (["kilobyte", 1_000] as const)
        : (["byte", 1] as const)
  const maximumFractionDigits = unit === "megabyte" ? 1 : 0
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits }).format(
    bytes / divisor
  )
}

/** A length in seconds: "2.5 sec". */
export const lengthText = (milliseconds: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: "unit",
    unit: "second",
    unitDisplay: "short",
    maximumFractionDigits: 1
  }).format(milliseconds / 1_000)

export interface FileFacts {
  readonly size_bytes: number | null
  readonly width: number | null
  readonly height: number | null
  readonly duration_ms: number | null
}

/** What is known of a file, in one line. */
export const factsText = ({ duration_ms, height, size_bytes, width }: FileFacts, language: string): string =>
  [
    ...(width === null || height === null ? [] : [`${width} × ${height}`]),
    ...(duration_ms === null ? [] : [lengthText(duration_ms, language)]),
    ...(size_bytes === null ? [] : [sizeText(size_bytes, language)])
  ].join(" · ")

/** How much of a quota is used, from 0 to 1; a limit of 0 is used up. */
export const usedShare = (used: number, limit: number): number => (limit <= 0 ? 1 : Math.min(1, used / limit))
