import * as S3BlobStore from "@loopbox/adapters-blobs/s3/S3BlobStore"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { DateTime, Effect, Option, Redacted, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"

/** A server that speaks S3, with the bucket `loopbox` in it: `.ci/run` starts OpenStack Swift. */
export const s3Endpoint: string | undefined = process.env["LOOPBOX_TEST_S3"]

/** What opens its bucket. */
export const s3Key = { LOOPBOX_S3_ACCESS_KEY_ID: "test:tester", LOOPBOX_S3_SECRET_ACCESS_KEY: "testing" }

/** A place of its own in that bucket, as a setting and to look into; `server` stands before the real one where it is given. */
export const bucketPlace = (server: string = s3Endpoint ?? "") => {
  const prefix = `host-${randomBytes(6).toString("hex")}`
  const store = S3BlobStore.layer({
    bucket: "loopbox",
    prefix: `${prefix}/`,
    region: "us-east-1",
    endpoint: s3Endpoint ?? "",
    pathStyle: true,
    credentials: { accessKeyId: "test:tester", secretAccessKey: Redacted.make("testing") },
    createSha256: () => createHash("sha256")
  })
  const run = <A, E>(effect: Effect.Effect<A, E, BlobStore>) => Effect.runPromise(Effect.provide(effect, store))
  /** The keys of its files. */
  const keys = () =>
    run(
      BlobStore.use((blobs) =>
        Effect.flatMap(DateTime.now, (now) => Stream.runCollect(blobs.listOlder(DateTime.add(now, { days: 1 }))))
      )
    )
  const put = (key: string, text: string) =>
    run(BlobStore.use((blobs) => blobs.write(key, Stream.make(new TextEncoder().encode(text)))))
  const size = async (key: string) => Option.getOrUndefined(await run(BlobStore.use((blobs) => blobs.size(key))))
  const address = `s3://loopbox/${prefix}?path_style=true&endpoint=${encodeURIComponent(server)}`
  return { address, prefix, keys, put, size }
}
