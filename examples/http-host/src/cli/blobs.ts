import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { describePlace, readBlobPlace } from "../blobPlace.ts"
import { CommandFailed } from "../CommandFailed.ts"
import type { CopyReport } from "../copyBlobs.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { jsonFlag, print, printJson } from "./output.ts"
import { type ProgressLine, progressLine } from "./progressLine.ts"

const placeOf = (flag: string, text: string) =>
  Result.match(readBlobPlace(text), {
    onSuccess: Effect.succeed,
    onFailure: (fault) =>
      new CommandFailed({ message: `${flag} must be the path of a folder, or s3://…; ${fault}.`, isMisuse: true })
  })

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const sentence = ({ copied, copiedBytes, failed, gone, skipped }: CopyReport): string =>
  [
    `${copied} files were copied (${megabytes(copiedBytes)})`,
    `${skipped} were there already`,
    ...(gone === 0 ? [] : [`${gone} were deleted meanwhile`]),
    `${failed.length} could not be copied`
  ].join(", ")

/** Where no terminal shows it, a line for so many files. */
const filesPerLine = 1_000

const showProgress = (line: ProgressLine) => (report: CopyReport) =>
  Effect.sync(() => {
    const done = report.copied + report.skipped + report.failed.length
    if (line.isOne || (done % filesPerLine === 0 && done > 0)) line.write(sentence(report))
  })

const copyCommand = Command.make(
  "copy",
  {
    from: Flag.String("from").pipe(
      Flag.optional,
      Flag.withDescription("Where the files lie now, instead of LOOPBOX_BLOBS: a folder, or s3://bucket/prefix?…")
    ),
    to: Flag.String("to").pipe(Flag.withDescription("Where they go: a folder, or s3://bucket/prefix?…")),
    verify: Flag.Boolean("verify").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Read every file there again, and compare its SHA-256 with its record")
    ),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ from, json, to, verify }) {
    const config = yield* loadHostConfig()
    const source = Option.isNone(from) ? config.blobs : yield* placeOf("--from", from.value)
    const target = yield* placeOf("--to", to)
    const { copyBlobs } = yield* Effect.promise(() => import("../copyBlobs.ts"))
    const line = progressLine()
    const report = yield* Effect.ensuring(
      copyBlobs(
        config,
        { from: source, fromName: Option.isNone(from) ? "LOOPBOX_BLOBS" : "--from", to: target, verify },
        showProgress(line)
      ),
      line.clear
    )
    const { copied, copiedBytes, failed, gone, skipped } = report
    const named = failed.map(({ mediaId, why, workspaceId }) => ({ workspace_id: workspaceId, media_id: mediaId, why }))
    yield* json
      ? printJson({ copied, copied_bytes: copiedBytes, skipped, gone, failed: named })
      : print(
          [
            ...named.map((one) => `${one.media_id} (${one.workspace_id}): ${one.why}`),
            `${describePlace(target)}: ${sentence(report)}.`
          ].join("\n")
        )
    if (failed.length > 0) {
      return yield* new CommandFailed({ message: "Not all files are there. Run it again when the cause is gone." })
    }
  })
).pipe(
  Command.withDescription(
    "Copy the files to another folder or bucket, while hosts serve; run again, it copies the rest"
  )
)

export const blobsCommand = Command.make("blobs").pipe(
  Command.withDescription("Move the files to another place"),
  Command.withSubcommands([copyCommand])
)
