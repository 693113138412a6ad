import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { join } from "node:path"
import type { LoopboxOptions } from "./LoopboxOptions.ts"
import { cannotUse } from "./makeDataFolder.ts"
import { OptionsInvalid } from "./OptionsInvalid.ts"
import { formatSecretKeys, parseSecretKeys, type SecretKeys } from "./secretKeys.ts"

const makeKey = Effect.fnUntraced(function* () {
  const random = yield* SecureRandom
  return formatSecretKeys([{ id: "generated", bytes: yield* random.randomBytes(32) }])
})

/** The keys of a folder, made at the first start in a folder that is there. Whoever comes second takes those of the first. */
const readOrMake = Effect.fnUntraced(
  function* (folder: string) {
    const fs = yield* FileSystem.FileSystem
    const file = join(folder, "secret-keys")
    yield* fs.writeFileString(file, yield* makeKey(), { flag: "wx", mode: 0o600 }).pipe(
      Effect.catchIf(
        ({ reason }) => reason._tag === "AlreadyExists",
        () => Effect.void
      )
    )
    return { file, text: (yield* fs.readFileString(file)).trim() }
  },
  (keys, folder) => Effect.mapError(keys, cannotUse("data", folder))
)

/** The keys that were given, else those of the data folder, else new ones that live as long as the memory. */
export const findSecretKeys = Effect.fnUntraced(function* ({
  data,
  databaseUrl,
  secretKeys
}: LoopboxOptions): Effect.fn.Return<
  Redacted.Redacted<SecretKeys>,
  OptionsInvalid,
  FileSystem.FileSystem | SecureRandom
> {
  const parse = (text: string, problem: string) =>
    Option.match(parseSecretKeys(text), {
      onNone: () => Effect.fail(new OptionsInvalid({ problems: [problem] })),
      onSome: (keys) => Effect.succeed(Redacted.make(keys))
    })
  if (secretKeys !== undefined) {
    return yield* parse(secretKeys, "secretKeys must be id:<32 bytes in base64>, parted by commas, each id once")
  }
  if (data === undefined || databaseUrl !== undefined)
    return yield* parse(yield* makeKey(), "secretKeys cannot be made")
  const { file, text } = yield* readOrMake(data)
  return yield* parse(text, `${file} does not hold secret keys: put back the file that was there`)
})
