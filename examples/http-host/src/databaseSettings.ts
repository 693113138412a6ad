import * as Option from "effect/Option"
import { integer, optional, type Parse, secret } from "./Setting.ts"

const databaseUrl: Parse<string> = (given) =>
  /^postgres(?:ql)?:\/\/\S+$/.test(given) ? Option.some(given) : Option.none()

/** Where the database is and how many connections a process may have to it. */
export const databaseSettings = {
  databaseUrl: secret(
    {
      name: "DATABASE_URL",
      default: "none: an embedded PostgreSQL in the data folder",
      allowed: "a PostgreSQL URL: postgres://user:password@host:5432/database",
      description:
        "The PostgreSQL server, 15 or newer; with a standby both, as host1:5432,host2:5432. Setting it makes the host a " +
        "production server."
    },
    databaseUrl
  ),
  databasePool: optional(
    {
      name: "LOOPBOX_DATABASE_POOL",
      default: "10",
      allowed: "an integer from 2 to 200",
      description: "Connections of one process that answer requests, at most. One more listens."
    },
    integer(2, 200)
  ),
  workerPool: optional(
    {
      name: "LOOPBOX_WORKER_POOL",
      default: "10",
      allowed: "an integer from 2 to 200",
      description: "Connections of one process that workers have, at most: webhooks, polls, replies, jobs, sweeps."
    },
    integer(2, 200)
  ),
  databaseConnections: optional(
    {
      name: "LOOPBOX_DATABASE_CONNECTIONS",
      default: "none",
      allowed: "an integer from 2 to 200",
      description: "Outdated: both pools together, half each, where they are not set."
    },
    integer(2, 200)
  ),
  listenerUrl: secret(
    {
      name: "LOOPBOX_LISTENER_URL",
      default: "DATABASE_URL",
      allowed: "a PostgreSQL URL: postgres://user:password@host:5432/database",
      description:
        "The database itself, where DATABASE_URL is a pooler that lends connections by transaction (PgBouncer): " +
        "for LISTEN, migrations and exports. Not to be set without a pooler."
    },
    databaseUrl
  )
}
