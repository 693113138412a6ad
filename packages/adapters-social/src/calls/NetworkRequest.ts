import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Network } from "../names.ts"
import type { FileBody } from "./sendFile.ts"

/** What a request says beside its path: as a form, as JSON, as a form with a file in it, or as a file's bytes. */
export type WriteBody =
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly json: Readonly<Record<string, unknown>> }
  /** The parts go in their order. */
  | { readonly parts: FormData }
  | FileBody

/** One request to a network. */
export interface NetworkRequest {
  readonly url: string
  /** Secret values are sent, and never shown. */
  readonly query: Readonly<Record<string, string | Redacted.Redacted<string>>>
  /** In whose name it is asked. Absent where the request itself says who asks. */
  readonly accessToken?: Redacted.Redacted<string> | undefined
  /** What describes a file that is the whole body. */
  readonly fileHeaders?: Readonly<Record<string, string>> | undefined
  /** Where it is another one than the network's: files take longer. */
  readonly timeLimit?: Duration.Input | undefined
  /** Who asks, where it is our app instead of an account. */
  readonly basic?: { readonly username: string; readonly password: Redacted.Redacted<string> } | undefined
  /** Whose failure it is, where a network's accounts are reached at another one's host. */
  readonly network?: Network | undefined
}
