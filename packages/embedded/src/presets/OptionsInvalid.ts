import * as Schema from "effect/Schema"

/** What `createLoopbox` was given cannot work; the message names every option and says what it needs. */
export class OptionsInvalid extends Schema.TaggedError<OptionsInvalid>()("OptionsInvalid", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `createLoopbox: ${this.problems.join("; ")}`
  }
}
