import { DateTime, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { plans } from "../../src/plans/Plan.ts"

export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const byte = wholeNumber(0, 255)

export const bytesOfLength = (minLength: number, maxLength = minLength) =>
  Arbitrary.map(Arbitrary.array(Arbitrary.schema(byte), { minLength, maxLength }), (bytes) => Uint8Array.from(bytes))

export const plan = Schema.Literals(plans)

/** Some day in 2026, in milliseconds. */
export const momentMillis = wholeNumber(Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 31))

export const moment = Arbitrary.map(Arbitrary.schema(momentMillis), (millis) => DateTime.makeUnsafe(millis))
