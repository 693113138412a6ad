import * as S3BlobLinks from "@loopbox/adapters-blobs/s3/S3BlobLinks"
import * as bucketFiles from "@loopbox/embedded/presets/bucketFiles"
import * as localFiles from "@loopbox/embedded/presets/localFiles"
import { isS3Address, readS3Address, type S3Place } from "@loopbox/embedded/presets/s3Address"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as path from "node:path"

/** Where files lie: in a folder, whose path is absolute, or under a prefix of a bucket. */
export type BlobPlace =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "bucket"; readonly bucket: S3Place }

/** What was given for the bucket; without it AWS' own places are looked at: environment, profile, role of the machine. */
export interface S3Key {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
}

/** `gs://bucket` and `https://…`, which would be a folder of that name; `C:` is a folder's. */
const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text)

/**
 * Reads a folder's path or an address in S3.
 *
 * @returns the place, or what is wrong with the address, as a sentence's beginning
 */
export const readBlobPlace = (text: string): Result.Result<BlobPlace, string> => {
  if (isS3Address(text)) {
    return Result.map(readS3Address(text), (bucket): BlobPlace => ({ kind: "bucket", bucket }))
  }
  if (isAddress(text)) return Result.fail("it is an address of something that is not built in")
  return Result.succeed({ kind: "folder", folder: path.resolve(text) })
}

/** The place as people name it. */
export const describePlace = (place: BlobPlace): string =>
  place.kind === "folder" ? place.folder : `s3://${place.bucket.bucket}/${place.bucket.prefix ?? ""}`

/** The bucket as the adapter takes it. */
export const bucketOptions = (bucket: S3Place, key: Option.Option<S3Key>): Parameters<typeof bucketFiles.layer>[0] => ({
  ...bucket,
  ...Option.match(key, { onNone: () => ({}), onSome: (credentials) => ({ credentials }) })
})

/** Addresses of the place's own; none of a folder. */
export const layerBlobLinksAt = (place: BlobPlace, key: Option.Option<S3Key>) =>
  place.kind === "folder" ? Layer.empty : S3BlobLinks.layer(bucketOptions(place.bucket, key))

/** The files of a place. */
export const layerBlobsAt = (place: BlobPlace, key: Option.Option<S3Key>) =>
  place.kind === "folder" ? localFiles.layer(place.folder) : bucketFiles.layer(bucketOptions(place.bucket, key))
