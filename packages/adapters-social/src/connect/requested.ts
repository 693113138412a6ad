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
