import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Only a checkout has it: what is published carries the files. */
const script = fileURLToPath(new URL("../../../../scripts/buildElements.mjs", import.meta.url))

const within_ms = 60_000

/**
 * In a checkout, builds the console's files where they are missing or older than their source. The host goes on without
 * them where that fails, and says why.
 */
export const buildBrowserFiles = Effect.suspend(() =>
  existsSync(script)
    ? Effect.callback<string | undefined>((resume) => {
        const build = execFile(process.execPath, [script], { timeout: within_ms }, (error, _stdout, stderr) =>
          resume(Effect.succeed(error === null ? undefined : stderr.trim() || error.message))
        )
        return Effect.sync(() => build.kill())
      })
    : Effect.succeed(undefined)
).pipe(
  Effect.flatMap((failure) =>
    failure === undefined
      ? Effect.void
      : Effect.logWarning("the console could not be built; `npm run build:elements` shows why").pipe(
          Effect.annotateLogs({ failure })
        )
  )
)
