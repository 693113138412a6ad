/** What requests are made with: a key that never ends, or tokens that do. */
export interface Credentials {
  /** The value of `Authorization`; undefined where there is none. */
  readonly header: () => Promise<string | undefined>
  /** A dashboard token, for the address of the socket; undefined where there is a key, or nothing. */
  readonly token: () => Promise<string | undefined>
  /** After a refusal: the next request gets a new token. False where nothing else can be had. */
  readonly forget: () => boolean
}

const none: Credentials = {
  header: () => Promise.resolve(undefined),
  token: () => Promise.resolve(undefined),
  forget: () => false
}

/** Keeps a token until it is refused; whoever asks meanwhile waits for the same one. */
const tokensOf = (getToken: () => string | Promise<string>): Credentials => {
  let kept: Promise<string> | undefined
  const token = () => {
    if (kept !== undefined) return kept
    const asked = Promise.resolve().then(getToken)
    kept = asked
    // A failure is told to those who wait, and is not kept.
    asked.catch(() => {
      if (kept === asked) kept = undefined
    })
    return asked
  }
  return {
    header: async () => `Bearer ${await token()}`,
    token,
    forget: () => {
      kept = undefined
      return true
    }
  }
}

export const makeCredentials = (
  apiKey: string | undefined,
  getToken: (() => string | Promise<string>) | undefined
): Credentials => {
  if (apiKey !== undefined && getToken !== undefined) throw new TypeError("Give apiKey or getToken, not both.")
  if (getToken !== undefined) return tokensOf(getToken)
  if (apiKey === undefined) return none
  // One that was read from a file ends with a line break: fetch drops that, and the header of a WebSocket may not have it.
  const header = `Bearer ${apiKey.trim()}`
  return { ...none, header: () => Promise.resolve(header) }
}
