import * as DateTime from "effect/DateTime"

/** ISO as Meta writes it: whole seconds, and a zone without a colon. */
export const offsetIso = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.\d+Z$/, "+0000")
