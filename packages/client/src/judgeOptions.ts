import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { pageAddress } from "./pageAddress.ts"

const parse = (text: string): URL | undefined => {
  try {
    // A page's client may name a place of its own host, as `/social`.
    return new URL(text, pageAddress())
  } catch {
    return undefined
  }
}

const isAddress = ({ baseUrl, fetch }: LoopboxOptions): boolean => {
  // Plain JavaScript may leave it out, or give a `URL`.
  if (typeof baseUrl !== "string") return false
  const url = parse(baseUrl)
  // A `fetch` of one's own may make an address of anything.
  if (url === undefined) return fetch !== undefined
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && !/[?#]/.test(baseUrl)
}

/** A variable of the environment that is not set is given as undefined; who has no key leaves `apiKey` out. */
const lacksKey = (options: LoopboxOptions): boolean => {
  if (options.apiKey !== undefined || !("apiKey" in options)) return false
  // These may be what requests are allowed by, where a program passes on whatever it has.
  return options.getToken === undefined && options.fetch === undefined
}

/** Refuses what no call could work with: else it would be told as a host that can't be reached. */
export const judgeOptions = (options: LoopboxOptions): void => {
  const { apiKey, baseUrl, retries = 0, timeout = 1 } = options
  if (!isAddress(options)) {
    throw new TypeError(
      `baseUrl must be an address as text, such as https://api.example, not ${JSON.stringify(baseUrl)}.`
    )
  }
  if (lacksKey(options))
    throw new TypeError("apiKey must be a key, not undefined. Is the variable set that it comes from?")
  // A line break at its end, as of a file, is dropped by fetch.
  if (apiKey !== undefined && (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey.trim()))) {
    throw new TypeError(`apiKey must be one word, as the host gave it${apiKey === "" ? ", and is empty" : ""}.`)
  }
  if (!(timeout > 0)) throw new TypeError("timeout must be milliseconds above 0.")
  if (!(Number.isInteger(retries) && retries >= 0)) throw new TypeError("retries must be a whole number from 0 on.")
}
