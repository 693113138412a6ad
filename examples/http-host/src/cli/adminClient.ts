import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../CommandFailed.ts"
import { type HostConfig, loadHostConfig } from "../hostConfig.ts"
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
  return { url: url.value, token: token.value }
})

const under = (path: string): string => `/v1/admin${path}`

/** Calls the admin API and gives what stands under `data`; the path is that under `/v1/admin`. */
export const callAdmin = Effect.fnUntraced(function* (call: HostCall) {
  const host = yield* findHost(yield* loadHostConfig())
  const { data } = yield* callHost(host, { ...call, path: under(call.path) })
  return data
})

/** Calls what else the admin token opens; also gives the address that answered. */
export const callOperator = Effect.fnUntraced(function* (call: HostCall) {
  const host = yield* findHost(yield* loadHostConfig())
  const { data } = yield* callHost(host, call)
  return { data, url: host.url }
})

/** All pages of a list. */
export const listAdmin = Effect.fnUntraced(function* (path: string) {
  const host = yield* findHost(yield* loadHostConfig())
  return yield* listAll(host, under(path))
})
