import type * as Sdk from "@aws-sdk/client-s3"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import { codeOf, isPassing, statusOf } from "./s3Failure.ts"

/** Which bucket, and how it is opened. */
export interface S3BucketOptions {
  readonly bucket: string
  /** Put before each key, such as `loopbox/`. */
  readonly prefix?: string
  readonly region: string
  /** The address of a store that is not AWS. */
  readonly endpoint?: string
  /** Names the bucket in the path instead of the host name, as many stores want it that are not AWS. */
  readonly pathStyle?: boolean
  /** By default they are looked for where AWS' own tools look: environment, profile, role of the machine. */
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted<string>
    readonly sessionToken?: Redacted.Redacted<string>
  }
  /** How long the store may be silent, in milliseconds; 30,000 by default. */
  readonly silence_ms?: number
}

/** Every call may be repeated: a key is written once, and a part under its number. */
const again = {
  while: isPassing,
  times: 3,
  schedule: Schedule.jittered(Schedule.exponential("100 millis"))
}

interface OpenClient {
  readonly sdk: typeof Sdk
  readonly client: Sdk.S3Client
}

/** A client for the scope, and the library that it is of. */
export const openClient = Effect.fnUntraced(function* (
  options: S3BucketOptions
): Effect.fn.Return<OpenClient, never, Scope> {
  // Loaded only where files are in S3.
  const sdk = yield* Effect.promise(() => import("@aws-sdk/client-s3"))
  const silence_ms = options.silence_ms ?? 30_000
  const { credentials } = options
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new sdk.S3Client({
          region: options.region,
          ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
          forcePathStyle: options.pathStyle ?? false,
          ...(credentials === undefined
            ? {}
            : {
                credentials: {
                  accessKeyId: credentials.accessKeyId,
                  secretAccessKey: Redacted.value(credentials.secretAccessKey),
                  ...(credentials.sessionToken === undefined
                    ? {}
                    : { sessionToken: Redacted.value(credentials.sessionToken) })
                }
              }),
          // The retries are ours.
          maxAttempts: 1,
          // Not every store knows AWS' newer checksums; the SHA-256 of each part is in its signature.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: {
            connectionTimeout: 5_000,
            requestTimeout: silence_ms,
            throwOnRequestTimeout: true,
            socketTimeout: silence_ms
          }
        })
    ),
    (client) => Effect.sync(() => client.destroy())
  )
  return { sdk, client }
})

/** Sends a command; what passes is tried again. */
export const callWith =
  (client: Sdk.S3Client) =>
  <A>(send: (client: Sdk.S3Client, options: { readonly abortSignal: AbortSignal }) => Promise<A>) =>
    Effect.tryPromise({
      try: (signal) => send(client, { abortSignal: signal }),
      catch: (cause) => cause
    }).pipe(Effect.retry(again))

/** The object is not there, while its bucket is. */
export const isAbsent = (cause: unknown) => statusOf(cause) === 404 && codeOf(cause) !== "NoSuchBucket"
