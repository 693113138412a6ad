import { assert } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import { type HostProcess, sleep, startHost, temporaryFolder, until, type Variables } from "./support/hostProcess.ts"
import { type Moment, startKillingProxy } from "./support/killingProxy.ts"
import { seeded, shuffled } from "./support/seeded.ts"
import { makeDatabase } from "./support/testServer.ts"

const Target = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  status: Schema.String,
  external_id: Schema.NullOr(Schema.String),
  attempts: Schema.Int
})
const Post = Schema.Struct({ id: Schema.String, text: Schema.NullOr(Schema.String), targets: Schema.Array(Target) })
const dataOf = <S extends Schema.ConstraintDecoder<unknown>>(data: S) =>
  Schema.decodeUnknownSync(Schema.Struct({ data }))
const postOf = dataOf(Post)
const idOf = dataOf(Schema.Struct({ id: Schema.String }))
const sentOf = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ network: Schema.String, kind: Schema.String, id: Schema.String, text: Schema.String }))
)

const places = temporaryFolder()
const { folder } = places
const running = new Set<HostProcess>()
afterAll(async () => {
  await Promise.all([...running].map((host) => host.stop("SIGKILL")))
  places.remove()
})

const networks = ["instagram", "facebook", "threads", "x"] as const
type Network = (typeof networks)[number]
const accountsOfNetwork = 3
const adminToken = randomBytes(24).toString("hex")

/** A start of a JPEG that says its size. */
const photo = Uint8Array.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0],
  ...[0xff, 0xc0, 0, 17, 8, 4, 56, 4, 56, ...Array.from({ length: 12 }, () => 0)]
])

const start = async (name: string, variables: Variables, args: ReadonlyArray<string>) => {
  const host = await startHost(folder, { ...variables, LOOPBOX_DATA: join(folder, name) }, args)
  running.add(host)
  return host
}

/** The one call that publishes, and one of those before it. */
const calls: Record<Network, readonly [publishing: RegExp, preparing: RegExp]> = {
  instagram: [/\/media_publish/, /\/media(?:\?|$)/],
  facebook: [/\/feed/, /\/photos/],
  threads: [/\/threads_publish/, /\/threads(?:\?|$)/],
  x: [/\/tweets$/, /\/media\/upload/]
}

interface Round {
  readonly network: Network
  readonly call: RegExp
  readonly moment: Moment
}

const moments: ReadonlyArray<Moment> = ["lost", "unanswered", "answered"]

/**
 * Each network, call and moment once, in an order that looks like chance; a preparing call that is lost is nothing. `.ci/run` has
 * the first half of them.
 */
const allRounds: ReadonlyArray<Round> = shuffled(
  networks.flatMap((network) =>
    calls[network].flatMap((call, place) => moments.slice(place).map((moment) => ({ network, call, moment })))
  ),
  seeded(20_261_123)
)
const rounds = process.env["LOOPBOX_SLOW"] === "short" ? allRounds.slice(0, allRounds.length / 2) : allRounds

const send = async (url: string, token: string, path: string, body: unknown, status: number) => {
  const answer = await request(`${url}${path}`, {
    method: "POST",
    token,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.strictEqual(answer.status, status, answer.text)
  return answer.json
}

/** The networks live in a process that only answers requests, so that they outlive the hosts that publish. */
const startAll = async () => {
  const server: Variables = {
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_BLOBS: join(folder, "blobs"),
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_FFMPEG: await ffmpegPath(),
    LOOPBOX_META_APP_SECRETS: "a-secret-of-an-app-of-meta",
    LOOPBOX_LEASE: "3 seconds",
    LOOPBOX_RATE_LIMIT: "off",
    LOOPBOX_TEST_CLOCK: "on"
  }
  const api = await start("api", { ...server, LOOPBOX_NETWORKS: "sandbox" }, ["--role", "api", "--port", "0"])
  const { sandbox_url } = JSON.parse(readFileSync(join(folder, "api", "serve.json"), "utf8"))
  const proxy = await startKillingProxy(sandbox_url)
  /** One that also answers requests, and one that only works. */
  const host = (name: string) => {
    const baseUrls = Object.fromEntries(
      networks.map((network) => [`LOOPBOX_${network.toUpperCase()}_BASE_URL`, `${proxy.url}/${name}/${network}`])
    )
    const variables = { ...server, ...baseUrls, LOOPBOX_NETWORKS: "live", LOOPBOX_PUBLIC_URL: api.url }
    return start(name, variables, name === "one" ? ["--port", "0"] : ["--role", "worker"])
  }
  return { api, host, proxy, sandboxUrl: String(sandbox_url) }
}

/** Hosts by their names; one that is killed is started again, while the others go on. */
const keepRunning = (startOne: (name: string) => Promise<HostProcess>) => {
  const ready = new Map<string, HostProcess>()
  const starting = new Map<string, Promise<void>>()
  const begin = (name: string): void => {
    starting.set(
      name,
      startOne(name).then((host) => {
        ready.set(name, host)
      })
    )
  }
  return {
    begin,
    isReady: (name: string): boolean => ready.has(name),
    kill: async (name: string): Promise<void> => {
      const victim = ready.get(name)
      ready.delete(name)
      if (victim !== undefined) running.delete(victim)
      await victim?.stop("SIGKILL")
      begin(name)
    },
    allReady: () => Promise.all(starting.values())
  }
}

const connectAll = async (url: string) => {
  const admin = administrator(url, adminToken)
  const workspace = await admin.createWorkspace("growth")
  const key = await admin.createOwnerKey(workspace)
  const accounts: Array<Readonly<Record<Network, string>>> = []
  const connect = async (network: Network, id: string) => {
    const names = { network_account_id: id, name: `Shop ${id}`, username: `shop_${id}` }
    const account = { network, ...names, access_token: `token-of-${network}-${id}` }
    const path = `/v1/admin/workspaces/${workspace}/social-accounts`
    return idOf(await send(url, adminToken, path, account, 201)).data.id
  }
  for (let nth = 0; nth < accountsOfNetwork; nth++) {
    const id = `10000000000000${nth}`
    accounts.push({
      instagram: await connect("instagram", id),
      facebook: await connect("facebook", id),
      threads: await connect("threads", id),
      x: await connect("x", id)
    })
  }
  const upload = await request(`${url}/v1/media`, {
    method: "POST",
    token: key,
    headers: { "content-type": "image/jpeg" },
    body: photo
  })
  return { key, accounts, photoId: idOf(upload.json).data.id }
}

const isEnded = (status: string): boolean => ["published", "failed", "needs_reconciliation"].includes(status)
const isDecided = (status: string): boolean => isEnded(status) || status === "outcome_unknown"

describe("kill -9 of a host that publishes (design §6)", () => {
  it("leaves each target on its network at most once, and none that failed there", async () => {
    const { api, host, proxy, sandboxUrl } = await startAll()
    const { accounts, key, photoId } = await connectAll(api.url)
    const hosts = keepRunning(host)
    for (const name of ["one", "other"]) hosts.begin(name)
    await hosts.allReady()
    const next = seeded(7)
    const ids: Array<string> = []

    for (const [round, { call, moment, network }] of rounds.entries()) {
      const sprung = proxy.set({
        isMeant: (name, method, path) =>
          hosts.isReady(name) && method === "POST" && path.startsWith(`/${network}/`) && call.test(path),
        moment,
        kill: async (name) => {
          if (moment === "answered") await sleep(next(15))
          await hosts.kill(name)
        }
      })
      const targets = networks.map((one) => ({ social_account_id: accounts[round % accounts.length]?.[one] }))
      const body = { text: `Post ${round}.`, media_ids: [photoId], targets }
      ids.push(postOf(await send(api.url, key, "/v1/posts", body, 202)).data.id)
      await sprung
    }
    await hosts.allReady()

    const findAll = () =>
      Promise.all(ids.map(async (id) => postOf((await request(`${api.url}/v1/posts/${id}`, { token: key })).json).data))
    const allAre = (is: (status: string) => boolean) => async () => {
      const posts = await findAll()
      return posts.every(({ targets }) => targets.every(({ status }) => is(status))) ? posts : undefined
    }
    await until("an outcome of each, or none", allAre(isDecided))
    // What nobody can know is given up half an hour later.
    await send(api.url, adminToken, "/v1/admin/test/clock", { advance: "31 minutes" }, 200)
    const posts = await until("the end of each", allAre(isEnded))

    const sent = sentOf((await request(`${sandboxUrl}/sandbox/sent`)).json).filter(({ kind }) => kind === "post")
    for (const { targets, text } of posts) {
      for (const { external_id, network, status } of targets) {
        const there = sent.filter((one) => one.network === network && one.text.startsWith(text ?? "-"))
        const what = `${text} at ${network}: ${status}, ${JSON.stringify(there)}`
        assert.isAtMost(there.length, 1, what)
        if (status === "published")
          assert.deepStrictEqual(
            there.map(({ id }) => id),
            [external_id ?? ""],
            what
          )
        if (status === "failed") assert.deepStrictEqual(there, [], what)
      }
    }
    await proxy.stop()
    await Promise.all([...running].map((one) => one.stop()))
  })
})
