import * as Schema from "effect/Schema"

/** What keeps a post from going out to an account as it is (api-2.md §12). */
export const PublishFaultCode = Schema.Literals([
  "missing_required",
  "scheduled_too_soon",
  "scheduled_too_far",
  "max_targets_exceeded",
  "duplicate_target",
  "account_not_found",
  "account_not_connected",
  "publishing_unsupported",
  "missing_scopes",
  "media_not_found",
  "media_not_ready",
  "media_required",
  "max_media_exceeded",
  "mixed_media_unsupported",
  "gif_conversion_required",
  "unsupported_format",
  "file_too_large",
  "dimensions_out_of_range",
  "aspect_ratio_unsupported",
  "duration_out_of_range",
  "frame_rate_out_of_range",
  "exceeds_max_length",
  "too_many_hashtags",
  "too_many_mentions",
  "too_many_links",
  "first_comment_unsupported",
  "unknown_option",
  "invalid_option",
  "link_with_media",
  "reel_not_vertical"
])
export type PublishFaultCode = typeof PublishFaultCode.Type

/** What the author of a post should know, though it goes out. */
export const PublishWarningCode = Schema.Literals([
  "text_ignored",
  "published_as_reel",
  "first_comment_failed",
  "first_comment_unknown"
])
export type PublishWarningCode = typeof PublishWarningCode.Type
