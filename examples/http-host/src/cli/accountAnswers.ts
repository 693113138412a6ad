import * as Schema from "effect/Schema"

/** What commands show of an account; the rest is left as it came. */
export const Account = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  name: Schema.String,
  username: Schema.NullOr(Schema.String),
  external_user_id: Schema.NullOr(Schema.String),
  status: Schema.String,
  missing_scopes: Schema.Array(Schema.String),
  capabilities: Schema.Array(Schema.String),
  health: Schema.Struct({
    status: Schema.Literals(["ok", "degraded", "broken"]),
    problems: Schema.Array(
      Schema.Struct({
        code: Schema.String,
        message: Schema.String,
        remedy: Schema.String,
        since: Schema.String,
        retry_at: Schema.NullOr(Schema.String)
      })
    ),
    last_webhook_at: Schema.NullOr(Schema.String),
    last_poll_at: Schema.NullOr(Schema.String)
  })
})
export type Account = typeof Account.Type

/** What commands read of a session of connecting. */
export const Session = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["pending", "choosing", "completed", "denied", "failed", "expired"]),
  url: Schema.String,
  accounts: Schema.Array(Account),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
  expires_at: Schema.String
})
export type Session = typeof Session.Type
