import { assert } from "@effect/vitest"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, customer, request } from "./support/apiClient.ts"
import { bucketPlace, s3Endpoint, s3Key } from "./support/bucket.ts"
import { faultyBucket } from "./support/faultyBucket.ts"
import { ffmpegPath } from "./support/ffmpeg.ts"
import {
  allOutput,
  type HostProcess,
  startHost,
  temporaryFolder,
  until,
  type Variables
} from "./support/hostProcess.ts"
import { runCli } from "./support/runCli.ts"
import { makeDatabase } from "./support/testServer.ts"

const places = temporaryFolder()
const { folder } = places
const adminToken = randomBytes(24).toString("hex")
const gif = Uint8Array.from(animatedGif([10, 20]))

let server: Variables = {}
const running: Array<HostProcess> = []
const start = async (variables: Variables) => {
  const host = await startHost(folder, { ...server, ...variables })
  running.push(host)
  return host
}
const refused = (variables: Variables) =>
  start(variables).then(
    () => "started",
    (error: Error) => error.message
  )

beforeAll(async () => {
  server = {
    DATABASE_URL: await makeDatabase(),
    LOOPBOX_DATA: join(folder, "data"),
    LOOPBOX_SECRET_KEYS: `first:${randomBytes(32).toString("base64")}`,
    LOOPBOX_ADMIN_TOKEN: adminToken,
    LOOPBOX_TEST_CLOCK: "on",
    LOOPBOX_SWEEP_EVERY: "1 second",
    LOOPBOX_FFMPEG: await ffmpegPath(),
    ...s3Key
  }
})
afterAll(async () => {
  await Promise.all(running.map((host) => host.stop("SIGKILL")))
  places.remove()
})

describe("LOOPBOX_BLOBS", () => {
  it("is refused by name where it is no address, and what stands in it is not written", async () => {
    const password = "s3://key:hunter2@bucket/x"
    for (const [blobs, sentence] of [
      ["gs://bucket/x", "it is an address of something that is not built in"],
      ["s3://B/x", "the bucket's name is none of S3"],
      ["s3://bucket/x?regoin=eu-central-1", "regoin is not known"],
      [password, "no credentials stand in it"]
    ] as const) {
      const { code, output } = await runCli(["config"], folder, { LOOPBOX_BLOBS: blobs })
      assert.strictEqual(code, 1, output)
      assert.include(output, "LOOPBOX_BLOBS must be the path of a folder, or s3://")
      assert.include(output, sentence)
      assert.notInclude(output, "hunter2")
    }
    const half = await runCli(["config"], folder, { LOOPBOX_S3_ACCESS_KEY_ID: "one" })
    assert.include(half.output, "LOOPBOX_S3_ACCESS_KEY_ID and LOOPBOX_S3_SECRET_ACCESS_KEY must be set together")
  })

  it("is said by doctor where nothing answers there", async () => {
    const nowhere = "s3://bucket/x?path_style=true&endpoint=http%3A%2F%2F127.0.0.1%3A1"
    const untouched = { LOOPBOX_DATA: join(folder, "untouched"), LOOPBOX_BLOBS: nowhere, ...s3Key }
    const { code, output } = await runCli(["doctor"], folder, untouched)
    assert.strictEqual(code, 1, output)
    assert.match(output, /failed +bucket +s3:\/\/bucket\/x\/ cannot write: .*nothing listens at its address/)
  })
})

if (s3Endpoint === undefined) {
  describe("loopbox serve, with files in S3", () => {
    it.skip("LOOPBOX_TEST_S3 names no server: it was not tried")
  })
} else {
  describe("loopbox serve, with files in S3", () => {
    it("keeps, converts, gives out in ranges, deletes and sweeps files, and doctor finds the bucket well", async () => {
      const place = bucketPlace()
      const host = await start({ LOOPBOX_BLOBS: place.address })
      const admin = administrator(host.url, adminToken)
      const key = await admin.createKey(await admin.createWorkspace("basic"))
      const calls = customer(host.url, key)
      const uploaded = await calls.upload(gif)
      assert.deepStrictEqual(await calls.download(uploaded), gif)
      const job = await calls.settled((await calls.submit(uploaded)).id)
      assert.strictEqual(job.status, "succeeded")
      const output = job.output_media_id ?? ""
      const whole = await calls.download(output)
      assert.isAbove(whole.length, 1000)
      const ranged = await fetch(`${host.url}/v1/media/${output}/content`, {
        headers: { authorization: `Bearer ${key}`, range: "bytes=100-299" }
      })
      assert.strictEqual(ranged.status, 206)
      assert.deepStrictEqual(new Uint8Array(await ranged.arrayBuffer()), whole.slice(100, 300))
      assert.strictEqual(await place.size("INSTALLATION").then((size) => (size ?? 0) > 10), true)

      const lone = await calls.upload(gif)
      const before = await place.keys()
      const deleted = await request(`${host.url}/v1/media/${lone}`, { method: "DELETE", token: key })
      assert.strictEqual(deleted.status, 200, deleted.text)
      await until("the deleted file's bytes", async () =>
        (await place.keys()).length < before.length ? true : undefined
      )

      const ready = await request(`${host.url}/readyz`, { token: adminToken })
      assert.include(ready.text, `s3://loopbox/${place.prefix}/ takes files`)
      const doctor = await runCli(["doctor", "--files", "--repair"], folder, {
        ...server,
        LOOPBOX_BLOBS: place.address
      })
      assert.strictEqual(doctor.code, 0, doctor.output)
      assert.match(doctor.output, /ok +bucket +s3:.*written, read, listed and deleted/)
      assert.match(doctor.output, /ok +bucket clock +this machine's clock/)
      assert.match(doctor.output, /ok +bucket uploads +this store (knows|takes) no rule/)

      await request(`${host.url}/v1/admin/test/clock`, {
        method: "POST",
        token: adminToken,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ advance: "400 days" })
      })
      await until("the sweep", async () => ((await place.keys()).length === 0 ? true : undefined))
      assert.strictEqual((await host.stop()).code, 0)
      assert.notInclude(allOutput(folder), s3Key.LOOPBOX_S3_SECRET_ACCESS_KEY)
    })

    it("sends who has a key to the bucket for a file, and serves signed links itself", async () => {
      const place = bucketPlace()
      const variables = { DATABASE_URL: await makeDatabase(), LOOPBOX_BLOBS: place.address }
      const host = await start({ ...variables, LOOPBOX_BLOB_DOWNLOADS: "bucket" })
      const admin = administrator(host.url, adminToken)
      const key = await admin.createKey(await admin.createWorkspace("basic"))
      const calls = customer(host.url, key)
      const id = await calls.upload(gif)
      const ask = (init: RequestInit) => {
        const headers = new Headers(init.headers)
        headers.set("authorization", `Bearer ${key}`)
        return fetch(`${host.url}/v1/media/${id}/content`, { ...init, headers })
      }
      const told = await ask({ redirect: "manual" })
      assert.strictEqual(told.status, 302)
      const location = told.headers.get("location") ?? ""
      assert.isTrue(location.startsWith(`${s3Endpoint}/loopbox/${place.prefix}/ws_`), location)
      assert.include(location, "X-Amz-Expires=300")
      const followed = await ask({})
      assert.strictEqual(followed.headers.get("content-type"), "image/gif")
      assert.include(followed.headers.get("content-disposition") ?? "", "attachment")
      assert.deepStrictEqual(new Uint8Array(await followed.arrayBuffer()), gif)
      const ranged = await ask({ headers: { range: "bytes=2-9" } })
      assert.strictEqual(ranged.status, 206)
      assert.deepStrictEqual(new Uint8Array(await ranged.arrayBuffer()), gif.slice(2, 10))
      assert.strictEqual((await fetch(location.replace("X-Amz-Expires=300", "X-Amz-Expires=301"))).status, 403)
      const about = await request(`${host.url}/v1/media/${id}`, { token: key })
      const link = /"download_url":"([^"]+)"/.exec(about.text)?.[1] ?? ""
      assert.strictEqual((await fetch(link, { redirect: "manual" })).status, 200)
      await host.stop()
      const folderToo = await runCli(["config"], folder, { LOOPBOX_BLOB_DOWNLOADS: "bucket" })
      assert.include(folderToo.output, "LOOPBOX_BLOB_DOWNLOADS may be bucket only where LOOPBOX_BLOBS is s3://")
    })

    it("answers 503 while the bucket fails, goes on with a body that is cut, and heals by itself", async () => {
      const bucket = await faultyBucket(s3Endpoint ?? "")
      const host = await start({ DATABASE_URL: await makeDatabase(), LOOPBOX_BLOBS: bucketPlace(bucket.url).address })
      const admin = administrator(host.url, adminToken)
      const key = await admin.createKey(await admin.createWorkspace("growth"))
      const calls = customer(host.url, key)
      const id = await calls.upload(gif)
      bucket.set("cut")
      assert.deepStrictEqual(await calls.download(id), gif)
      assert.strictEqual(bucket.refused(), 1)
      for (const fault of [
        { status: 503, code: "SlowDown" },
        { status: 403, code: "RequestTimeTooSkewed" },
        { status: 400, code: "ExpiredToken" },
        { status: 404, code: "NoSuchBucket" }
      ]) {
        bucket.set(fault)
        const read = await request(`${host.url}/v1/media/${id}/content`, { token: key })
        const send = { method: "POST", token: key, headers: { "content-type": "image/gif" }, body: gif }
        for (const answer of [read, await request(`${host.url}/v1/media`, send)]) {
          assert.strictEqual(answer.status, 503, `${fault.code}: ${answer.text}`)
          assert.isNotNull(answer.headers.get("retry-after"))
        }
        const isReady = async (wanted: number) =>
          (await request(`${host.url}/readyz`)).status === wanted ? true : undefined
        await until(`unready after ${fault.code}`, () => isReady(503))
        bucket.set(undefined)
        assert.deepStrictEqual(await calls.download(id), gif)
        await until(`ready after ${fault.code}`, () => isReady(200))
      }
      const job = await calls.settled((await calls.submit(id)).id)
      assert.strictEqual(job.status, "succeeded")
      await host.stop()
      bucket.close()
      const told = allOutput(folder)
      for (const sentence of [
        "it asks for fewer requests",
        "clock is wrong",
        "have expired",
        "the bucket does not exist"
      ]) {
        assert.include(told, sentence)
      }
    })

    it("does not start on another bucket, or on another installation's", async () => {
      const database = { DATABASE_URL: await makeDatabase() }
      const own = bucketPlace()
      await (await start({ ...database, LOOPBOX_BLOBS: own.address })).stop()
      const empty = bucketPlace()
      const message = await refused({ ...database, LOOPBOX_BLOBS: empty.address })
      assert.include(message, "has no object INSTALLATION")
      assert.strictEqual(await empty.size("INSTALLATION"), undefined)
      const others = await refused({ DATABASE_URL: await makeDatabase(), LOOPBOX_BLOBS: own.address })
      assert.include(others, "belongs to another database")
      const wrongKey = { LOOPBOX_S3_ACCESS_KEY_ID: "test:tester", LOOPBOX_S3_SECRET_ACCESS_KEY: "wrong-one" }
      const denied = await refused({ ...database, ...wrongKey, LOOPBOX_BLOBS: own.address })
      assert.include(denied, "the secret access key is wrong")
      const missing = own.address.replace("s3://loopbox/", "s3://no-such-bucket/")
      assert.include(await refused({ ...database, LOOPBOX_BLOBS: missing }), "the bucket does not exist")
    })
  })
}
