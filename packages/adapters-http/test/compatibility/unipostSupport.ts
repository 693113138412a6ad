import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import * as ReplyWorker from "@loopbox/core/replies/ReplyWorker"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { Effect, Layer, Option, Redacted } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { layerLocal } from "../../src/server/access/dashboardTokens.ts"
import { accountView } from "../accounts/accountFixtures.ts"
import { AccountNotFound } from "@loopbox/core/accounts/AccountErrors"
import * as ScriptedConnecting from "../connect/scriptedConnecting.ts"
import { driving, serverWith, services } from "../support.ts"
import type { ServeOptions } from "@loopbox/adapters-http/node/serve"

/** Tokens of dashboards are the host's own. */
const local = layerLocal(Redacted.make(new Uint8Array(32).fill(9)))

/** The server with the workers that reply and poll when they are asked. */
const worldWith = (options: Partial<ServeOptions>) =>
  serverWith(options).pipe(
    Layer.provideMerge(ReplyWorker.layer().pipe(Layer.provide(Layer.provideMerge(Ingest.layer, driving)))),
    Layer.provideMerge(SyncWorker.layer({ every: Option.none() })),
    Layer.provideMerge(Ingest.layer),
    Layer.provideMerge(AccountTokens.layer),
    Layer.provideMerge(FakeConnector.layer),
    Layer.provideMerge(services),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(local)
  )

export const asUnipost = worldWith({ compatibility: "unipost", corsOrigins: ["https://app.example"] })
export const asOurselves = worldWith({})

/** The workspace has this account only. */
export const showOnly = Effect.fnUntraced(function* (id: string, network: "instagram" | "x") {
  const script = yield* ScriptedConnecting.Script
  script.accounts = {
    find: ({ workspaceId }, accountId) =>
      accountId === id
        ? Effect.succeed(accountView({ network }))
        : Effect.fail(new AccountNotFound({ workspaceId, accountId }))
  }
})

/** Every account is known to `/v1/accounts`, by one name. */
export const nameAccounts = Effect.fnUntraced(function* (name: string) {
  const script = yield* ScriptedConnecting.Script
  script.accounts = { find: () => Effect.succeed(accountView({ name })) }
})
