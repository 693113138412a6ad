import type { ExportLine } from "@loopbox/core/exporting/ExportLine"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { toExportText } from "../../api/admin/exportLine.ts"
import { MediaLinks } from "../media/linkSigning.ts"

/** Long enough to fetch the files of a large export after it was read. */
const linkWindow = { hours: 24 } as const

/** Answers with the lines of an export as they are read: what the reader has not taken is not read from the stores. */
export const makeAnswerExport = Effect.gen(function* () {
  const exports = yield* ManagedUserExport
  const links = yield* MediaLinks

  const textOf = Effect.fnUntraced(function* (line: ExportLine) {
    if (line.type !== "media" || line.data._tag === "PendingMedia") return toExportText(line, null)
    const until = DateTime.add(yield* DateTime.now, linkWindow)
    return toExportText(line, yield* links.sign("download", line.data.id, until))
  })

  return Effect.fnUntraced(function* (workspaceId: string, externalUserId: string) {
    const lines = yield* exports.export(workspaceId, externalUserId)
    // The answer has begun: all that can still be told is that it is cut, by the connection and by the missing last line.
    const told = Stream.tapError(lines, ({ _tag }) => Effect.logWarning("an export was cut", { reason: _tag }))
    const texts = Stream.mapArrayEffect(told, (part) =>
      Effect.map(Effect.forEach(part, textOf), (all) => [all.join("")] as const)
    )
    return HttpServerResponse.stream(Stream.encodeText(texts), { contentType: "application/x-ndjson" })
  })
})
