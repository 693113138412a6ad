import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"

/** What S3 answers, and what somebody can do about it. */
const advice: Readonly<Record<string, string>> = {
  NoSuchBucket: "the bucket does not exist: make it, or name another one",
  AccessDenied: "the credentials may not do this: allow them to get, put, delete and list in this bucket",
  ExpiredToken: "the credentials have expired: renew them",
  TokenRefreshRequired: "the credentials have expired: renew them",
  InvalidAccessKeyId: "the access key is unknown there",
  SignatureDoesNotMatch: "the secret access key is wrong",
  CredentialsProviderError: "no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role",
  RequestTimeTooSkewed: "this machine's clock is wrong: it differs from the store's by more than 15 minutes",
  PermanentRedirect: "the bucket lies in another region",
  SlowDown: "it asks for fewer requests",
  ECONNREFUSED: "nothing listens at its address",
  ENOTFOUND: "its host name is not known",
  ETIMEDOUT: "it did not answer in time",
  TimeoutError: "it did not answer in time"
}

/** The store's own word for a failure: a code of S3, or that of a connection that failed. */
export const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "unknown"
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.name
}

/** The HTTP status of an answer; undefined where there was none. */
export const statusOf = (cause: unknown): number | undefined => {
  if (typeof cause !== "object" || cause === null || !("$metadata" in cause)) return undefined
  const metadata = cause.$metadata
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined
}

/** Whether the same call may succeed soon: no answer, too many requests, or a fault of the server. */
export const isPassing = (cause: unknown): boolean => {
  const status = statusOf(cause)
  if (status === undefined) return codeOf(cause) !== "CredentialsProviderError"
  // 501 is a feature that the store does not have.
  return status === 408 || status === 429 || (status >= 500 && status !== 501)
}

/** What is wrong with a bucket, and what to do, in one sentence. */
export const explainS3 = (bucket: string, cause: unknown): string => {
  const code = codeOf(cause)
  const why = advice[code] ?? (cause instanceof Error ? cause.message : "unknown")
  return `The bucket ${bucket} cannot be used (${code}): ${why}.`
}

/** Makes the failure of a port's method, with a sentence that says which bucket and what to do. */
export const s3Unavailable =
  (bucket: string, operation: string, committed: StoreUnavailable["committed"]) => (cause: unknown) =>
    new StoreUnavailable({ operation, committed, cause: new Error(explainS3(bucket, cause), { cause }) })
