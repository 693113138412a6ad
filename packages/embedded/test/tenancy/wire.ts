/** JSON as it came: every member may be looked at. */
export interface Wire {
  readonly [member: string]: Wire
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly body: Wire
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; bytes go as they are, with the content type among the headers. */
  readonly body?: unknown
}

const parse = (text: string): Wire => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Requests to one address. */
export const makeAsk =
  (url: string) =>
  async ({ body, headers = {}, method, path, query = {}, token }: Asked): Promise<Answer> => {
    const sent = new Headers(headers)
    if (token !== undefined) sent.set("authorization", `Bearer ${token}`)
    const isBytes = body instanceof Uint8Array
    if (body !== undefined && !isBytes) sent.set("content-type", "application/json")
    const content = body === undefined ? undefined : isBytes ? Uint8Array.from(body) : JSON.stringify(body)
    const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: sent,
      redirect: "manual",
      ...(content === undefined ? {} : { body: content })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }

export type Ask = ReturnType<typeof makeAsk>

/** Each JSON value inside, changed. */
export const mapStrings = (value: unknown, change: (text: string, member: string) => string, member = ""): unknown => {
  if (typeof value === "string") return change(value, member)
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change, member))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapStrings(one, change, name)]))
}

/** All strings inside, with the member that each stands in. */
export const stringsIn = (value: unknown): ReadonlyArray<readonly [text: string, member: string]> => {
  const found: Array<readonly [string, string]> = []
  mapStrings(value, (text, member) => {
    found.push([text, member])
    return text
  })
  return found
}
