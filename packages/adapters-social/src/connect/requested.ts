import type { Feature } from "@loopbox/core/networks/Feature"

/** What a login asks for: always, and for each feature. */
export interface Scopes extends Readonly<Record<Feature, ReadonlyArray<string>>> {
  readonly always: ReadonlyArray<string>
}

/** What a dialog asks for, each name once; a host may have its own list in place of it. */
export const requested = (
  scopes: Scopes,
  override: ReadonlyArray<string> | undefined,
  features: ReadonlyArray<Feature>
): ReadonlyArray<string> => override ?? [...new Set([...scopes.always, ...features.flatMap((one) => scopes[one])])]

/** What Meta gives to an app by review: no dialog asks for it, and no answer names it (api-2-decided.md A6). */
const ofTheApp: ReadonlyArray<string> = ["human_agent"]

/** The names that a dialog asks for. */
export const askedInDialog = (permissions: ReadonlyArray<string>): string =>
  permissions.filter((name) => !ofTheApp.includes(name)).join(",")

/** What was granted, with what the app has by the host's own list. */
export const withThoseOfTheApp = (
  granted: ReadonlyArray<string>,
  override: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => [...new Set([...granted, ...(override ?? []).filter((name) => ofTheApp.includes(name))])]
