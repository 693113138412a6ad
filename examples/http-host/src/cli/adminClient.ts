import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../CommandFailed.ts"
import { type HostConfig, loadHostConfig } from "../hostConfig.ts"
import { placesIn } from "../dataFolder.ts"
import { findAdminToken } from "../hostSecrets.ts"
import { readServing } from "../serving.ts"
import { callHost, type HostCall, listAll } from "./hostCalls.ts"

export { segment } from "./hostCalls.ts"

/** Whom to ask, and with which token: what is configured, else what the data folder says. */
const findHost = Effect.fnUntraced(function* (config: HostConfig) {
  const token = yield* findAdminToken(config)
  const url = Option.isSome(config.url) ? config.url : yield* readServing(config.dataFolder)
  if (Option.isNone(url)) {
    return yield* new CommandFailed({
      message: `No host serves ${config.dataFolder}. Start one with \`loopbox serve\`, or set LOOPBOX_URL.`
    })
  }
  if (Option.isNone(token)) {
    return yield* new CommandFailed({
      message: `There is no admin token in ${config.dataFolder}. Set LOOPBOX_ADMIN_TOKEN.`
    })
  }
  const namedBy = Option.isSome(config.adminToken)
    ? "LOOPBOX_ADMIN_TOKEN"
    : `${placesIn(config.dataFolder).adminToken} (LOOPBOX_ADMIN_TOKEN is not set)`
  return { url: url.value, token: token.value, namedBy }
})

type Host = Effect.Success<ReturnType<typeof findHost>>

/** Says where the token came from that the host does not take. */
const explainToken =
  ({ namedBy, url }: Host) =>
  <A>(self: Effect.Effect<A, CommandFailed>): Effect.Effect<A, CommandFailed> =>
    Effect.catchIf(
      self,
      ({ code }) => code === "UNAUTHORIZED",
      () =>
        new CommandFailed({
          message: `The admin token of ${namedBy} is not that of the installation at ${url}.`,
          code: "UNAUTHORIZED"
        })
    )

const under = (path: string): string => `/v1/admin${path}`

/** Calls the admin API and gives what stands under `data`; the path is that under `/v1/admin`. */
export const callAdmin = Effect.fnUntraced(function* (call: HostCall) {
  const host = yield* findHost(yield* loadHostConfig())
  const { data } = yield* callHost(host, { ...call, path: under(call.path) }).pipe(explainToken(host))
  return data
})

/** Calls what else the admin token opens; also gives the address that answered. */
export const callOperator = Effect.fnUntraced(function* (call: HostCall) {
  const host = yield* findHost(yield* loadHostConfig())
  const { data } = yield* callHost(host, call).pipe(explainToken(host))
  return { data, url: host.url }
})

/** All pages of a list. */
export const listAdmin = Effect.fnUntraced(function* (path: string) {
  const host = yield* findHost(yield* loadHostConfig())
  return yield* listAll(host, under(path)).pipe(explainToken(host))
})
