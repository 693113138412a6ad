import * as Result from "effect/Result"
import { type BlobPlace, readBlobPlace } from "./blobPlace.ts"
import { credential, oneOf, optional, type Parse, required, secret, type Setting } from "./Setting.ts"
import type * as Option from "effect/Option"

const place: Parse<BlobPlace> = (given) => Result.getSuccess(readBlobPlace(given))

/** Says what is wrong with an address; it isn't repeated, as somebody may have put a secret into it. */
const explain = (given: string): string =>
  Result.match(readBlobPlace(given), { onSuccess: () => "", onFailure: (fault) => ` As it stands, ${fault}.` })

const blobs: Setting<Option.Option<BlobPlace>> = {
  ...optional(
    {
      name: "LOOPBOX_BLOBS",
      default: "<data>/blobs",
      allowed: "the path of a folder, or s3://bucket/prefix?region=…&endpoint=https://…&path_style=true",
      description: "Where the media files lie. All processes on one database share it."
    },
    place
  ),
  explain
}

/** Where files are, and how a bucket of them is opened. */
export const blobSettings = {
  blobs,
  blobDownloads: required(
    {
      name: "LOOPBOX_BLOB_DOWNLOADS",
      default: "host",
      allowed: "host or bucket; bucket only where LOOPBOX_BLOBS is one",
      description:
        "Where a download with an API key gets its bytes: through the host, or by a redirect to the bucket, which callers must " +
        "then be able to reach. Signed links go through the host."
    },
    oneOf("host", "bucket"),
    "host"
  ),
  s3AccessKeyId: optional(
    {
      name: "LOOPBOX_S3_ACCESS_KEY_ID",
      default: "none: AWS_ACCESS_KEY_ID, a profile, or the role of the machine",
      allowed: "an access key id, without quotes and spaces",
      description: "The key that opens the bucket, together with LOOPBOX_S3_SECRET_ACCESS_KEY."
    },
    credential
  ),
  s3SecretAccessKey: secret(
    {
      name: "LOOPBOX_S3_SECRET_ACCESS_KEY",
      default: "none: AWS_SECRET_ACCESS_KEY, a profile, or the role of the machine",
      allowed: "a secret access key, without quotes and spaces",
      description: "The secret of that key."
    },
    credential
  )
}
