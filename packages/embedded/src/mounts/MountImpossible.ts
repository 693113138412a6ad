import * as Schema from "effect/Schema"

/** The layers give no settings of the API, so that nothing can be mounted. */
export class MountImpossible extends Schema.TaggedError<MountImpossible>()("MountImpossible", {}) {
  override get message(): string {
    return (
      "Nothing can be mounted: give createLoopbox plain options, or HttpSettings.layer({ publicUrl, signingKey }) of " +
      "@loopbox/adapters-http among its layers."
    )
  }
}
