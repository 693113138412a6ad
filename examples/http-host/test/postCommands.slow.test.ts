import { assert } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, it } from "vitest"
import { type HostProcess, startHost } from "./support/hostProcess.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
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

const post = (...args: ReadonlyArray<string>) => runCli(["post", ...args], folder)

const Accounts = Schema.Array(Schema.Struct({ id: Schema.String, network: Schema.String }))
const decodeAccounts = Schema.decodeUnknownSync(Schema.fromJsonString(Accounts))
const accountOn = async (network: string) => {
  const { code, output } = await runCli(["account", "list", "--network", network, "--json"], folder)
  assert.strictEqual(code, 0, output)
  return decodeAccounts(output)[0]?.id ?? assert.fail(output)
}

const idIn = (output: string, prefix: string): string =>
  new RegExp(`\\b${prefix}_[0-9a-z]{26}\\b`).exec(output)?.[0] ?? assert.fail(output)

describe("loopbox post", () => {
  it("publishes a post and waits for its end, shows it, and deletes it on its network and here", async () => {
    const accounts = [await accountOn("facebook"), await accountOn("x")].join(",")
    const made = await post("publish", "Our new cat", "--accounts", accounts, "--key", "cat")
    assert.strictEqual(made.code, 0, made.output)
    assert.match(made.output, /^TARGET +ACCOUNT +NETWORK +STATUS +WHERE$/m)
    assert.strictEqual(made.output.match(/^ptg_.* published +http/gm)?.length, 2, made.output)
    const id = idIn(made.output, "pst")
    const again = await post("publish", "Our new cat", "--accounts", accounts, "--key", "cat")
    assert.strictEqual(idIn(again.output, "pst"), id)
    const listed = await post("list", "--status", "published")
    assert.match(listed.output, new RegExp(`^${id} +published .* facebook,x +Our new cat$`, "m"))
    // All posts there are, and no page of them.
    const all: ReadonlyArray<{ readonly id: string }> = JSON.parse((await post("list", "--json")).output)
    assert.deepStrictEqual(
      all.map((one) => one.id),
      [id]
    )
    const target = idIn(made.output, "ptg")
    const refused = await post("retry", id, target)
    assert.strictEqual(refused.code, 1)
    assert.include(refused.output, "TARGET_NOT_RETRYABLE")
    const removed = await post("delete", id, "--target", target)
    assert.match(removed.output, new RegExp(`^${target} .* deleted`, "m"))
    assert.include((await post("delete", id)).output, `${id} is deleted here`)
    assert.include((await post("get", id)).output, "There is no such post")
  })

  it("keeps a draft and publishes it, and takes a scheduled post back", async () => {
    const account = await accountOn("threads")
    const draft = idIn((await post("publish", "A draft", "--accounts", account, "--draft")).output, "pst")
    assert.match((await post("get", draft)).output, new RegExp(`^${draft} +draft `, "m"))
    const out = await post("publish", draft, "--json")
    assert.strictEqual(out.code, 0, out.output)
    assert.include(out.output, '"status": "published"')
    // The host is a process on the real clock, and a post is scheduled a minute ahead at least.
    const at = new Date(Date.now() + 3_600_000).toISOString()
    const later = await post("publish", "Later", "--accounts", account, "--at", at)
    assert.match(later.output, new RegExp(`^pst_\\S+ +scheduled .* ${at} +threads +Later$`, "m"))
    const canceled = await post("cancel", idIn(later.output, "pst"))
    assert.match(canceled.output, /^pst_\S+ +canceled /m)
  })

  it("says what is wrong with a post, and what failed, with exit code 1", async () => {
    const account = await accountOn("facebook")
    const wrong = await post("publish", "No such file", "--accounts", account, "--media", "med_none")
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.output, "VALIDATION_ERROR")
    assert.notInclude(wrong.output, "--key")
    assert.notInclude((await post("list")).output, "No such file")
    const nowhere = await post("create", "Said to nobody", "--draft")
    assert.strictEqual(nowhere.code, 2, nowhere.output)
    assert.include(nowhere.output, "Say where: --accounts")
    const fault = ["fault", "set", "refused", "--network", "facebook", "--endpoint", "create_post"]
    const set = await runCli(["sandbox", ...fault], folder)
    assert.strictEqual(set.code, 0, set.output)
    const failed = await post("publish", "Refused", "--accounts", account)
    assert.strictEqual(failed.code, 1, failed.output)
    assert.match(failed.output, /^ptg_.* failed +[a-z_]+: /m)
  })
})
