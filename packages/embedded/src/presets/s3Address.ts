import type { S3BlobStoreOptions } from "@loopbox/adapters-blobs/s3/S3BlobStore"
import * as Result from "effect/Result"

/** Where files lie in S3, as an address says it; who may read them is said elsewhere. */
export type S3Place = Pick<S3BlobStoreOptions, "bucket" | "prefix" | "region" | "endpoint" | "pathStyle">

/** Whether a text is meant as an address in S3. */
export const isS3Address = (text: string): boolean => /^s3:/i.test(text)

const form = "s3://bucket/prefix?region=eu-central-1&endpoint=https://…&path_style=true"

const known = new Set(["region", "endpoint", "path_style"])

const wrong = (what: string) => Result.fail(`${what}; an address in S3 is ${form}`)

/**
 * Reads `s3://bucket/prefix?region=&endpoint=&path_style=` (api-2.md §18). The region is AWS' own default without one, and
 * the endpoint AWS'.
 *
 * @returns the place, or what is wrong with the address, as a sentence's beginning
 */
export const readS3Address = (text: string): Result.Result<S3Place, string> =>
  Result.gen(function* () {
    if (!URL.canParse(text) || !/^s3:\/\//i.test(text)) return yield* wrong("it can't be read")
    const url = new URL(text)
    const { hostname: bucket, pathname, searchParams } = url
    if (url.username !== "" || url.password !== "" || url.port !== "" || url.hash !== "")
      return yield* wrong("it has more than a bucket, a prefix and a query (no credentials stand in it)")
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return yield* wrong("the bucket's name is none of S3")
    const other = Array.from(searchParams.keys()).find((name) => !known.has(name))
    if (other !== undefined) return yield* wrong(`${other} is not known`)
    const twice = Array.from(known).find((name) => searchParams.getAll(name).length > 1)
    if (twice !== undefined) return yield* wrong(`${twice} is there twice`)
    const endpoint = searchParams.get("endpoint")
    if (endpoint !== null && !/^https?:\/\/[^/?#]+\/?$/.test(endpoint))
      return yield* wrong("endpoint must be an http(s) address without a path")
    const pathStyle = searchParams.get("path_style") ?? "false"
    if (pathStyle !== "true" && pathStyle !== "false") return yield* wrong("path_style must be true or false")
    const decoded = Result.try(() => decodeURIComponent(pathname))
    if (Result.isFailure(decoded)) return yield* wrong("its prefix has an escape that can't be read")
    const prefix = decoded.success.replace(/^\/+|\/+$/g, "")
    return {
      bucket,
      region: searchParams.get("region") ?? "us-east-1",
      pathStyle: pathStyle === "true",
      ...(prefix === "" ? {} : { prefix: `${prefix}/` }),
      ...(endpoint === null ? {} : { endpoint })
    }
  })
