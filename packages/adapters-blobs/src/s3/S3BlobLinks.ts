import { BlobLinks } from "@loopbox/core/media/BlobLinks"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { presign } from "./presign.ts"
import { openClient, type S3BucketOptions } from "./s3Client.ts"
import { s3Unavailable } from "./s3Failure.ts"

/** Long enough to begin a download; one that runs goes on past it. */
const expiresIn = Duration.minutes(5)

/** Where the bucket answers, and how its path begins. */
const placeOf = ({ bucket, endpoint, pathStyle, region }: S3BucketOptions) => {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  // A certificate for `*.s3.…` is none for a name with a dot.
  if (pathStyle === true || bucket.includes(".")) return { origin: url.origin, path: `/${bucket}/` }
  return { origin: `${url.protocol}//${bucket}.${url.host}`, path: "/" }
}

/** Presigned addresses of the bucket's objects: whoever has one may get that object for five minutes. */
export const layer = (options: S3BucketOptions) =>
  Layer.effect(
    BlobLinks,
    Effect.gen(function* () {
      const { client } = yield* openClient(options)
      const { origin, path } = placeOf(options)
      return Option.some((key, { cacheControl, contentDisposition, contentType }) =>
        Effect.flatMap(DateTime.now, (at) =>
          Effect.tryPromise({
            try: async () =>
              presign(await client.config.credentials(), {
                origin,
                path: `${path}${options.prefix ?? ""}${key}`,
                region: options.region,
                query: {
                  "response-cache-control": cacheControl,
                  "response-content-disposition": contentDisposition,
                  "response-content-type": contentType
                },
                at,
                expiresIn
              }),
            catch: s3Unavailable(options.bucket, "blobs.link", "no")
          })
        )
      )
    })
  )
