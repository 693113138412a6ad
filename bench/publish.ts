import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Posts } from "@loopbox/core/posts/Posts"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { type Network, networks } from "@loopbox/adapters-social/names"
import { Sandbox } from "@loopbox/adapters-social"
import { makeInboxWorkspace, newAccount } from "@loopbox/testing/fixtures/inboxFixtures"
import { DateTime, Effect, Option, Redacted, References, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Benchmark } from "./Benchmark.ts"
import { files, withFiles } from "./publishing/files.ts"
import { kinds, type PostKind } from "./publishing/kinds.ts"
import { layerWorld } from "./publishing/world.ts"

const accountsOfNetwork = 10
const postsOfAccount = 10
const targets = networks.length * accountsOfNetwork * postsOfAccount
/** A post of Instagram takes two seconds, and its address is asked for five seconds later. */
const within_s = 300

const uploadAll = Effect.fnUntraced(function* (workspace: Workspace) {
  const library = yield* MediaLibrary
  const uploaded = yield* Effect.forEach(Object.entries(files), ([name, { bytes, type }]) =>
    Effect.map(
      library.upload({
        workspace,
        bytes: Stream.make(bytes),
        declaredType: Option.some(type),
        filename: Option.some(name)
      }),
      ({ id }) => [name, id] as const
    )
  )
  return new Map<string, string>(uploaded)
})

const connectAll = Effect.fnUntraced(function* (workspace: Workspace, network: Network) {
  const [connected, people, vault] = [yield* SocialAccounts, yield* Sandbox.Sandbox, yield* CredentialVault]
  return yield* Effect.forEach(Array.from({ length: accountsOfNetwork }), (_, nth) =>
    Effect.gen(function* () {
      const [networkAccountId, username] = [`${7_000 + nth}`, `account_${nth}`]
      const accessToken = Redacted.make(`token ${network} ${nth}`)
      yield* people.connect({ network, accountId: networkAccountId, name: username, username, accessToken })
      const options = { network, networkAccountId, username, at: yield* DateTime.now }
      const account = new SocialAccount({ ...(yield* newAccount(workspace.id, options)), permissions: [] })
      const owner = { workspaceId: workspace.id, accountId: account.id }
      const credentials = { accessToken, refreshToken: Option.none(), expiresAt: Option.none() }
      yield* connected.connect(account, () => vault.seal(owner, credentials), account.createdAt)
      return account.id
    })
  )
})

const submitOne = Effect.fnUntraced(function* (
  workspace: Workspace,
  uploaded: ReadonlyMap<string, string>,
  accountId: string,
  kind: PostKind,
  text: string
) {
  const posts = yield* Posts
  const target = {
    accountId,
    text: Option.none(),
    mediaIds: Option.none(),
    firstComment: Option.none(),
    options: { values: kind.options ?? {}, altTexts: {} }
  }
  const input = {
    text: Option.some(text),
    mediaIds: kind.files.map((name) => uploaded.get(name) ?? name),
    targets: [target],
    scheduledAt: Option.none(),
    isDraft: false
  }
  const { post } = yield* posts.submit(new WorkspaceScope({ workspaceId: workspace.id }), input, Option.none())
  return post.id
})

/** Waits until every post is on its network and its address is known. */
const waitForAll = Effect.fnUntraced(function* (workspace: Workspace, ids: ReadonlyArray<string>) {
  const posts = yield* Posts
  const scope = new WorkspaceScope({ workspaceId: workspace.id })
  const open = new Set(ids)
  for (let second = 0; second < within_s; second++) {
    for (const id of open) {
      const { targets: shown } = yield* posts.find(scope, id)
      const failed = shown.find(({ status }) => status === "failed" || status === "outcome_unknown")
      if (failed !== undefined) return yield* Effect.die(new Error(JSON.stringify(failed)))
      if (shown.every(({ status, url }) => status === "published" && Option.isSome(url))) open.delete(id)
    }
    if (open.size === 0) return
    yield* Effect.sleep("1 second")
  }
  return yield* Effect.die(new Error(`${open.size} posts are not published after ${within_s} seconds`))
})

const measure = Effect.gen(function* () {
  const sandbox = yield* Sandbox.Sandbox
  const workspace = yield* makeInboxWorkspace()
  const uploaded = yield* uploadAll(workspace)
  const accounts = yield* Effect.forEach(networks, (network) =>
    Effect.map(connectAll(workspace, network), (ids) => ({ network, ids }))
  )
  const ids: Array<string> = []
  const least: Record<Network, number> = { instagram: 0, facebook: 0, threads: 0, x: 0 }
  for (let nth = 0; nth < postsOfAccount; nth++) {
    for (const { ids: ofNetwork, network } of accounts) {
      for (const [place, accountId] of ofNetwork.entries()) {
        const all = kinds[network]
        const kind = all[(nth + place) % all.length]
        if (kind === undefined) continue
        least[network] += kind.least
        ids.push(yield* submitOne(workspace, uploaded, accountId, kind, `${kind.name} ${place} ${nth}`))
      }
    }
  }
  yield* waitForAll(workspace, ids)
  const requests = sandbox.api.listRequests()
  const notes = networks.map((network) => {
    const asked = requests.filter((one) => one.network === network)
    const byName = Map.groupBy(asked, ({ endpoint, method }) => `${method} ${endpoint}`)
    const names = [...byName].map(([name, { length }]) => `${name} ${length}`).join(", ")
    return `${network}: ${asked.length} requests, at least ${least[network]}: ${names}`
  })
  const sum = networks.reduce((total, network) => total + least[network], 0)
  return { ours: requests.length, baseline: sum, unit: "requests", notes }
})

/** How little is asked of the networks to publish what customers post. */
export const publish: Benchmark = {
  name: "publish",
  description: `${targets} targets of all kinds on four networks of the sandbox: requests made against the least possible`,
  better: "lower",
  wanted: 1.2,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), "loopbox-bench-"))
    try {
      return await withFiles((filesUrl) =>
        Effect.runPromise(
          measure.pipe(
            Effect.provide(layerWorld(folder, filesUrl)),
            Effect.provideService(References.MinimumLogLevel, "Warn")
          )
        )
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
