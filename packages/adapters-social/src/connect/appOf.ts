import * as Redacted from "effect/Redacted"
import type { Secrets } from "../payloads/signature.ts"

/** Our app at a network of Meta's. */
export interface MetaApp {
  readonly id: string
  /** The newest of its secrets. */
  readonly secret: Redacted.Redacted<string>
}

/** An app that is not configured: its login can't be used, as `missingSettings` says. */
const none: MetaApp = { id: "", secret: Redacted.make("") }

export const appOf = (id: string | undefined, [secret]: Secrets = []): MetaApp =>
  id === undefined || secret === undefined ? none : { id, secret }

export const isConfigured = ({ id }: MetaApp): boolean => id !== ""

/** The token by which Meta knows the app itself. */
export const appToken = ({ id, secret }: MetaApp): Redacted.Redacted<string> =>
  Redacted.make(`${id}|${Redacted.value(secret)}`)

/** The names of the settings that are missing. */
export const missingOf = (settings: ReadonlyArray<readonly [name: string, isThere: boolean]>): ReadonlyArray<string> =>
  settings.filter(([, isThere]) => !isThere).map(([name]) => name)
