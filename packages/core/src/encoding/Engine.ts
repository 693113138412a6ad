import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** No program that can encode was found. `detail` says where it was searched and how to install one. */
export class EngineMissing extends Schema.TaggedError<EngineMissing>()("EngineMissing", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/** The program is there, and cannot make even a small video. `detail` is for the operator. */
export class EngineBroken extends Schema.TaggedError<EngineBroken>()("EngineBroken", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/**
 * Makes a small video of a built-in file, to tell an encoder that cannot encode from a file that cannot be encoded. Ends
 * within 20 seconds.
 */
export type ProbeEngine = Effect.Effect<void, EngineMissing | EngineBroken>

/** The encoder program that is in use. */
export interface EngineHealth {
  readonly path: string
  readonly version: string
  /** Where it was found. */
  readonly source: string
  /** Warnings for the operator, in whole sentences. */
  readonly warnings: ReadonlyArray<string>
}
