import { assert } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type HostProcess, startHost, until } from "./support/hostProcess.ts"
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

const cli = (...args: ReadonlyArray<string>) => runCli(["webhook-endpoint", ...args], folder)
const json = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await cli(...args, "--json")
  assert.strictEqual(code, 0, output)
  return JSON.parse(output)
}

describe("loopbox webhook-endpoint", () => {
  it("makes an endpoint whose secret verifies what comes, lists its deliveries and sends one again", async () => {
    const there = await receiver()
    try {
      const made = await json("create", there.url(204), "--events", "inbox.new_item, post.*", "--ordered")
      assert.deepInclude(made, { events: ["inbox.new_item", "post.*"], is_ordered: true, status: "enabled" })
      const table = await cli("list")
      assert.match(
        table.output,
        new RegExp(`^${made.id} +enabled, ordered +inbox.new_item,post.\\* .* ${made.url}$`, "m")
      )

      const item = await runCli(["trigger", "inbox.new_item"], folder)
      const id = /^itm_\w+$/m.exec(item.output)?.[0] ?? assert.fail(item.output)
      const came = await until(id, async () => there.received.find(({ body }) => body.includes(id)))
      new Webhook(made.secret).verify(came.body, came.headers)

      const delivered = await until("the delivery", async () => {
        const { data } = await json("deliveries", made.id, "--status", "delivered")
        return data.length > 0 ? data : undefined
      })
      const first = await cli("deliveries", made.id, "--status", "delivered", "--limit", "1")
      assert.match(first.output, /^whd_\S+ +delivered +inbox\.new_item +\d+ +1 /m)
      const one = delivered.at(-1)
      const before = there.received.length
      assert.strictEqual((await json("redeliver", made.id, one.id)).status, "pending")
      await until("the same again", async () => (there.received.length > before ? true : undefined))
      assert.deepStrictEqual((await json("delivery", made.id, one.id)).request.url, made.url)

      assert.include((await cli("delete", made.id)).output, `${made.id} is deleted`)
      assert.include((await cli("delete", made.id)).output, "NOT_FOUND")
    } finally {
      there.close()
    }
  })

  it("posts an example, shows what was answered, and fails where it was not taken", async () => {
    const there = await receiver()
    try {
      const well = await json("create", there.url(204))
      const taken = await cli("test", well.id)
      assert.strictEqual(taken.code, 0, taken.output)
      assert.match(taken.output, /^whd_\S+ +delivered +inbox\.new_item +- +1 /m)
      assert.include(there.received[0]?.body, '"example":true')
      const ill = await json("create", there.url(500))
      const refused = await cli("test", ill.id, "--type", "post.failed")
      assert.strictEqual(refused.code, 1, refused.output)
      assert.match(refused.output, /^\S+Z +500 +\d+ +-$/m)
      assert.include(refused.output, "loopbox: The example was not taken.")
    } finally {
      there.close()
    }
  })

  it("says what is wrong with what it is told", async () => {
    for (const [args, code, sentence] of [
      [["create"], 2, "Missing required argument: address"],
      [["create", "ftp://files.example"], 1, "url must be a URL"],
      [["create", "http://localhost:1/", "--events", "coffee"], 1, "events[0] is no type of event"],
      [["test", "whe_none"], 1, "NOT_FOUND"],
      [["deliveries", "whe_none", "--limit", "101"], 2, "an integer from 1 to 100"],
      [["list", "--url", "http://127.0.0.1:1"], 1, "There is no API key for http://127.0.0.1:1."]
    ] as const) {
      const answered = await cli(...args)
      assert.strictEqual(answered.code, code, answered.output)
      assert.include(answered.output, sentence)
    }
  })
})
