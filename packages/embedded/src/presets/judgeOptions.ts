import * as Result from "effect/Result"
import { knownNetworks } from "@loopbox/adapters-social/socialNetworks"
import { judgeBlobs } from "../ports/blobs.ts"
import { isS3Address, readS3Address } from "./s3Address.ts"
import { judgePlans } from "../ports/plans.ts"
import { judgeKinds } from "./judgeKinds.ts"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { parseSecretKeys } from "./secretKeys.ts"
import * as Option from "effect/Option"

/** A new key, for a message that says how to make one. */
const makeOne = `node -e "console.log('first:' + crypto.randomBytes(32).toString('base64'))"`

const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

const judgeDatabase = ({ databaseUrl, listenerUrl, secretKeys }: LoopboxOptions): ReadonlyArray<string> => {
  if (databaseUrl !== undefined && !isPostgres(databaseUrl)) return ["databaseUrl must begin with postgresql://"]
  if (listenerUrl !== undefined && !isPostgres(listenerUrl)) return ["listenerUrl must begin with postgresql://"]
  if (listenerUrl !== undefined && databaseUrl === undefined) {
    return ["listenerUrl is the database behind the pooler that databaseUrl names, which is missing"]
  }
  if (secretKeys !== undefined && Option.isNone(parseSecretKeys(secretKeys))) {
    return [`secretKeys must be id:<32 bytes in base64>, parted by commas, each id once; ${makeOne} makes one`]
  }
  return databaseUrl !== undefined && !("secretKeys" in { secretKeys } && secretKeys !== undefined)
    ? [`secretKeys is missing, which seal the tokens of accounts in the database; ${makeOne} makes one`]
    : []
}

/** `gs://bucket` and `https://…`, which would be a folder of that name; `C:` is a folder's. */
const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text)

const judgeFiles = ({ blobs, data, databaseUrl }: LoopboxOptions): ReadonlyArray<string> => {
  if (typeof blobs === "object") return judgeBlobs(blobs)
  if (blobs !== undefined && isS3Address(blobs))
    return Result.match(readS3Address(blobs), { onSuccess: () => [], onFailure: (fault) => [`blobs: ${fault}`] })
  if (blobs !== undefined && isAddress(blobs)) {
    const store = "a store of your own, { put, get, size, remove, list }, as the README has one"
    return [`blobs is an address of something that is not built in. Give a folder, s3://bucket, or ${store}`]
  }
  return blobs === undefined && data === undefined && databaseUrl !== undefined
    ? ["blobs is missing: with a database files need a place, too: a folder, or { put, get, size, remove, list }"]
    : []
}

const judgeUrl = ({ publicUrl }: LoopboxOptions): ReadonlyArray<string> =>
  publicUrl === undefined || (/^https?:[^?#]+$/.test(publicUrl) && URL.canParse(publicUrl))
    ? []
    : ["publicUrl must be an http or https address, without ? and #"]

const judgeTimeouts = ({ blobs, identity, timeouts = {} }: LoopboxOptions): ReadonlyArray<string> => [
  ...(timeouts.blobs === undefined || typeof blobs === "object"
    ? []
    : ["timeouts.blobs is for a store of your own, which blobs is not"]),
  ...(timeouts.identity === undefined || typeof identity === "function"
    ? []
    : ["timeouts.identity is for a function of yours, which identity is not"])
]

/** Everything that is wrong with the options, so that it can be mended at once. */
export const judgeOptions = (options: LoopboxOptions): ReadonlyArray<string> => {
  const { problems, right } = judgeKinds(options)
  const others = [
    ...judgeDatabase(right),
    ...judgeFiles(right),
    ...judgeUrl(right),
    ...judgeTimeouts(right),
    ...(right.plans === undefined ? [] : judgePlans(right.plans, knownNetworks.sources))
  ]
  // One of a wrong kind is not missing besides.
  const isTold = (problem: string) => problems.some((told) => told.split(" ")[0] === problem.split(" ")[0])
  return [...problems, ...others.filter((problem) => !isTold(problem))]
}
