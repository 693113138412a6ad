import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { s3Key } from "./bucket.ts"

/**
 * The switch by which the hosts of all these tests run on a distributed database and a bucket, though their tests know nothing of
 * it: `LOOPBOX_TEST_HOST_DATABASE` is what `.ci/citus.sh` prints, `LOOPBOX_TEST_HOST_S3` the address that `.ci/swift.sh` serves.
 * A prepared folder then holds an installation that was moved as docs/operations say, each to a database and a place in the bucket
 * of its own, with its settings in `.env`; a database that a test asks for is distributed before it gets it. What is about the
 * embedded server, a server of its own or files in a folder says so by `describeUnmoved` (`unmoved.ts`).
 */
export const movedTo = {
  coordinator: process.env["LOOPBOX_TEST_HOST_DATABASE"],
  s3: process.env["LOOPBOX_TEST_HOST_S3"]
}

export const isMoved = movedTo.coordinator !== undefined

/** A place in the bucket for what would lie in this folder. */
export const bucketFor = (name: string): string =>
  `s3://loopbox/moved-${createHash("sha256").update(name).digest("hex").slice(0, 16)}?path_style=true&endpoint=` +
  encodeURIComponent(movedTo.s3 ?? "")

/** What a host that has a server keeps its files in; a folder becomes a place in the bucket. */
export const movedFiles = (
  variables: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string | undefined>> => {
  const { DATABASE_URL, LOOPBOX_BLOBS } = variables
  if (movedTo.s3 === undefined || DATABASE_URL === undefined) return variables
  if (LOOPBOX_BLOBS === undefined || LOOPBOX_BLOBS.startsWith("s3:")) return variables
  return { ...s3Key, ...variables, LOOPBOX_BLOBS: bucketFor(LOOPBOX_BLOBS) }
}

/**
 * A host on the embedded server lets webhooks of Demo's accounts come by itself; for one that was moved somebody says
 * `loopbox sandbox subscribe` after each start.
 */
export const subscribeMoved = async (folder: string): Promise<void> => {
  const noted = join(folder, ".loopbox", "serve.json")
  if (movedTo.coordinator === undefined || !existsSync(join(folder, ".env")) || !existsSync(noted)) return
  const sandbox = /"sandbox_url": *"([^"]+)"/.exec(readFileSync(noted, "utf8"))?.[1]
  if (sandbox === undefined) return
  const headers = { "content-type": "application/json" }
  await fetch(`${sandbox}/sandbox/subscribe`, { method: "POST", headers, body: "{}" })
}
