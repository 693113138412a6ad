import * as Schema from "effect/Schema"
import { Faults } from "./faults/Faults.ts"

/** How the networks behave, beside faults; each may be changed while they run. */
export const Settings = Schema.Struct({
  /** How long reads don't show what is written from now on, up to a minute. Webhooks don't wait. */
  lag_ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 })),
  /** How long a container of Threads or Instagram, or a video of Facebook or X, is in progress, up to an hour. */
  container_delay_ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_600_000 })),
  /** How many posts an Instagram account may publish in 24 hours; its documents say 50, and 100. */
  instagram_posts: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  /** Calls of one account in one window that Meta's networks allow; X has its own numbers. */
  meta_calls: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })),
  /** Calls of all accounts together in an hour that Instagram, and Facebook, allow the app. */
  meta_app_calls: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })),
  /** What an app without advanced access gets of Meta's networks: no comments and no messages, but the counts of them. */
  empty_lists: Schema.Boolean,
  /**
   * In which of its two vocabularies X may be asked. It answers as it is asked; where nothing tells, and in events, it
   * has the new names once the old ones are over.
   */
  x_vocabulary: Schema.Literals(["both", "tweet", "post"]),
  /** In which of its two forms Instagram answers to a code: as its documents show it (`data`), or as clients see it. */
  code_answer: Schema.Literals(["flat", "data"]),
  /** How Instagram and Threads write `user_id` there: numbers are beyond what a double holds. */
  user_ids: Schema.Literals(["number", "string"]),
  /** How Instagram writes `permissions` there. */
  permissions: Schema.Literals(["list", "text"]),
  /** What goes wrong with webhooks of what came over the API. */
  own_webhooks: Faults
})
export type Settings = typeof Settings.Type

export const defaultSettings: Settings = {
  lag_ms: 0,
  container_delay_ms: 1_000,
  instagram_posts: 50,
  meta_calls: 4_800,
  meta_app_calls: 1_000_000,
  empty_lists: false,
  x_vocabulary: "both",
  code_answer: "flat",
  user_ids: "number",
  permissions: "list",
  own_webhooks: {}
}

/** A change of some of them. */
export const SettingsChange = Schema.Struct({
  lag_ms: Schema.optionalKey(Settings.fields.lag_ms),
  container_delay_ms: Schema.optionalKey(Settings.fields.container_delay_ms),
  instagram_posts: Schema.optionalKey(Settings.fields.instagram_posts),
  meta_calls: Schema.optionalKey(Settings.fields.meta_calls),
  meta_app_calls: Schema.optionalKey(Settings.fields.meta_app_calls),
  empty_lists: Schema.optionalKey(Settings.fields.empty_lists),
  x_vocabulary: Schema.optionalKey(Settings.fields.x_vocabulary),
  code_answer: Schema.optionalKey(Settings.fields.code_answer),
  user_ids: Schema.optionalKey(Settings.fields.user_ids),
  permissions: Schema.optionalKey(Settings.fields.permissions),
  own_webhooks: Schema.optionalKey(Faults)
})
