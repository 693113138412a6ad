import type { WebhookEndpoint } from "../../names.ts"
import * as Schema from "effect/Schema"

/** What may go wrong with one delivery; what is left out goes right. */
export const Faults = Schema.Struct({
  /** How often it is delivered, 0 to 10 times, at once; 0 loses it. */
  times: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))),
  /** How late, up to 36 hours. */
  delay_ms: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 129_600_000 }))),
  /**
   * `wrong`: by another secret. `none`: without the header. `sha1`: with the old header alone. `reserialised`: over
   * the same JSON written otherwise.
   */
  signature: Schema.optionalKey(Schema.Literals(["right", "wrong", "none", "sha1", "reserialised"])),
  /** Of a message on Instagram: the edit of number 0 that stands beside it comes alone, as it does at times. */
  is_edit_only: Schema.optionalKey(Schema.Boolean),
  /** Kept back until `release`, which may turn the order round or make one batch of them. */
  is_held: Schema.optionalKey(Schema.Boolean)
})
export type Faults = typeof Faults.Type

/** How held deliveries go out. */
export const Release = Schema.Struct({
  order: Schema.optionalKey(Schema.Literals(["as_written", "reversed"])),
  /** Meta's in one envelope, as Meta batches up to a thousand; the others have no batches. */
  is_batched: Schema.optionalKey(Schema.Boolean)
})
export type Release = typeof Release.Type

/** A webhook on its way. */
export interface Delivery {
  readonly endpoint: WebhookEndpoint
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
