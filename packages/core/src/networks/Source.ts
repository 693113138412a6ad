import * as Schema from "effect/Schema"

const name = (what: string) =>
  Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/, { message: `must be the name of ${what}` }))

/** The name of a network, such as `instagram`. `Networks` lists them. */
export const Network = name("a network")
export type Network = typeof Network.Type

/** The kind of an inbox item (§3.1), such as `ig_comment`. */
export const Source = name("a source")
export type Source = typeof Source.Type

/** Where networks deliver webhooks: `/v1/webhooks/<endpoint>`. Networks of one company may share an endpoint. */
export const WebhookEndpoint = name("a webhook endpoint")
export type WebhookEndpoint = typeof WebhookEndpoint.Type
