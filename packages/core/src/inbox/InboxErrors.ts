import * as Schema from "effect/Schema"

/**
 * No such item in the caller's scope: absent, deleted, of an account outside of the scope, or of a source that the plan
 * lacks.
 */
export class ItemNotFound extends Schema.TaggedError<ItemNotFound>()("ItemNotFound", { itemId: Schema.String }) {}

/** The item belongs to no post, like direct messages and root posts, or its post was deleted. */
export class NoParent extends Schema.TaggedError<NoParent>()("NoParent", {
  reason: Schema.Literals(["none", "gone"])
}) {}

/** The network can't be called now, and no media context is cached. */
export class MediaContextUnavailable extends Schema.TaggedError<MediaContextUnavailable>()("MediaContextUnavailable", {
  postId: Schema.String
}) {}
