import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, it } from "vitest"
import { bin, cleanEnvironment, type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { receiver } from "./support/receiver.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
const { folder } = places
let host: HostProcess
beforeAll(async () => {
  host = await startHost(folder)
})
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

/** `loopbox listen` until the test ends. */
const listening = (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [bin, "listen", ...args], {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const said = { out: "", err: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text))
  const begun = until("the connection", () => (said.err.includes("Forwarding to") ? true : undefined))
  return { said, begun, stop: () => child.kill() }
}

const trigger = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, output } = await runCli(["trigger", "inbox.new_item", ...args], folder)
  assert.strictEqual(code, 0, output)
  return /^itm_\w+$/m.exec(output)?.[0] ?? assert.fail(output)
}

describe("loopbox listen", () => {
  it("posts each event to this machine, signed so that the public package verifies it", async () => {
    const there = await receiver()
    const listener = listening("--forward-to", there.url(204), "--events", "inbox.new_item")
    try {
      await listener.begun
      const secret = /^whsec_[A-Za-z0-9+/=]+$/m.exec(listener.said.out)?.[0] ?? assert.fail(listener.said.out)
      const id = await trigger()
      const found = await until(id, async () => there.received.find(({ body }) => body.includes(id)))
      const verified = new Webhook(secret).verify(found.body, found.headers)
      assert.deepEqual(Object.keys(JSON.parse(found.body)).toSorted(), ["data", "timestamp", "type"])
      const { data, timestamp, type } = JSON.parse(JSON.stringify(verified))
      assert.deepEqual([type, data.item.id, data.external_user_id], ["inbox.new_item", id, null])
      assert.deepEqual(
        [typeof data.seq, data.workspace_id, typeof timestamp],
        ["number", data.item.workspace_id, "string"]
      )
      assert.strictEqual(found.headers["user-agent"], "Loopbox")
      await until(
        "its line",
        async () =>
          new RegExp(`^[0-9:]{8}  inbox\\.new_item  ${data.seq}  204  \\d+ ms$`, "m").test(listener.said.out) ||
          undefined
      )
      // What was not asked for was not sent.
      assert.isTrue(there.received.every(({ body }) => JSON.parse(body).type === "inbox.new_item"))
    } finally {
      listener.stop()
      there.close()
    }
  })

  it("tells what the receiver answered as JSON, signs with a given secret, and goes on after a failure", async () => {
    const there = await receiver()
    const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`
    const listener = listening("--forward-to", there.url(500), "--secret", secret, "--events", "inbox.*", "--json")
    try {
      await listener.begun
      const ids = [await trigger(), await trigger()]
      for (const id of ids) {
        const found = await until(id, async () => there.received.find(({ body }) => body.includes(`"id":"${id}"`)))
        assert.doesNotThrow(() => new Webhook(secret).verify(found.body, found.headers))
        const line = await until("its line", async () =>
          listener.said.out
            .split("\n")
            .filter((text) => text.endsWith("}"))
            .map((text) => JSON.parse(text))
            .find(({ webhook_id }) => webhook_id === found.headers["webhook-id"])
        )
        assert.deepInclude(line, { type: "inbox.new_item", status: 500, error: null })
      }
      assert.isTrue(listener.said.out.startsWith(`${JSON.stringify({ secret })}\n`))
    } finally {
      listener.stop()
      there.close()
    }
  })

  it("posts ends of media jobs where they are named, with the job as it can be read, and nowhere else", async () => {
    const [there, elsewhere] = [await receiver(), await receiver()]
    const types = "media.gif_conversion_ended,media.audio_overlay_ended"
    const listener = listening("--forward-to", there.url(204), "--events", `${types},inbox.new_item`)
    const unnamed = listening("--forward-to", elsewhere.url(204))
    const only = listening("--forward-to", elsewhere.url(200), "--events", types, "--json")
    try {
      await Promise.all([listener.begun, unnamed.begun, only.begun])
      const item = await trigger()
      const { code, output } = await runCli(["trigger", "media.audio_overlay_ended"], folder)
      assert.strictEqual(code, 0, output)
      const id = /^mpj_\w+$/m.exec(output)?.[0] ?? assert.fail(output)
      const end = await until("the overlay's end", async () => there.received.find(({ body }) => body.includes(id)))
      const secret = /^whsec_[A-Za-z0-9+/=]+$/m.exec(listener.said.out)?.[0] ?? assert.fail(listener.said.out)
      const { data, type } = JSON.parse(JSON.stringify(new Webhook(secret).verify(end.body, end.headers)))
      assert.deepStrictEqual(
        [type, data.job.id, data.job.kind, data.job.status],
        ["media.audio_overlay_ended", id, "audio_overlay", "succeeded"]
      )
      assert.deepStrictEqual([data.seq, data.external_user_id], [null, null])
      const told = await until("the item", async () => there.received.find(({ body }) => body.includes(item)))
      assert.strictEqual(data.workspace_id, JSON.parse(told.body).data.workspace_id)
      // The overlay's video was made by a conversion, whose end was named as well; each came once.
      await until("both ends", async () => (only.said.out.match(/_ended"/g)?.length === 2 ? true : undefined))
      const ends = there.received
        .flatMap(({ body }) => JSON.parse(body).type)
        .filter((name) => name.startsWith("media."))
      assert.deepStrictEqual(ends.toSorted(), types.split(",").toSorted())
      await until("the item elsewhere", async () => elsewhere.received.find(({ body }) => body.includes(item)))
      assert.isFalse(unnamed.said.out.includes("media."))
    } finally {
      for (const one of [listener, unnamed, only]) one.stop()
      for (const one of [there, elsewhere]) one.close()
    }
  })

  it("refuses what is no address, no secret and no type", async () => {
    for (const [args, sentence] of [
      [["--forward-to", "localhost:3000"], "http:// or https://"],
      [["--forward-to", "http://localhost", "--secret", "whsec_short"], "24 to 64 bytes"],
      [["--forward-to", "http://localhost", "--events", "everything"], "neither a type"],
      [["--forward-to", "http://localhost", "--events", "inbox.new_itm"], "inbox.new_item"],
      [[], "forward-to"]
    ] as const) {
      const { code, output } = await runCli(["listen", ...args], folder)
      assert.strictEqual(code, 2, output)
      assert.include(output, sentence)
      assert.notMatch(output, /whsec_[^ ]{20}/)
    }
  })

  it("prints no secret where no host is reached or lets it in", async () => {
    const to = ["--forward-to", "http://localhost:3000/hook"]
    for (const [args, sentence] of [
      [["--url", "http://127.0.0.1:9"], "127.0.0.1:9"],
      [["--url", "nonsense"], "--url"],
      [["--url", "nonsense", "--json"], "--url"],
      [["--url", "http://127.0.0.1:9", "--events", "media.gif_conversion_ended"], "127.0.0.1:9"],
      [["--key", `lbx_live_${"x".repeat(43)}`], "UNAUTHORIZED"]
    ] as const) {
      const { code, output } = await runCli(["listen", ...to, ...args], folder)
      assert.notStrictEqual(code, 0, output)
      assert.include(output, sentence)
      assert.notInclude(output, "whsec_", args.join(" "))
    }
  })
})

describe("loopbox trigger", () => {
  it("makes an item on whatever network the account is, and prints its id", async () => {
    const { output } = await runCli(["account", "list", "--json"], folder)
    const accounts: ReadonlyArray<{ readonly id: string; readonly network: string }> = JSON.parse(output)
    assert.isAbove(accounts.length, 3)
    for (const { id, network } of accounts) {
      const done = await runCli(["trigger", "inbox.new_item", "--account", id, "--json"], folder)
      assert.strictEqual(done.code, 0, `${network}: ${done.output}`)
      assert.deepInclude(JSON.parse(done.output), { social_account_id: id })
    }
  })

  it("says that there is no such type or account", async () => {
    assert.strictEqual((await runCli(["trigger", "inbox.none"], folder)).code, 2)
    const ofJob = await runCli(["trigger", "media.gif_conversion_ended", "--account", "acc_none"], folder)
    assert.strictEqual(ofJob.code, 2)
    const none = await runCli(["trigger", "inbox.new_item", "--account", "acc_none"], folder)
    assert.strictEqual(none.code, 1)
    assert.include(none.output, "NOT_FOUND")
  })
})
