import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { assert, describe, it } from "@effect/vitest"
import { Effect, PlatformError } from "effect"
import { blobsCheck } from "../src/health.ts"

describe("the check of the files' place", () => {
  it.effect("names a full disk, which is no kind of error that the platform knows", () =>
    Effect.gen(function* () {
      const cause = PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method: "writeFile",
        pathOrDescriptor: "/blobs/incoming/probe",
        cause: new Error("ENOSPC: no space left on device, write")
      })
      const error = yield* Effect.flip(
        blobsCheck(new StoreUnavailable({ operation: "blobs.probe", committed: "no", cause })).run
      )
      assert.strictEqual(error.message, "no files can be stored: ENOSPC: no space left on device, write")
    })
  )
})
