import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { Collector, unreadable } from "./Collector.ts"
import type { Reading } from "./Collector.ts"
import { parseJson } from "./parseJson.ts"
import { asArray } from "./payload.ts"

/** Told once for each element, with its place in the envelope. */
export type Add = (path: string, reading: Reading) => void

/** Normalises a body that is one envelope, or an array of them, as Meta's documentation has it in one place. */
export const takeApart =
  (readEnvelope: (envelope: unknown, arrivedAt: DateTime.Utc, add: Add) => void): Normalise =>
  ({ arrivedAt, body }) => {
    const collector = new Collector()
    const parsed = parseJson(body)
    if (Result.isFailure(parsed)) {
      collector.add("", unreadable(parsed.failure))
      return collector.finish()
    }
    const envelopes = asArray(parsed.success)
    if (envelopes.length === 0) collector.add("", unreadable("no event in it"))
    envelopes.forEach((envelope, i) => {
      const path = Array.isArray(parsed.success) ? `[${i}].` : ""
      readEnvelope(envelope, arrivedAt, (place, reading) => collector.add(path + place, reading))
    })
    return collector.finish()
  }
