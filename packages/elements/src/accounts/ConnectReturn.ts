/** What a network's dialog came to, as the address says to which it sent the browser back. */
export interface ConnectReturn {
  readonly sessionId: string
  readonly status: string
  /** What went wrong; absent where nothing did. */
  readonly reason: string | undefined
}

const names = ["connect_session", "connect_status", "reason"]

/** Reads it; undefined on an address to which no dialog led. */
export const readReturn = (address: string): ConnectReturn | undefined => {
  const { searchParams } = new URL(address)
  const sessionId = searchParams.get("connect_session") ?? ""
  const status = searchParams.get("connect_status")
  if (!sessionId.startsWith("con_") || status === null) return undefined
  return { sessionId, status, reason: searchParams.get("reason") ?? undefined }
}

/** The address without it: whoever reloads the page is not told once more. */
export const withoutReturn = (address: string): string => {
  const url = new URL(address)
  for (const name of names) url.searchParams.delete(name)
  // Meta's dialogs put it behind every address to which they send the browser back.
  if (url.hash === "#_" || url.hash === "#_=_") url.hash = ""
  return url.href
}
