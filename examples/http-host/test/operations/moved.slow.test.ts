import { assert } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, it } from "vitest"
import { customer, request } from "../support/apiClient.ts"
import { bucketPlace, s3Endpoint, s3Key } from "../support/bucket.ts"
import { citus, plainDatabase } from "../support/citusDatabase.ts"
import { ffmpegPath } from "../support/ffmpeg.ts"
import { ask, call, type Filled, fillInstallation, gif, replyTo } from "../support/filledInstallation.ts"
import { type HostProcess, startHost, until, type Variables } from "../support/hostProcess.ts"
import { listItems, openSocket } from "../support/inboxClient.ts"
import { lastNumber } from "../support/inboxStream.ts"
import { type Photo, photograph, readLasting } from "../support/installationPhoto.ts"
import { pageCommands } from "../support/pageCommands.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { receiver } from "../support/receiver.ts"
import { runCli } from "../support/runCli.ts"
import { describeUnmoved } from "../support/unmoved.ts"

/** What the pages' commands printed, which have to end well. */
const well = ({ code, output }: { readonly code: number | null; readonly output: string }): string => {
  assert.strictEqual(code, 0, output)
  return output
}

const isGiven = citus !== undefined && s3Endpoint !== undefined

if (!isGiven) it.skip("LOOPBOX_TEST_CITUS and LOOPBOX_TEST_S3 name no servers: moving to them was not tried")
else {
  describeUnmoved("it moves one itself")("an installation that grows, by the commands of docs/operations", async () => {
    const { folder, remove } = await preparedFolder()
    const data = join(folder, ".loopbox")
    const pages = (name: string) => pageCommands(`docs/operations/${name}.md`, folder)
    const [toServer, toCitus, toBucket] = [pages("backup-and-restore"), pages("distributed"), pages("files-in-s3")]
    const place = bucketPlace()
    let server: Awaited<ReturnType<typeof plainDatabase>>
    let hooks: Awaited<ReturnType<typeof receiver>>
    let settings: Variables = {}
    let host: HostProcess
    let adminToken = ""
    let customers: ReadonlyArray<Filled> = []
    let before: Photo
    let seen: ReadonlyArray<number> = []
    let link = ""

    const start = async () => {
      host = await startHost(folder, settings)
      // The simulator forgets with its process who was subscribed.
      if (customers.length > 0) await sandbox("subscribe")
    }
    const sandbox = async (...args: ReadonlyArray<string>) =>
      JSON.parse(well(await runCli(["sandbox", ...args, "--json"], folder, settings)))

    beforeAll(async () => {
      server = await plainDatabase()
      hooks = await receiver()
      settings = {
        LOOPBOX_FFMPEG: await ffmpegPath(),
        LOOPBOX_WEBHOOKS_PRIVATE: "on",
        LOOPBOX_NETWORKS: "sandbox",
        ...s3Key
      }
      await start()
      adminToken = readFileSync(join(data, "admin-token"), "utf8").trim()
      customers = await fillInstallation(host.url, adminToken, sandbox, hooks.url(200))
      before = await photograph(host.url, adminToken, customers)
      const media = await request(`${host.url}/v1/media/${customers[0]?.videos[0]}`, { token: customers[0]?.key })
      const signed = new URL(/"download_url":"([^"]*)"/.exec(media.text)?.[1] ?? "")
      link = `${signed.pathname}${signed.search}`
      seen = await Promise.all(customers.map(({ key }) => lastNumber(host.url, key)))
    })
    afterAll(async () => {
      await host?.stop("SIGKILL")
      hooks?.close()
      remove()
    })

    /** All is there byte for byte, and cursors, links, keys and sockets of the time before go on. */
    const isWhole = async () => {
      const now = await photograph(host.url, adminToken, customers)
      assert.deepStrictEqual([...now.answers.keys()], [...before.answers.keys()])
      for (const [path, answer] of before.answers) assert.strictEqual(now.answers.get(path), answer, path)
      for (const { name, path, token } of before.cursors) {
        assert.strictEqual(await readLasting(host.url, path, token), before.answers.get(name), name)
      }
      assert.strictEqual((await fetch(`${host.url}${link}`)).status, 200)
      for (const [n, { items, key, reply }] of customers.entries()) {
        const again = await replyTo(host.url, key, items[0] ?? "", "Yes, until six.", "sundays")
        assert.deepStrictEqual([again.status, again.operationId], [200, reply.operationId], again.text)
        const socket = await openSocket(host.url, key, `&after=${(seen[n] ?? 0) - 2}`)
        await until("the missed events", () => socket.frames.find(({ seq }) => seq === seen[n]))
        assert.notInclude(socket.texts.join("\n"), "resync_required")
        socket.close()
      }
    }

    /** A webhook comes in, is told of, answered and told on; a poll finds what no webhook told of; a GIF becomes a video. */
    const goesOn = async (words: string) => {
      for (const [n, { accountIds, key }] of customers.entries()) {
        const socket = await openSocket(host.url, key)
        const to = ["--network", "facebook", "--account", accountIds[1] ?? ""]
        const item = await ask(host.url, key, sandbox, `${words} ${n}?`, ...to)
        await until("the frame", () => socket.frames.find((frame) => frame.item?.id === item.id))
        socket.close()
        const answer = await replyTo(host.url, key, item.id, "Yes.", words)
        assert.strictEqual(answer.status, 200, answer.text)
        await until("the webhook", () => hooks.received.find(({ body }) => body.includes(item.id)))
        const lost = await sandbox("comment", `Lost ${words}`, ...to, "--times", "0")
        await call(host.url, key, "POST", "/v1/inbox/sync?inbox_scope=workspace")
        await until("the poll", async () =>
          (await listItems(host.url, key)).find(({ external_id }) => external_id === lost.id)
        )
        const calls = customer(host.url, key)
        const job = await calls.settled((await calls.submit(await calls.upload(gif(5)), words)).id)
        assert.strictEqual(job.status, "succeeded")
        assert.isAbove((await calls.download(job.output_media_id ?? "")).length, 1000)
      }
      assert.notInclude(host.output(), "a loop met a defect")
    }
    const lookAgain = async () => {
      before = await photograph(host.url, adminToken, customers)
      seen = await Promise.all(customers.map(({ key }) => lastNumber(host.url, key)))
    }

    it("goes from the embedded database to a server", async () => {
      await host.stop()
      const moving = { ...settings, LOOPBOX_DATA: data, BACKUP: folder, SERVER_URL: server.url }
      assert.include(well(await toServer.run("move", moving)), "that records name are there")
      const read = (name: string) => readFileSync(join(data, name), "utf8").trim()
      settings = {
        ...settings,
        LOOPBOX_SECRET_KEYS: read("secret-keys"),
        LOOPBOX_ADMIN_TOKEN: read("admin-token"),
        DATABASE_URL: server.url,
        LOOPBOX_BLOBS: join(data, "blobs")
      }
      await start()
      await isWhole()
      await goesOn("Server")
      await lookAgain()
    })

    it("goes from the server to a coordinator with two workers", async () => {
      await host.stop()
      const [one = "", two = ""] = server.workers
      const [node0 = "", node1 = "", node2 = ""] = server.nodes
      const nodes = { WORKER_1: one, WORKER_2: two, NODE_0: node0, NODE_1: node1, NODE_2: node2 }
      well(await toCitus.run("nodes", { ...settings, ...nodes }))
      const done = well(await toCitus.run("distribute", settings))
      assert.match(done, /ok +nodes +all 3 nodes answer/)
      await start()
      await isWhole()
      await goesOn("Citus")
      await lookAgain()
    })

    it("goes from files in a folder to a bucket", async () => {
      const there = { ...settings, NEW_BLOBS: place.address }
      well(await toBucket.run("first-copy", there))
      await goesOn("Meanwhile")
      await lookAgain()
      await host.stop()
      assert.include(well(await toBucket.run("second-copy", there)), "that records name are there")
      settings = { ...settings, LOOPBOX_BLOBS: place.address }
      await start()
      await isWhole()
      await goesOn("Bucket")
      assert.strictEqual((await host.stop()).code, 0)
    })

    it("leaves no command of the two pages out", () => {
      assert.deepStrictEqual([...toCitus.left(), ...toBucket.left()], [])
    })
  })
}
