import * as Schema from "effect/Schema"

/** What an account is connected for. Each feature needs permissions of its network. */
export const Feature = Schema.Literals(["inbox", "publish", "moderate"])
export type Feature = typeof Feature.Type

export const allFeatures: ReadonlyArray<Feature> = ["inbox", "publish", "moderate"]

/**
 * The name of a way in which people sign in to connect an account. A network may have several: an Instagram account is
 * connected by Instagram's login or by Facebook's, with other hosts, tokens and permissions.
 */
export const Login = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/, { message: "must be the name of a login" })
)
export type Login = typeof Login.Type
