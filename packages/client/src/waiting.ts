/**
 * Random bytes: of `Math.random` in Node 18, where `crypto` is no global. What is made of them spreads tries and tells calls
 * apart; nothing is kept secret by it.
 */
const randomBytes = (count: number): Uint8Array => {
  const bytes = new Uint8Array(count)
  const source: Pick<Crypto, "getRandomValues"> | undefined = globalThis.crypto
  // oxlint-disable-next-line no-restricted-properties -- the client has no dependencies, and there is nothing else
  return source === undefined ? bytes.map(() => Math.random() * 256) : source.getRandomValues(bytes)
}

/** A number from 0 to 1. */
const random = (): number => new DataView(randomBytes(4).buffer).getUint32(0) / 0x1_0000_0000

/** 128 random bits as text; `crypto.randomUUID` is only in pages that came by https. */
export const randomKey = (): string =>
  Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Full jitter: anything up to a ceiling that doubles with each try, in milliseconds. */
export const backoff = (tries: number, firstMs: number, mostMs: number): number =>
  random() * Math.min(mostMs, firstMs * 2 ** Math.min(tries, 30))

/** Waits; fails with the signal's reason as soon as it is aborted. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason)
      return
    }
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, ms)
    signal?.addEventListener("abort", abort, { once: true })
  })

/** A promise that nobody can abort, or the signal's reason as soon as that is there. */
export const orAborted = async <A>(promise: Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return promise
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true, signal: over.signal })
  })
  return Promise.race([promise, aborted]).finally(() => over.abort())
}

/** A signal that a caller's one or a time-out aborts, for runtimes without `AbortSignal.any`. */
export const deadline = (given: AbortSignal | undefined, ms: number) => {
  const controller = new AbortController()
  const follow = () => controller.abort(given?.reason)
  if (given?.aborted === true) follow()
  given?.addEventListener("abort", follow, { once: true })
  const state = { isOver: false }
  const timer = Number.isFinite(ms)
    ? setTimeout(() => {
        state.isOver = true
        controller.abort()
      }, ms)
    : undefined
  return {
    signal: controller.signal,
    /** The time was over before the caller aborted. */
    isOver: () => state.isOver && given?.aborted !== true,
    stopClock: () => clearTimeout(timer),
    /** The caller's signal ends nothing from here on. */
    release: () => {
      clearTimeout(timer)
      given?.removeEventListener("abort", follow)
    }
  }
}
