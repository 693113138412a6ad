import type { LifecycleRule, S3Client } from "@aws-sdk/client-s3"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callWith, openClient, type S3BucketOptions } from "./s3Client.ts"
import { codeOf, explainS3, statusOf } from "./s3Failure.ts"

/** What was found of one thing, in a sentence. */
export interface BucketFinding {
  readonly name: "bucket" | "bucket clock" | "bucket uploads"
  readonly isWell: boolean
  readonly message: string
}

/** S3 refuses what is signed 15 minutes off; a clock that is a third of that off is about to be. */
const mostSkew_s = 300

const ruleDays = 2
const ruleId = "loopbox-unfinished-uploads"

/** Notes the `Date` of the first answer, also where it is a refusal. */
const watchDate = (client: S3Client): (() => string | undefined) => {
  let first: string | undefined
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const response: unknown = result.response
      if (typeof response !== "object" || response === null || !("headers" in response)) return result
      const { headers } = response
      if (typeof headers !== "object" || headers === null || !("date" in headers)) return result
      if (typeof headers.date === "string") first ??= headers.date
      return result
    },
    // Nearest to the wire.
    { step: "deserialize", priority: "low", name: "loopboxWatchDate" }
  )
  return () => first
}

const judgeClock = (date: string | undefined, now: DateTime.Utc): BucketFinding => {
  const name = "bucket clock"
  const there = Option.fromUndefinedOr(date).pipe(Option.flatMap(DateTime.make))
  if (Option.isNone(there)) return { name, isWell: true, message: "the store does not say what time it has" }
  const ahead_s = Math.round((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(there.value)) / 1000)
  const off = Math.abs(ahead_s)
  // Its header has whole seconds, and the answer took its way.
  if (off <= 2) return { name, isWell: true, message: "this machine's clock agrees with the store's" }
  const message = `this machine's clock is ${off} s ${ahead_s > 0 ? "ahead of" : "behind"} the store's`
  return off <= mostSkew_s
    ? { name, isWell: true, message }
    : {
        name,
        isWell: false,
        message: `${message}, which refuses requests that are 15 minutes off: set the clock right`
      }
}

const covers = (rule: LifecycleRule, prefix: string): boolean => {
  const { Filter } = rule
  const isNarrower = Filter !== undefined && Object.keys(Filter).some((name) => name !== "Prefix")
  return (
    rule.Status === "Enabled" &&
    rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation !== undefined &&
    !isNarrower &&
    prefix.startsWith(Filter?.Prefix ?? "")
  )
}

const ownSweep = "; workers remove unfinished uploads themselves, a day after they began"

const explainNoRule = (cause: unknown): string => {
  const status = statusOf(cause)
  if (status === 501 || status === 405) return "this store knows no rules for unfinished uploads"
  if (status === 403) {
    return (
      "these credentials may not see or set the bucket's rules for unfinished uploads " +
      "(s3:GetLifecycleConfiguration, s3:PutLifecycleConfiguration)"
    )
  }
  return `this store takes no rule for unfinished uploads (${codeOf(cause)})`
}

/**
 * Whether a bucket can be used: writes, reads, lists and deletes an object of its own, compares the clocks, and looks for
 * the rule by which the store removes unfinished uploads. `mend` adds that rule where it is missing; the others stay.
 */
export const examineBucket = Effect.fn("S3.examineBucket")(function* (
  options: S3BucketOptions,
  { mend }: { readonly mend: boolean }
) {
  const { sdk, client } = yield* openClient(options)
  const call = callWith(client)
  const dateSeen = watchDate(client)
  const { bucket: Bucket, prefix = "" } = options
  const Key = `${prefix}doctor`
  const place = `s3://${Bucket}/${prefix}`
  const Body = new Uint8Array([100])

  const may = <A>(what: string, effect: Effect.Effect<A, unknown>) =>
    Effect.mapError(effect, (cause) => `cannot ${what}: ${explainS3(Bucket, cause)}`)

  const use = Effect.gen(function* () {
    yield* may(
      "write",
      call((s3, signal) => s3.send(new sdk.PutObjectCommand({ Bucket, Key, Body }), signal))
    )
    const read = yield* may(
      "read",
      call((s3, signal) => s3.send(new sdk.GetObjectCommand({ Bucket, Key }), signal)).pipe(
        Effect.flatMap(({ Body: body }) =>
          Effect.tryPromise({
            try: async () => (body === undefined ? new Uint8Array() : body.transformToByteArray()),
            catch: (cause) => cause
          })
        )
      )
    )
    yield* may(
      "list",
      call((s3, signal) => s3.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 }), signal))
    )
    yield* may(
      "delete",
      call((s3, signal) => s3.send(new sdk.DeleteObjectCommand({ Bucket, Key }), signal))
    )
    return read[0] === Body[0]
  }).pipe(
    Effect.match({
      onFailure: (message): BucketFinding => ({ name: "bucket", isWell: false, message: `${place} ${message}` }),
      onSuccess: (isSame): BucketFinding => ({
        name: "bucket",
        isWell: isSame,
        message: isSame
          ? `${place}: objects can be written, read, listed and deleted`
          : `${place} gives other bytes back than were written`
      })
    })
  )

  const addRule = (rules: ReadonlyArray<LifecycleRule>) =>
    call((s3, signal) =>
      s3.send(
        new sdk.PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: {
            Rules: [
              ...rules.filter(({ ID }) => ID !== ruleId),
              {
                ID: ruleId,
                Status: "Enabled",
                Filter: { Prefix: prefix },
                AbortIncompleteMultipartUpload: { DaysAfterInitiation: ruleDays }
              }
            ]
          }
        }),
        signal
      )
    )

  const readRules = call((s3, signal) =>
    s3.send(new sdk.GetBucketLifecycleConfigurationCommand({ Bucket }), signal)
  ).pipe(
    Effect.map(({ Rules = [] }): ReadonlyArray<LifecycleRule> => Rules),
    Effect.catchIf(
      (cause) => codeOf(cause) === "NoSuchLifecycleConfiguration",
      () => Effect.succeed<ReadonlyArray<LifecycleRule>>([])
    )
  )

  const uploads = Effect.gen(function* () {
    const rules = yield* readRules
    if (rules.some((rule) => covers(rule, prefix))) return "a rule of the bucket removes unfinished uploads"
    if (!mend) {
      return `no rule of the bucket removes unfinished uploads${ownSweep}. \`loopbox doctor --repair\` adds one`
    }
    yield* addRule(rules)
    return `a rule was added to the bucket: it removes unfinished uploads after ${ruleDays} days`
  }).pipe(
    Effect.match({
      onSuccess: (message): BucketFinding => ({ name: "bucket uploads", isWell: true, message }),
      // Never a fault of its own: workers do without.
      onFailure: (cause): BucketFinding => ({
        name: "bucket uploads",
        isWell: true,
        message: explainNoRule(cause) + ownSweep
      })
    })
  )

  const used = yield* use
  const clock = judgeClock(dateSeen(), yield* DateTime.now)
  const findings: ReadonlyArray<BucketFinding> = used.isWell ? [used, clock, yield* uploads] : [used, clock]
  return findings
}, Effect.scoped)
