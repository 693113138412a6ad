import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import { EntitledCaller, ScopedCaller } from "@loopbox/core/access/EntitledCaller"
import { inboxPlans } from "@loopbox/core/access/InboxPlans"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type Network, networks } from "@loopbox/adapters-social/names"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { Ingest } from "@loopbox/core/inbox/Ingest"
import { Sync } from "@loopbox/core/sync/Sync"
import { newItemsOf } from "@loopbox/core/sync/SyncRun"
import * as SyncWorker from "@loopbox/core/polling/SyncWorker"
import * as MemoryCredentialVault from "@loopbox/adapters-memory/MemoryCredentialVault"
import { makeInboxWorkspace, newAccount } from "@loopbox/testing/fixtures/inboxFixtures"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Sandbox, SandboxRoutes, SocialConnectors } from "@loopbox/adapters-social"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { DateTime, Effect, Layer, Option, Redacted, References, Result, Tracer } from "effect"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Benchmark } from "./Benchmark.ts"

const accountsOfNetwork = 25
const itemsOfAccount = 200
const promisedStatements = 0.2

/**
 * The least requests that bring 200 items of an account: the lists of its posts and of its conversations, and as many
 * pages as the network's largest need: 50 on Instagram, 100 elsewhere. X has no list.
 */
const leastOf: Record<Network, number> = { instagram: 2 + 4, facebook: 2 + 2, threads: 1 + 2, x: 2 }

/** Counts what goes to the database: each statement, and BEGIN and COMMIT of each transaction. */
const makeCounter = () => {
  const counts = { statements: 0 }
  const tracer = Tracer.make({
    span: (options) => {
      // A statement's span has the database's name.
      if (options.name === "sql.transaction") counts.statements += 2
      else if (options.kind === "client" && options.name === "postgres") counts.statements += 1
      return new Tracer.NativeSpan(options)
    }
  })
  return { counts, tracer }
}

const metaAppSecret = Redacted.make("a secret of the benchmark")

/** The sandbox behind a socket of its own; its webhooks go nowhere. */
const layerSandbox = HttpRouter.serve(SandboxRoutes.layer({ metaAppSecret }), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provideMerge(
    Sandbox.layer({
      seed: 1,
      accounts: [],
      secrets: { meta: metaAppSecret, threads: metaAppSecret, x: metaAppSecret },
      webhookUrl: Effect.succeed("http://127.0.0.1:9")
    })
  ),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.provide(FetchHttpClient.layer)
)

const layerConnectors = Layer.unwrap(
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
    const baseUrls = Object.fromEntries(networks.map((network) => [network, `${url}/${network}`]))
    return SocialConnectors.layer({ baseUrls, metaAppSecrets: [metaAppSecret] }).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
  })
)

const layerWorld = (folder: string) =>
  SyncWorker.layer({ every: Option.none() }).pipe(
    Layer.provideMerge(Layer.mergeAll(Ingest.layer, Sync.layer({ patience: "10 minutes" }))),
    Layer.provideMerge(AccountTokens.layer),
    Layer.provideMerge(layerConnectors),
    Layer.provideMerge(layerSandbox),
    Layer.provideMerge(PgAdapters.layerEmbedded({ folder })),
    Layer.provideMerge(MemoryCredentialVault.layer),
    Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto)),
    Layer.provideMerge(NodeServices.layer),
    Layer.provideMerge(SocialNetworks.layer)
  )

const connectAll = Effect.fnUntraced(function* () {
  const workspace = yield* makeInboxWorkspace()
  const [connected, people, vault] = [yield* SocialAccounts, yield* Sandbox.Sandbox, yield* CredentialVault]
  for (const network of networks) {
    for (let nth = 0; nth < accountsOfNetwork; nth++) {
      const networkAccountId = `${7_000 + nth}`
      const username = `account_${nth}`
      const accessToken = Redacted.make(`token ${network} ${nth}`)
      yield* people.connect({ network, accountId: networkAccountId, name: username, username, accessToken })
      const account = yield* newAccount(workspace.id, { network, networkAccountId, username, at: yield* DateTime.now })
      const owner = { workspaceId: workspace.id, accountId: account.id }
      const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
      const since = DateTime.subtract(account.createdAt, { days: 7 })
      yield* connected.connect(account, () => vault.seal(owner, credentials), since)
    }
  }
  return workspace
})

/** 200 comments on the post of every account; no webhook tells of them. */
const writeAll = Effect.fnUntraced(function* () {
  const { comment } = yield* Sandbox.Sandbox
  for (const network of networks) {
    for (let nth = 0; nth < accountsOfNetwork; nth++) {
      for (let item = 0; item < itemsOfAccount; item++) {
        const from = `Person ${item % 40}`
        yield* comment({ network, accountId: `${7_000 + nth}`, from, text: `Comment ${item}` }, { times: 0 })
      }
    }
  }
})

const measure = Effect.fnUntraced(function* (counts: { statements: number }) {
  const workspace = yield* connectAll()
  const sync = yield* Sync
  const sandbox = yield* Sandbox.Sandbox
  const caller = Result.getOrThrow(
    EntitledCaller.judge(ScopedCaller.embedded(workspace, Option.none()), yield* inboxPlans)
  )
  // X reads the past only by backfill: what comes after the first poll is all read.
  yield* sync.poll(caller)
  yield* writeAll()
  let requests = 0
  const before = sandbox.api.listRequests().length
  const statementsBefore = counts.statements
  const began = performance.now()
  const run = yield* sync.poll(caller)
  const seconds = (performance.now() - began) / 1_000
  requests = sandbox.api.listRequests().length - before
  const items = newItemsOf(run)
  const errors = run.accounts.flatMap((account) => account.errors)
  const expected = networks.length * accountsOfNetwork * itemsOfAccount
  if (!run.isCompleted || items !== expected || errors.length > 0) {
    return yield* Effect.die(new Error(`${items} of ${expected} items: ${JSON.stringify(errors.slice(0, 3))}`))
  }
  return { requests, seconds, items, statements: counts.statements - statementsBefore }
})

/** How little is asked, of the networks and of the database, to bring what no webhook brought. */
export const sync: Benchmark = {
  name: "sync",
  description: `${networks.length * accountsOfNetwork} accounts × ${itemsOfAccount} items of the sandbox, synced once: requests made against the least possible, with at most ${promisedStatements} database statements an item`,
  better: "lower",
  wanted: 1.2,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopbox-bench-"))
    const { counts, tracer } = makeCounter()
    try {
      const measured = await Effect.runPromise(
        measure(counts).pipe(
          Effect.provide(layerWorld(folder)),
          Effect.provideService(Tracer.Tracer, tracer),
          Effect.provideService(References.MinimumLogLevel, "Warn")
        )
      )
      const perItem = measured.statements / measured.items
      console.log(
        `${Math.round(measured.items / measured.seconds)} items a second, ${perItem.toFixed(3)} statements an item`
      )
      if (perItem > promisedStatements) throw new Error(`more than ${promisedStatements} statements an item`)
      const least = networks.reduce((sum, network) => sum + leastOf[network], 0) * accountsOfNetwork
      return { ours: measured.requests, baseline: least, unit: "requests" }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
