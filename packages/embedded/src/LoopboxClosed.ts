import * as Schema from "effect/Schema"

/** A function needed what `close()` had ended: it was called afterwards, or was still under way. */
export class LoopboxClosed extends Schema.TaggedError<LoopboxClosed>()("LoopboxClosed", {}) {
  override get message(): string {
    return "This Loopbox is closed: call its functions before close(), and wait for what they give"
  }
}
