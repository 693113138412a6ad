/** Pages of the console, in the order of its navigation. */
export const pageIds = ["inbox", "accounts", "posts", "media", "webhooks", "activity", "sandbox"] as const
export type PageId = (typeof pageIds)[number]

/** Where the reader is: a page, and what it says behind its name. */
export interface Route {
  readonly page: PageId
  /** Behind `/console/<page>/`, without a slash at its ends: an id, or nothing. */
  readonly rest: string
  readonly query: URLSearchParams
}

const isPage = (text: string): text is PageId => pageIds.some((page) => page === text)

/** The route that an address names; the inbox for an address that names none. */
export const routeOf = (pathname: string, search: string): Route => {
  const [page = "", ...rest] = pathname.replace(/^\/console\/?/, "").split("/")
  const query = new URLSearchParams(search)
  return isPage(page)
    ? { page, rest: decode(rest.join("/").replace(/\/+$/, "")), query }
    : { page: "inbox", rest: "", query }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

/** The address of a page. */
export const addressOf = (page: PageId, rest = "", query: Readonly<Record<string, string>> = {}): string => {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString()
  const path = rest === "" ? `/console/${page}` : `/console/${page}/${encodeURIComponent(rest)}`
  return search === "" ? path : `${path}?${search}`
}

/** The secret of a sign-in link, which stands behind its `#`; undefined where there is none. */
export const ticketOf = (hash: string): string | undefined => /^#([\w-]{20,200})$/.exec(hash)?.[1]

/** The secret of the link that was opened: out of the address, and out of the history, before anything else. */
export const takeTicket = (): string | undefined => {
  const ticket = ticketOf(location.hash)
  if (ticket !== undefined) history.replaceState(null, "", location.pathname + location.search)
  return ticket
}
