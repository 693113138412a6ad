import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Base64Url from "effect/encoding/Base64Url"
import { CommandFailed } from "./CommandFailed.ts"
import { placesIn, readOrMake, readPrivateFile } from "./dataFolder.ts"
import type { HostConfig } from "./hostConfig.ts"
import { formatSecretKeys, parseSecretKeys, type SecretKeys } from "@loopbox/embedded/presets/secretKeys"

export interface HostSecrets {
  /** Absent: there is no admin API. */
  readonly adminToken: Option.Option<Redacted.Redacted<string>>
  readonly keys: Redacted.Redacted<SecretKeys>
  /** Signs development tokens of the dashboard; absent where an identity provider does, or nobody. */
  readonly dashboardKey: Option.Option<Redacted.Redacted<Uint8Array>>
}

/** The admin token that is configured, else that of the data folder. */
export const findAdminToken = Effect.fnUntraced(function* (config: HostConfig) {
  if (Option.isSome(config.adminToken)) return config.adminToken
  return Option.map(yield* readPrivateFile(placesIn(config.dataFolder).adminToken), Redacted.make)
})

const makeToken = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return Base64Url.encode(yield* random.randomBytes(32))
})

const makeKeys = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return formatSecretKeys([{ id: "generated", bytes: yield* random.randomBytes(32) }])
})

const dashboardKeyBytes = 32

/** The seed of the local issuer, only where nothing is configured. */
const readDashboardKey = Effect.fnUntraced(function* (config: HostConfig) {
  if (Option.isSome(config.databaseUrl) || Option.isSome(config.dashboard)) return Option.none()
  const random = yield* SecureRandom
  const file = placesIn(config.dataFolder).dashboardKey
  const make = Effect.map(random.randomBytes(dashboardKeyBytes), Base64Url.encode)
  const bytes = Result.getSuccess(Base64Url.decode(yield* readOrMake(file, make)))
  if (Option.isNone(bytes) || bytes.value.length !== dashboardKeyBytes) {
    return yield* new CommandFailed({ message: `${file} does not hold a key. Remove it, and a new one is made.` })
  }
  return Option.some(Redacted.make(bytes.value))
})

/** The secrets that were given; with nothing configured those of the data folder, made at the first start. */
export const hostSecrets = Effect.fn("hostSecrets")(function* (
  config: HostConfig
): Effect.fn.Return<HostSecrets, CommandFailed, FileSystem.FileSystem | SecureRandom> {
  const random = yield* SecureRandom
  const places = placesIn(config.dataFolder)
  const isLocal = Option.isNone(config.databaseUrl)
  const provideRandom = Effect.provideService(SecureRandom, random)

  const adminToken =
    Option.isSome(config.adminToken) || !isLocal
      ? config.adminToken
      : Option.some(Redacted.make(yield* readOrMake(places.adminToken, provideRandom(makeToken()))))
  const dashboardKey = yield* readDashboardKey(config)
  if (Option.isSome(config.secretKeys)) return { adminToken, dashboardKey, keys: config.secretKeys.value }

  const text = yield* readOrMake(places.secretKeys, provideRandom(makeKeys()))
  return { adminToken, dashboardKey, keys: yield* parseKeysOf(places.secretKeys, text) }
})

const parseKeysOf = (file: string, text: string) =>
  Option.match(parseSecretKeys(text), {
    onNone: () =>
      new CommandFailed({ message: `${file} does not hold secret keys. Put back the file that was there.` }),
    onSome: (keys) => Effect.succeed(Redacted.make(keys))
  })

/** The secret keys for a command that only looks: none where no host has made them yet. */
export const readSecretKeys = Effect.fn("readSecretKeys")(function* (config: HostConfig) {
  if (Option.isSome(config.secretKeys)) return config.secretKeys
  const file = placesIn(config.dataFolder).secretKeys
  const text = Option.filter(yield* readPrivateFile(file), (found) => found !== "")
  return Option.isNone(text) ? Option.none() : Option.some(yield* parseKeysOf(file, text.value))
})
