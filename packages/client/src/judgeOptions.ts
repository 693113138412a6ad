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
  const url = parse(baseUrl)
  // A `fetch` of one's own may make an address of anything.
  if (url === undefined) return fetch !== undefined
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && !/[?#]/.test(baseUrl)
}

/** Refuses what no call could work with: else it would be told as a host that can't be reached. */
export const judgeOptions = (options: LoopboxOptions): void => {
  const { apiKey = "", baseUrl, retries = 0, timeout = 1 } = options
  if (!isAddress(options)) {
    throw new TypeError(`baseUrl must be an address such as https://api.example, not ${JSON.stringify(baseUrl)}.`)
  }
  // A line break at its end, as of a file, is dropped by fetch.
  if (!/^[\x21-\x7e]*$/.test(apiKey.trim())) throw new TypeError("apiKey must be one word, as the host gave it.")
  if (!(timeout > 0)) throw new TypeError("timeout must be milliseconds above 0.")
  if (!(Number.isInteger(retries) && retries >= 0)) throw new TypeError("retries must be a whole number from 0 on.")
}
