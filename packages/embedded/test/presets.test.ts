import { assert, describe, it, vi } from "vitest"
import { createServer, type RequestListener } from "node:http"
import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { createLoopbox } from "../src/createLoopbox.ts"
import { blobStore } from "../src/ports/blobs.ts"
import type { LoopboxOptions } from "../src/presets/LoopboxOptions.ts"
import { smallGif } from "@loopbox/testing/fixtures/mediaFixtures"
import { mapBlobs } from "./ports/mapBlobs.ts"

const key = `first:${Buffer.alloc(32, 1).toString("base64")}`

/** Why it could not be made. */
const refusalOf = async (options: LoopboxOptions): Promise<string> =>
  createLoopbox(options).then(
    () => assert.fail("it was made"),
    (error: unknown) => (error instanceof Error ? error.message : assert.fail("no error"))
  )

/** The status and text of one request to a listener of a server of its own. */
const ask = async (listener: RequestListener, path: string, token: string) => {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  server.close()
  return { status: response.status, text, retryAfter: response.headers.get("retry-after") }
}

describe("createLoopbox by plain options", () => {
  it("is in memory without a word", async () => {
    await using loopbox = await createLoopbox({})
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
    const media = await loopbox.media.upload({ workspaceId, bytes: smallGif })
    assert.strictEqual(media.status, "ready")
    assert.isNull(loopbox.simulatorUrl)
  })

  it.each([
    [{ databaseUrl: undefined }, "databaseUrl is undefined"],
    [{ databaseUrl: "mysql://host" }, "databaseUrl must begin with postgresql://"],
    [{ listenerUrl: "postgresql://host" }, "listenerUrl is the database behind the pooler that databaseUrl names"],
    [{ databaseUrl: "postgresql://host", listenerUrl: "host" }, "listenerUrl must begin with postgresql://"],
    [{ databaseUrl: "postgresql://host" }, "secretKeys is missing"],
    [{ databaseUrl: "postgresql://host", secretKeys: key }, "blobs is missing"],
    [{ secretKeys: "short" }, "secretKeys must be id:<32 bytes in base64>"],
    [{ blobs: "gs://bucket" }, "Give a folder, s3://bucket, or a store of your own"],
    [{ blobs: "S3:bucket" }, "blobs: it can't be read; an address in S3 is s3://bucket/prefix?region="],
    [{ blobs: "s3://key:secret@bucket" }, "no credentials stand in it"],
    [{ blobs: "s3://Bucket_1" }, "the bucket's name is none of S3"],
    [{ blobs: "s3://bucket?zone=x" }, "zone is not known"],
    [{ blobs: "s3://bucket?region=a&region=b" }, "region is there twice"],
    [{ blobs: "s3://bucket?endpoint=minio:9000" }, "endpoint must be an http(s) address"],
    [{ blobs: "s3://bucket?path_style=yes" }, "path_style must be true or false"],
    [{ blobs: "https://bucket.s3.example/prefix" }, "blobs is an address"],
    [{ timeouts: { blobs: 5000 } }, "timeouts.blobs is for a store of your own"],
    [
      { identity: { url: "https://i.example", issuer: "i", audience: "a" }, timeouts: { identity: 5 } },
      "for a function"
    ],
    [{ identity: async () => null, timeouts: { identity: 0 } }, "timeouts.identity must be a time above 0"],
    [{ publicUrl: "example.com" }, "publicUrl must be an http or https address"],
    [{ api: { adminToken: "short" } }, "api.adminToken must have 32 to 512 printable characters"],
    [{ plans: { basic: ["ig_coment"] } }, "plans.basic names no source: ig_coment"]
  ])("refuses %j, and names the option", async (options, message) => {
    assert.include(await refusalOf(options), message)
  })

  it
    .skipIf(process.platform !== "linux")
    .each<LoopboxOptions>([
      { data: "/proc" },
      { data: "/proc/loopbox" },
      { blobs: "/proc" },
      { blobs: "/proc/loopbox/files" }
    ])("refuses %j, in which the system lets nobody make a folder, and names the option", async (options) => {
    const [[option, folder] = []] = Object.entries(options)
    assert.include(await refusalOf(options), `createLoopbox: ${option}: the folder ${folder} cannot be used: ENOENT`)
  })

  it.skipIf(process.platform !== "linux").each(["/proc", "/etc/hostname"])(
    "names the option, too, where %s cannot have a database and the keys are not looked for in it",
    async (data) => {
      const message = await refusalOf({ data, secretKeys: key })
      assert.match(message, new RegExp(`^createLoopbox: data: The folder ${data}/database can't be used: E[A-Z]+`))
    }
  )

  it("keeps files in a bucket, named as the host names it", async () => {
    const objects = new Map<string, Buffer>()
    const bucket = createServer((asked, answer) => {
      const parts: Array<Buffer> = []
      const { pathname } = new URL(asked.url ?? "", "http://s3")
      asked.on("data", (part: Buffer) => parts.push(part))
      asked.on("end", () => {
        const kept = objects.get(pathname)
        if (asked.method === "PUT") objects.set(pathname, Buffer.concat(parts))
        if (asked.method === "DELETE") objects.delete(pathname)
        const isAbsent = kept === undefined && (asked.method === "GET" || asked.method === "HEAD")
        const isObject = pathname.split("/").length > 2
        answer.writeHead(isAbsent && isObject ? 404 : 200, kept === undefined ? {} : { "content-length": kept.length })
        answer.end(asked.method === "GET" ? kept : undefined)
      })
    })
    await new Promise<void>((done) => bucket.listen(0, "127.0.0.1", done))
    const address = bucket.address()
    const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
    vi.stubEnv("AWS_ACCESS_KEY_ID", "tester")
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "testing")
    try {
      await using loopbox = await createLoopbox({ blobs: `s3://files/loopbox?endpoint=${endpoint}&path_style=true` })
      const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
      const media = await loopbox.media.upload({ workspaceId, bytes: smallGif })
      assert.strictEqual(media.status, "ready")
      const [name = "", ...others] = Array.from(objects.keys())
      assert.isTrue(name.startsWith(`/files/loopbox/${workspaceId}/`))
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(objects.get(name), Buffer.from(smallGif))
    } finally {
      vi.unstubAllEnvs()
      bucket.closeAllConnections()
      bucket.close()
    }
  })

  it.each([
    ["postgresql://me:secret@127.0.0.1:1/app?sslmode=disable", "databaseUrl (127.0.0.1:1/app)"],
    // Not escaped, and so read by nobody as it was meant.
    ["postgresql://me:a/secret@127.0.0.1:1/app", "databaseUrl (127.0.0.1:1/app)"],
    ["postgresql://me:a?secret@127.0.0.1:1/app", "databaseUrl cannot"]
  ])(
    "says where it looked for a database that is away, and why, without a password: %s",
    async (databaseUrl, place) => {
      const message = await refusalOf({ databaseUrl, secretKeys: key, blobs: { ...mapBlobs(new Map()) } })
      assert.include(message, `createLoopbox: the database of ${place}`)
      assert.notInclude(message, "secret")
    }
  )

  it("says why a database cannot be connected to, also past a pooler", async () => {
    const message = await refusalOf({
      databaseUrl: "postgresql://me:secret@127.0.0.1:1/app",
      listenerUrl: "postgresql://me:secret@127.0.0.1:2/app",
      secretKeys: key,
      blobs: mapBlobs(new Map())
    })
    const both = "databaseUrl (127.0.0.1:1/app) and listenerUrl (127.0.0.1:2/app)"
    assert.strictEqual(
      message,
      `createLoopbox: the database of ${both} cannot be used: connect ECONNREFUSED 127.0.0.1:2`
    )
  })

  it("names everything that plain JavaScript may get wrong, at once", async () => {
    const options: object = {
      databaseURL: "postgresql://host",
      blobs: { put: () => undefined },
      identity: {},
      plans: { gold: [] }
    }
    const message = await refusalOf(options)
    assert.include(message, "databaseURL is no option")
    assert.include(message, "blobs lacks get, size, remove, list")
    assert.include(message, "identity must be an async function")
    assert.include(message, "plans.gold is no plan")
  })

  it.each<[object, string]>([
    [{ data: undefined }, "data is undefined: set what it is read from"],
    [{ blobs: undefined }, "blobs is undefined"],
    [{ workers: undefined }, "workers is undefined"],
    [{ data: 5 }, "data must be a folder"],
    [{ secretKeys: 5 }, "secretKeys must be a text"],
    [{ blobs: null }, "blobs must be a folder, s3://bucket"],
    [{ blobs: "" }, "blobs must be a folder, s3://bucket"],
    [{ networks: "sandboxx" }, 'networks must be "none", "sandbox", "live"'],
    [{ networks: null }, "networks must be"],
    [{ networks: { metta: {} } }, "networks.metta is not known: there are meta, instagram, threads, x, baseUrls"],
    [{ networks: { x: { clientID: "1" } } }, "networks.x.clientID is not known"],
    [{ networks: { meta: { secrets: "one" } } }, "networks.meta.secrets must be a list of texts"],
    [{ workers: "no" }, "workers must be true or false"],
    [{ ffmpeg: "/no/such/ffmpeg" }, "ffmpeg must be the path of a program that is there"],
    [{ publicUrl: "https://app.example?x=1" }, "publicUrl must be an http or https address, without ? and #"],
    [{ identity: { url: "http://id.example/keys", issuer: "i", audience: "a" } }, "identity.url must be https"],
    [{ plans: [] }, "plans must be lists of sources by plan"],
    [{ api: null }, "api must be { adminToken, corsOrigins, rateLimit }"],
    [{ api: { adminTokn: "x" } }, "api.adminTokn is not known"],
    [{ api: { corsOrigins: "https://app.example" } }, "api.corsOrigins must be a list of origins"],
    [{ api: { corsOrigins: ["https://app.example/"] } }, "api.corsOrigins must be a list of origins"],
    [{ api: { corsOrigins: ["https://*.app.example"] } }, "api.corsOrigins must be a list of origins"],
    [{ api: { rateLimit: { perSecond: 0, burst: 1 } } }, 'api.rateLimit must be "off", or { perSecond, burst }'],
    [["postgresql://host"], "it takes an object of options"]
  ])("refuses %j, which no compiler has seen, and names the option", async (options, message) => {
    assert.include(await refusalOf(options), message)
  })

  it("says which ffmpeg is not there, where it is looked for in PATH", async () => {
    assert.include(await refusalOf({ ffmpeg: "no-such-ffmpeg" }), "no-such-ffmpeg")
  })

  it("says of one of a wrong kind nothing else", async () => {
    const options: object = { databaseUrl: "postgresql://host", secretKeys: 5, blobs: "files" }
    assert.strictEqual(await refusalOf(options), "createLoopbox: secretKeys must be a text")
  })

  it("keeps files in a store of plain functions, and lets a layer replace what options give", async () => {
    const map = new Map<string, { bytes: Uint8Array; writtenAt: Date }>()
    const ways = [() => createLoopbox({ blobs: mapBlobs(map) }), () => createLoopbox({}, blobStore(mapBlobs(map)))]
    for (const create of ways) {
      map.clear()
      await using loopbox = await create()
      const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
      await loopbox.media.upload({ workspaceId, bytes: smallGif })
      assert.strictEqual(map.size, 1)
    }
  })

  it("asks a function who a dashboard token belongs to, and fails where it throws", async () => {
    let workspaceId = ""
    await using loopbox = await createLoopbox({
      identity: async ({ token }) => {
        if (token === "a.broken.token") throw new Error("the provider is down")
        return token === "a.good.token" ? { userId: "stranger", workspaceId } : null
      }
    })
    workspaceId = (await loopbox.workspaces.create({ name: "Acme", plan: "basic" })).id
    const statusOf = async (token: string) =>
      (await ask(loopbox.node(), "/v1/inbox?inbox_scope=workspace", token)).status
    assert.strictEqual(await statusOf("another.bad.token"), 401)
    // Known, but no member of the workspace.
    assert.strictEqual(await statusOf("a.good.token"), 403)
    assert.strictEqual(await statusOf("a.broken.token"), 500)
  })

  it("gives plans the sources that a table says, and leaves the others as they were", async () => {
    await using loopbox = await createLoopbox({ plans: { free: ["ig_comment"] } })
    for (const [plan, count] of [
      ["free", 0],
      ["basic", 0]
    ] as const) {
      const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan })
      assert.strictEqual(await loopbox.inbox.count({ workspaceId }), count)
    }
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "api" })
    assert.match(
      String(await loopbox.inbox.count({ workspaceId }).catch((error: unknown) => error)),
      /PlanFeatureNotAvailable/
    )
  })

  it("starts no worker where it should not", async () => {
    await using loopbox = await createLoopbox({ workers: false })
    const { id: workspaceId } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
    const { id: gifMediaId } = await loopbox.media.upload({ workspaceId, bytes: smallGif })
    const job = await loopbox.conversions.submit({ workspaceId, gifMediaId })
    await new Promise((done) => setImmediate(done))
    assert.strictEqual((await loopbox.conversions.find(job)).status, "queued")
  })

  it("simulates the networks on the loopback", async () => {
    await using loopbox = await createLoopbox({ networks: "sandbox" })
    assert.match(loopbox.simulatorUrl ?? "", /^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${loopbox.simulatorUrl}/instagram/nothing`)
    await response.text()
    assert.isAtLeast(response.status, 400)
  })

  it("keeps its database, files and keys in a folder", async () => {
    const data = await mkdtemp(join(tmpdir(), "loopbox-embedded-"))
    const make = () => createLoopbox({ data, ffmpeg: false })
    const { mediaId, workspaceId } = await (async () => {
      await using loopbox = await make()
      const { id } = await loopbox.workspaces.create({ name: "Acme", plan: "basic" })
      return { workspaceId: id, mediaId: (await loopbox.media.upload({ workspaceId: id, bytes: smallGif })).id }
    })()
    const file = join(data, "secret-keys")
    const keys = await readFile(file, "utf8")
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    {
      await using loopbox = await make()
      const chunks: Array<Uint8Array> = []
      for await (const chunk of await loopbox.media.read(workspaceId, mediaId)) chunks.push(chunk)
      assert.strictEqual(Buffer.concat(chunks).length, smallGif.length)
    }
    assert.strictEqual(await readFile(file, "utf8"), keys)
    await rm(data, { recursive: true })
  })

  it("mounts nothing of layers without settings of the API, and says what is missing", async () => {
    await using loopbox = await createLoopbox(MemoryAdapters.layer)
    const warnings: Array<string> = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on("warning", note)
    assert.strictEqual((await ask(loopbox.node(), "/livez", "")).status, 500)
    process.off("warning", note)
    assert.include(warnings.join("\n"), "HttpSettings.layer")
  })

  it("answers 503, to be tried again, when its identity function says nothing", async () => {
    const never = async () => new Promise<never>(() => undefined)
    await using loopbox = await createLoopbox({ identity: never, timeouts: { identity: "20 millis" } })
    const { retryAfter, status } = await ask(loopbox.node(), "/v1/media", "token")
    assert.strictEqual(status, 503)
    assert.isNotNull(retryAfter)
  })
})
