import * as Result from "effect/Result"
import { knownNetworks } from "@loopbox/adapters-social/socialNetworks"
import { judgeBlobs } from "../ports/blobs.ts"
import { isS3Address, readS3Address } from "./s3Address.ts"
import { judgePlans } from "../ports/plans.ts"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { parseSecretKeys } from "./secretKeys.ts"
import * as Option from "effect/Option"

const known: Readonly<Record<keyof LoopboxOptions, true>> = {
  databaseUrl: true,
  listenerUrl: true,
  data: true,
  secretKeys: true,
  publicUrl: true,
  blobs: true,
  ffmpeg: true,
  networks: true,
  identity: true,
  plans: true,
  workers: true,
  api: true
}

/** A new key, for a message that says how to make one. */
const makeOne = `node -e "console.log('first:' + crypto.randomBytes(32).toString('base64'))"`

/** An environment variable that is not set must not put a customer's data into the memory. */
const judgeAbsent = (options: LoopboxOptions): ReadonlyArray<string> =>
  (["databaseUrl", "listenerUrl", "secretKeys", "publicUrl"] as const)
    .filter((name) => name in options && options[name] === undefined)
    .map((name) => `${name} is undefined: set what it is read from, or leave the option out`)

const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url)

const judgeDatabase = ({ data, databaseUrl, listenerUrl, secretKeys }: LoopboxOptions): ReadonlyArray<string> => {
  if (databaseUrl !== undefined && !isPostgres(databaseUrl)) return ["databaseUrl must begin with postgresql://"]
  if (listenerUrl !== undefined && !isPostgres(listenerUrl)) return ["listenerUrl must begin with postgresql://"]
  if (listenerUrl !== undefined && databaseUrl === undefined) {
    return ["listenerUrl is the database behind the pooler that databaseUrl names, which is missing"]
  }
  if (data === "") return ["data must be a folder"]
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
  publicUrl === undefined || (URL.canParse(publicUrl) && /^https?:/.test(publicUrl))
    ? []
    : ["publicUrl must be an http or https address"]

const judgeApi = ({ api, identity }: LoopboxOptions): ReadonlyArray<string> => [
  ...(api?.adminToken === undefined || /^[\x21-\x7e]{32,512}$/.test(api.adminToken)
    ? []
    : ["api.adminToken must have 32 to 512 printable characters and no space"]),
  ...(identity === undefined || typeof identity === "function" || typeof identity.url === "string"
    ? []
    : ["identity must be an async function, or { url, issuer, audience }"])
]

/** Everything that is wrong with the options, so that it can be mended at once. */
export const judgeOptions = (options: LoopboxOptions): ReadonlyArray<string> => [
  ...Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `${name} is no option: they are ${Object.keys(known).join(", ")}`),
  ...judgeAbsent(options),
  ...judgeDatabase(options),
  ...judgeFiles(options),
  ...judgeUrl(options),
  ...judgeApi(options),
  ...(options.plans === undefined ? [] : judgePlans(options.plans, knownNetworks.sources))
]
