import * as Schema from "effect/Schema"

/** No program that can encode was found. `detail` says where it was searched and how to install one. */
export class EngineMissing extends Schema.TaggedError<EngineMissing>()("EngineMissing", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

/** The encoder program that is in use. */
export interface EngineHealth {
  readonly path: string
  readonly version: string
  /** Where it was found. */
  readonly source: string
  /** Warnings for the operator, in whole sentences. */
  readonly warnings: ReadonlyArray<string>
}
