import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobMissing, type BlobRange, BlobStore } from "@loopbox/core/media/BlobStore"
import type * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"

/**
 * A place for the bytes of files, as plain async functions. A key is `<workspace>/<name>`; each is written once.
 * Whatever a function throws is answered 503, and tried again.
 */
export interface Blobs {
  /**
   * Keeps all of the bytes, durably, before it resolves. Reading them throws when the upload ends early: then nothing may
   * be found under the key. A chunk is the store's to keep.
   */
  readonly put: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /** The bytes, or `length` of them from `offset` on as far as there are; null when there are none under the key. */
  readonly get: (key: string, range?: BlobRange) => Promise<AsyncIterable<Uint8Array> | Uint8Array | null>
  /** How many bytes; null when there are none under the key. */
  readonly size: (key: string) => Promise<number | null>
  /** Resolves also when there is nothing to remove. */
  readonly remove: (key: string) => Promise<void>
  /** Every key with this beginning, and when it was written. */
  readonly list: (prefix: string) => AsyncIterable<{ readonly key: string; readonly writtenAt: Date }>
}

const names = ["put", "get", "size", "remove", "list"] as const

/** What is missing of a store that plain JavaScript gave. */
export const judgeBlobs = (blobs: Partial<Record<(typeof names)[number], unknown>>): ReadonlyArray<string> => {
  const missing = names.filter((name) => typeof blobs[name] !== "function")
  return missing.length === 0
    ? []
    : [`blobs lacks ${missing.join(", ")}: a store of one's own has ${names.join(", ")}, all of them functions`]
}

/** Of reads: as much as other stores give at once. */
const chunkSize = 256 * 1024

function* chunked(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
}

const unavailable = (operation: string, committed: StoreUnavailable["committed"]) => (cause: unknown) =>
  new StoreUnavailable({ operation, committed, cause })

const late = (name: keyof Blobs, timeout: Duration.Duration) =>
  new Error(`blobs.${name} did not answer within ${Duration.format(timeout)}`)

/** Calls a function of a store, which is waited for within a time. */
const makeCall =
  (timeout: Duration.Duration) =>
  <A>(name: keyof Blobs, toFailure: (cause: unknown) => StoreUnavailable, run: () => Promise<A>) =>
    Effect.tryPromise({ try: async () => run(), catch: toFailure }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.suspend(() => Effect.fail(toFailure(late(name, timeout))))
      })
    )

type Call = ReturnType<typeof makeCall>

/**
 * What an iterable of a store gives. Each step is waited for within a time, that of whoever reads does not count. Ending one
 * early is not waited for: a step that hangs would keep it.
 */
const steps = (call: Call, name: keyof Blobs, toFailure: (cause: unknown) => StoreUnavailable) => {
  const end = (iterator: AsyncIterator<unknown>) => {
    const ending = async () => iterator.return?.()
    ending().catch(() => undefined)
  }
  return (iterable: AsyncIterable<unknown>): Stream.Stream<unknown, StoreUnavailable> =>
    Stream.unwrap(
      Effect.map(
        Effect.acquireRelease(
          Effect.try({ try: () => iterable[Symbol.asyncIterator](), catch: toFailure }),
          (iterator) => Effect.sync(() => end(iterator))
        ),
        (iterator) =>
          Stream.unfold(undefined, () =>
            Effect.map(
              call(name, toFailure, () => iterator.next()),
              (step) => (step.done === true ? undefined : ([step.value, undefined] as const))
            )
          )
      )
    )
}

const kindOf = (given: unknown): string => {
  if (Predicate.isNumber(given)) return `the number ${given}`
  if (Array.isArray(given)) return "an array"
  return Predicate.isObject(given) ? `an object of ${given.constructor?.name ?? "no class"}` : typeof given
}

/** A function of plain JavaScript gave something else than it has to. */
const misgiven = (name: keyof Blobs, must: string, given: unknown) =>
  unavailable(`blobs.${name}`, "no")(new TypeError(`blobs.${name} must give ${must}; it gave ${kindOf(given)}`))

const isIterable = (given: unknown): given is AsyncIterable<unknown> =>
  Predicate.isObject(given) && Symbol.asyncIterator in given

const foundBytes = "a Uint8Array, an async iterable of them, or null"

const isEntry = (given: unknown): given is { readonly key: string; readonly writtenAt: Date } =>
  Predicate.isObject(given) &&
  Predicate.isString(given.key) &&
  given.writtenAt instanceof Date &&
  !Number.isNaN(given.writtenAt.getTime())

const isIn = (range: BlobRange | undefined, bytes: Uint8Array) => range === undefined || bytes.length <= range.length

/** What a write and whoever watches it know of each other. */
class Turn {
  /** Whether the bytes of the sender are waited for, for as long as the sender likes. */
  isSenders = false
  count = 0
}

/** The chunks of an iterator until a signal aborts; then reading them throws. */
async function* untilAborted(
  iterator: AsyncIterator<Uint8Array>,
  signal: AbortSignal,
  turn: Turn
): AsyncGenerator<Uint8Array> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the upload ended early")), { once: true })
  })
  aborted.catch(() => undefined)
  for (;;) {
    signal.throwIfAborted()
    turn.isSenders = true
    const step = await Promise.race([iterator.next(), aborted]).finally(() => {
      turn.isSenders = false
      turn.count += 1
    })
    if (step.done === true) return
    yield step.value
  }
}

/** Ends when a store has had its turn for a time, and at most for twice as long. */
const untilStuck = (turn: Turn, timeout: Duration.Duration) => {
  const look: Effect.Effect<void> = Effect.suspend(() => {
    const seen = turn.count
    return Effect.flatMap(Effect.sleep(timeout), () => (turn.isSenders || turn.count !== seen ? look : Effect.void))
  })
  return look
}

/** Runs a promise that an interruption tells to end, and waits until it has, or until it is given up. */
const ending = (run: (signal: AbortSignal) => Promise<void>, stuck: Promise<never>) =>
  Effect.callback<void, unknown>((resume) => {
    const controller = new AbortController()
    const running = Promise.race([run(controller.signal), stuck])
    const ended = running.then(
      () => resume(Effect.void),
      (error: unknown) => {
        controller.abort()
        resume(Effect.fail(error))
      }
    )
    return Effect.promise(async () => {
      controller.abort()
      await ended
    })
  })

/** Puts the chunks of an iterator, which the store is given a time for. */
const putWithin = (blobs: Blobs, key: string, iterator: AsyncIterator<Uint8Array>, timeout: Duration.Duration) =>
  Effect.scoped(
    Effect.gen(function* () {
      const turn = new Turn()
      let giveUp = (_cause: Error): void => undefined
      const stuck = new Promise<never>((_resolve, reject) => {
        giveUp = reject
      })
      stuck.catch(() => undefined)
      const watching = Effect.map(untilStuck(turn, timeout), () => giveUp(late("put", timeout)))
      yield* Effect.forkScoped(watching)
      yield* ending(async (signal) => blobs.put(key, untilAborted(iterator, signal, turn)), stuck)
    })
  )

const makeWrite =
  (blobs: Blobs, call: Call, timeout: Duration.Duration): BlobStore["Service"]["write"] =>
  <E>(key: string, bytes: Stream.Stream<Uint8Array, E>) =>
    Effect.gen(function* () {
      const hash = createHash("sha256")
      let sizeBytes = 0
      let failure: Cause.Cause<E> | undefined
      let hasEnded = false
      const counted = bytes.pipe(
        Stream.map((chunk) => {
          hash.update(chunk)
          sizeBytes += chunk.length
          // Whoever writes may use its buffer again.
          return chunk.slice()
        }),
        Stream.onError((cause) => Effect.sync(() => void (failure = cause))),
        Stream.onEnd(Effect.sync(() => void (hasEnded = true)))
      )
      const forget = Effect.ignore(call("remove", unavailable("blobs.remove", "unknown"), () => blobs.remove(key)))
      const iterator = Stream.toAsyncIterable(counted)[Symbol.asyncIterator]()
      yield* putWithin(blobs, key, iterator, timeout).pipe(
        // A store may have stopped reading: whoever sends must not wait for it.
        Effect.ensuring(Effect.promise(async () => iterator.return?.())),
        Effect.onInterrupt(() => forget),
        Effect.catch((cause) =>
          failure === undefined ? Effect.fail(unavailable("blobs.write", "unknown")(cause)) : Effect.void
        )
      )
      if (failure !== undefined) {
        yield* forget
        return yield* Effect.failCause(failure)
      }
      if (hasEnded) return { sizeBytes, sha256: hash.digest("hex") }
      yield* forget
      return yield* unavailable("blobs.write", "no")(new Error("put resolved before it had read all bytes"))
    })

const makeRead =
  (blobs: Blobs, call: Call): BlobStore["Service"]["read"] =>
  (key, range) =>
    Stream.unwrap(
      Effect.map(
        call("get", unavailable("blobs.read", "no"), () => blobs.get(key, range)),
        (found: unknown): Stream.Stream<Uint8Array, BlobMissing | StoreUnavailable> => {
          if (Predicate.isNullish(found)) return Stream.fail(new BlobMissing({ key }))
          if (found instanceof Uint8Array) {
            return isIn(range, found)
              ? Stream.fromIterable(chunked(found))
              : Stream.fail(misgiven("get", `at most the ${range?.length} bytes that were asked for`, found))
          }
          if (!isIterable(found)) return Stream.fail(misgiven("get", foundBytes, found))
          return steps(
            call,
            "get",
            unavailable("blobs.read", "no")
          )(found).pipe(
            Stream.flatMap((chunk) =>
              chunk instanceof Uint8Array
                ? Stream.fromIterable(chunked(chunk))
                : Stream.fail(misgiven("get", foundBytes, chunk))
            )
          )
        }
      )
    )

/** Zero is a size: only null and undefined say that there are no bytes. */
const isSize = (given: unknown): given is number => Number.isSafeInteger(given) && Number(given) >= 0

const makeSize = (blobs: Blobs, call: Call) => (key: string, operation: "blobs.size" | "blobs.probe") =>
  Effect.flatMap(
    call("size", unavailable(operation, "no"), () => blobs.size(key)),
    (given: unknown) => {
      if (Predicate.isNullish(given)) return Effect.succeedNone
      return isSize(given)
        ? Effect.succeedSome(given)
        : Effect.fail(misgiven("size", "a number of bytes, whole and not below 0, or null", given))
    }
  )

const entries = "an async iterable of { key, writtenAt: Date }"

/** What is under a prefix; a store that looks past it must not have another workspace's files removed. */
const makeList = (blobs: Blobs, call: Call) => (prefix: string) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const found: unknown = yield* Effect.try({
        try: () => blobs.list(prefix),
        catch: unavailable("blobs.list", "no")
      })
      if (!isIterable(found)) return Stream.fail(misgiven("list", entries, found))
      return steps(
        call,
        "list",
        unavailable("blobs.list", "no")
      )(found).pipe(
        Stream.mapEffect((entry) =>
          isEntry(entry) ? Effect.succeed(entry) : Effect.fail(misgiven("list", entries, entry))
        ),
        Stream.filter(({ key }) => key.startsWith(prefix))
      )
    })
  )

const make = (blobs: Blobs, timeout: Duration.Duration): BlobStore["Service"] => {
  const call = makeCall(timeout)
  const list = makeList(blobs, call)
  const size = makeSize(blobs, call)
  const remove = (key: string) => call("remove", unavailable("blobs.remove", "unknown"), () => blobs.remove(key))
  return {
    write: makeWrite(blobs, call, timeout),
    adopt: Option.none(),
    read: makeRead(blobs, call),
    size: (key) => size(key, "blobs.size"),
    remove,
    removeAll: (workspaceId) => Stream.runForEach(list(`${workspaceId}/`), ({ key }) => remove(key)),
    listOlder: (before) =>
      list("").pipe(
        Stream.filter(({ writtenAt }) => writtenAt.getTime() < DateTime.toEpochMillis(before)),
        Stream.map(({ key }) => key)
      ),
    removeAbandoned: Effect.void,
    probe: Effect.as(size("probe/none", "blobs.probe"), "a store of one's own")
  }
}

/** How long each answer of a store is waited for, unless said otherwise. */
const blobsTimeout = Duration.seconds(30)

/**
 * `BlobStore` by plain async functions, for `createLoopbox` and for the suite of stores. Each answer, and each chunk, is waited
 * for within `timeout`, 30 seconds unless said otherwise; then it is as if it had thrown.
 */
export const blobStore = (
  blobs: Blobs,
  options: { readonly timeout?: Duration.Input | undefined } = {}
): Layer.Layer<BlobStore> =>
  Layer.succeed(BlobStore, make(blobs, Duration.fromInputUnsafe(options.timeout ?? blobsTimeout)))
