import { assert } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { administrator, request } from "./support/apiClient.ts"
import { allOutput, type HostProcess, startHost, until } from "./support/hostProcess.ts"
import { listItems, openSocket } from "./support/inboxClient.ts"
import { metaDelivery } from "./support/metaDelivery.ts"
import { isMoved } from "./support/movedTo.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"

const places = await preparedFolder()
const { folder } = places
const data = join(folder, ".loopbox")
const secret = (name: string): string => readFileSync(join(data, name), "utf8").trim()
const cli = (...args: ReadonlyArray<string>) => runCli(args, folder)
const json = async (...args: ReadonlyArray<string>) => {
  const { code, output } = await cli(...args, "--json")
  assert.strictEqual(code, 0, output)
  return JSON.parse(output)
}

const metaSecret = "a-secret-of-an-app-of-meta"
const variables = { LOOPBOX_META_APP_SECRETS: `an-older-secret,${metaSecret}`, LOOPBOX_META_VERIFY_TOKEN: "let-me-in" }

let host: HostProcess
beforeAll(async () => {
  host = await startHost(folder, variables)
}, 300_000)
afterAll(async () => {
  await host.stop("SIGKILL")
  places.remove()
})

describe("loopbox serve, with nothing configured: the inbox", () => {
  it("fills by itself within seconds, for the workspace and for customer_1", async () => {
    const key = secret("demo-key")
    // Where a start takes long, the first of the afternoon's people find no account yet, and write nothing.
    const written = ["Is the blue one back in stock? 💙", "Hi, do you ship to Austria?", "How much is the large size?"]
    await until("somebody of the simulated networks", async () => {
      const found = await listItems(host.url, key)
      return found.some(({ body }) => body !== null && written.includes(body)) ? found : undefined
    })
    const own = await until("an item of customer_1", async () => {
      const found = await listItems(host.url, key, "inbox_scope=managed_user&external_user_id=customer_1")
      return found.length > 0 ? found : undefined
    })
    assert.deepStrictEqual(new Set(own.map(({ external_user_id }) => external_user_id)), new Set(["customer_1"]))
  })

  it("shows over a WebSocket what a person of the sandbox does, a moment later", async () => {
    const socket = await openSocket(host.url, secret("demo-key"))
    assert.strictEqual(socket.frames[0]?.type, "hello")
    const said = await json("sandbox", "comment", "Seen live?", "--network", "facebook", "--from", "Nora Test")
    const frame = await until("the new item", () => socket.frames.find(({ item }) => item?.external_id === said.id))
    assert.strictEqual(frame.type, "inbox.new_item")
    assert.strictEqual(frame.item?.author_name, "Nora Test")
    await json("sandbox", "edit", said.id, "Seen twice.")
    await until("the edit", () =>
      socket.frames.find(({ item, type }) => type.endsWith("updated") && item?.body === "Seen twice.")
    )
    await json("sandbox", "delete", said.id)
    await until("the end", () => socket.frames.find(({ type }) => type === "inbox.item_deleted"))
    assert.notInclude(
      (await listItems(host.url, secret("demo-key"))).map(({ external_id }) => external_id),
      said.id
    )
    socket.close()
  })

  it("lets the networks' APIs fail, and says what was posted on them", async () => {
    const endpoints: ReadonlyArray<{ network: string; endpoint: string }> = await json("sandbox", "endpoints")
    assert.deepInclude(endpoints, { network: "x", endpoint: "create_tweet" })
    const order = ["x", "--endpoint", "create_tweet", "--times", "2", "--retry-after", "60"]
    const fault = await json("sandbox", "fault", "set", "rate_limit", "--network", ...order)
    const { kind, network, retry_after_s, times } = fault
    assert.deepStrictEqual([network, kind, times, retry_after_s], ["x", "rate_limit", 2, 60])
    assert.deepStrictEqual(await json("sandbox", "fault", "list"), [fault])
    const unknown = await cli("sandbox", "fault", "set", "hang", "--network", "x", "--endpoint", "coffee")
    assert.strictEqual(unknown.code, 1)
    assert.match(unknown.output, /x has no endpoint coffee here; it has [a-z_, ]*\bcreate_tweet, /)
    assert.deepStrictEqual(await json("sandbox", "fault", "clear", "--network", "x"), { cleared: 1 })
    assert.deepStrictEqual(await json("sandbox", "sent"), [])
    assert.strictEqual((await json("sandbox", "settings", "--meta-calls", "9999")).meta_calls, 9999)
    assert.deepStrictEqual(await json("sandbox", "token", "valid", "--network", "threads"), { changed: 1 })
    const posted = await json("sandbox", "post", "Fresh today", "--network", "facebook")
    const said = await json("sandbox", "comment", "Nice!", "--network", "facebook", "--post", posted.id)
    const found = await until("the comment", async () =>
      (await listItems(host.url, secret("demo-key"))).find((item) => item.external_id === said.id)
    )
    assert.strictEqual(found.body, "Nice!")
  })

  it("stores a delivery that comes twice once, and none with a wrong signature", async () => {
    const key = secret("demo-key")
    const wrong = await json("sandbox", "comment", "forged", "--signature", "wrong")
    const twice = await json("sandbox", "comment", "twice", "--times", "3")
    await until("the item", async () => (await listItems(host.url, key)).find((item) => item.external_id === twice.id))
    const ids = (await listItems(host.url, key)).map(({ external_id }) => external_id)
    assert.strictEqual(ids.filter((id) => id === twice.id).length, 1)
    assert.notInclude(ids, wrong.id)
    const refused = await cli("sandbox", "message", "--network", "threads")
    assert.strictEqual(refused.code, 1)
    assert.match(refused.output, /^loopbox: There are no such direct messages on threads/)
  })

  it("shows what people of the sandbox send beside words, on ads, and what the network only announces", async () => {
    const item = (id: string) =>
      until(`the item ${id}`, async () =>
        (await listItems(host.url, secret("demo-key"))).find(({ external_id }) => external_id === id)
      )
    const onAd = await json("sandbox", "comment", "Is it this one?", "--network", "instagram", "--surface", "ad")
    const sticker = await json("sandbox", "message", "A sticker", "--network", "instagram", "--attachment", "sticker")
    const quote = await json("sandbox", "quote", "Look at this!")
    for (const { id } of [onAd, sticker, quote]) assert.strictEqual((await item(id)).external_id, id)
    const announced = await json("sandbox", "message", "Nobody told you", "--edit-only")
    assert.isTrue(announced.is_told)
    assert.strictEqual((await item(announced.id)).body, "Nobody told you")
    const hidden = await json("sandbox", "hide", onAd.id)
    assert.strictEqual(hidden.id, onAd.id)
    const settings = await json("sandbox", "settings", "--empty-lists", "on", "--own-webhooks", "off")
    assert.deepInclude(settings, { empty_lists: true, own_webhooks: { times: 0 } })
    const back = await json("sandbox", "settings", "--empty-lists", "off", "--own-webhooks", "on")
    assert.deepInclude(back, { empty_lists: false, own_webhooks: {} })
    const refused = await cli("sandbox", "comment", "hi", "--network", "threads", "--attachment", "sticker")
    assert.strictEqual(refused.code, 1)
  })

  it("accepts deliveries signed with a configured secret too, and answers Meta's handshake", async () => {
    const challenge = await request(
      `${host.url}/v1/webhooks/meta?hub.mode=subscribe&hub.verify_token=let-me-in&hub.challenge=1158201444`
    )
    assert.strictEqual(challenge.text, "1158201444")
    const body = "this is no JSON"
    const signature = `sha256=${createHmac("sha256", metaSecret).update(body).digest("hex")}`
    const deliver = (value: string) =>
      request(`${host.url}/v1/webhooks/meta`, { method: "POST", body, headers: { "x-hub-signature-256": value } })
    assert.strictEqual((await deliver(signature.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).status, 401)
    assert.strictEqual((await deliver(signature)).status, 200)
    const failed = await until("the failed delivery", async () => {
      const found: ReadonlyArray<{ readonly id: string }> = await json("webhooks", "list")
      return found[0]
    })
    assert.deepStrictEqual(await json("webhooks", "replay", failed.id), { replayed: 1 })
    assert.strictEqual((await cli("webhooks", "replay", "nothing-like-it")).code, 1)
  })

  it("takes what a delivery says to those who are erased out of it, and keeps it for the others", async () => {
    const token = secret("admin-token")
    const admin = administrator(host.url, token)
    const erase = (path: string) => request(`${host.url}/v1/admin/workspaces/${path}`, { method: "DELETE", token })
    const [here, there, elsewhere] = [
      await admin.createWorkspace("growth"),
      await admin.createWorkspace("growth"),
      await admin.createWorkspace("growth")
    ]
    await admin.connectPage(here, "701", "user")
    await admin.connectPage(there, "702")
    await admin.connectPage(elsewhere, "703")
    const entry = ["701", "702", "703"].map((id) => ({ id, time: 1_771_322_400, changes: ["not a change"] }))
    const delivery = metaDelivery(metaSecret, { object: "page", entry })
    assert.strictEqual((await request(`${host.url}/v1/webhooks/meta`, delivery)).status, 200)
    const reasons = async () => {
      const failed: ReadonlyArray<{ readonly reason: string }> = await json("webhooks", "list")
      return failed.map(({ reason }) => reason).filter((reason) => reason.includes("changes[0]"))
    }
    await until("the failed delivery", async () => (await reasons())[0])
    assert.strictEqual((await erase(`${here}/managed-users/user`)).status, 204)
    assert.strictEqual((await erase(there)).status, 204)
    assert.strictEqual((await reasons()).length, 1)
    assert.strictEqual((await erase(elsewhere)).status, 204)
    assert.deepStrictEqual(await reasons(), [])
  })

  it("is administered by commands: users, accounts and dashboard tokens", async () => {
    const { id } = await json("workspace", "create", "--name", "Acme", "--plan", "growth")
    assert.strictEqual((await json("managed-user", "add", id, "customer 7/ü")).external_user_id, "customer 7/ü")
    const renewal = ["--refresh-token-file", "refresh-token", "--token-expires-at", "2099-01-31T12:00:00Z"]
    const token = [
      "--access-token",
      "a-token-of-the-network",
      ...renewal,
      "--scope",
      "tweet.read",
      "--scope",
      "dm.read"
    ]
    const named = ["--network-account-id", "4711", "--name", "Acme", "--username", "acme"]
    writeFileSync(join(folder, "refresh-token"), "a-token-that-renews\n")
    const account = await json("account", "connect", id, "--network", "x", ...named, ...token)
    assert.deepStrictEqual(account.scopes, ["tweet.read", "dm.read"])
    assert.strictEqual(account.token_expires_at, "2099-01-31T12:00:00.000Z")
    assert.strictEqual((await cli("account", "connect", id, "--network", "x", ...named, ...token)).code, 1)
    assert.strictEqual(
      (await json("account", "move", id, account.id, "--to", "customer_8")).external_user_id,
      "customer_8"
    )
    const users: ReadonlyArray<{ readonly external_user_id: string }> = await json("managed-user", "list", id)
    assert.deepStrictEqual(
      users.map(({ external_user_id }) => external_user_id),
      ["customer_8", "customer 7/ü"]
    )
    assert.strictEqual((await cli("managed-user", "erase", id, "customer 7/ü")).code, 1)
    assert.deepStrictEqual(await json("managed-user", "erase", id, "customer 7/ü", "--yes"), {
      external_user_id: "customer 7/ü",
      erased: true
    })
    assert.strictEqual((await json("managed-user", "list", id)).length, 1)
    // What is connected here exists on the simulated network as well.
    assert.isFalse((await json("sandbox", "mention", "--account", "4711")).is_told)
    // Nobody tells of it by webhook until it is subscribed.
    assert.deepStrictEqual(await json("sandbox", "subscribe", "--network", "x", "--account", "4711"), { changed: 1 })
    const again = await cli("sandbox", "subscribe", "--network", "x", "--account", "4711")
    assert.strictEqual(again.output, "Nothing changed: the accounts were subscribed before, or there are none.\n")
    const said = await json("sandbox", "mention", "--account", "4711")
    await json("member", "set", id, "u1", "--role", "admin")
    // A host with a database server has no issuer of its own.
    const dashboard: { readonly token: string } = isMoved
      ? { token: (await json("key", "create", id, "--name", "k", "--creator", "u1")).key }
      : await json("token", "create", id, "u1", "--ttl", "600")
    if (!isMoved) (await openSocket(host.url, undefined, `&token=${dashboard.token}`)).close()
    await until("the mention", async () =>
      (await listItems(host.url, dashboard.token)).find(({ external_id }) => external_id === said.id)
    )
    assert.strictEqual((await json("account", "disconnect", id, account.id)).disconnected, true)
    assert.deepStrictEqual(await listItems(host.url, dashboard.token), [])
    const accounts: ReadonlyArray<{ readonly status: string }> = await json("account", "list", id)
    assert.deepStrictEqual(
      accounts.map(({ status }) => status),
      ["disconnected"]
    )
  })

  it("lets people write to Demo's accounts after a restart too, whatever was connected since", async () => {
    const { id } = await json("workspace", "create", "--name", "Later", "--plan", "growth")
    const named = ["--network-account-id", "815", "--name", "Later", "--access-token", "a-token-of-the-network"]
    await json("account", "connect", id, "--network", "instagram", ...named)
    await host.stop()
    host = await startHost(folder, variables)
    const said = await json("sandbox", "comment", "For the demo")
    await until("the item", async () =>
      (await listItems(host.url, secret("demo-key"))).find((item) => item.external_id === said.id)
    )
  })

  it("keeps everything over kill -9, tells its sockets of a stop, and lets them resume", async () => {
    const key = secret("demo-key")
    const before = await listItems(host.url, key)
    await host.stop("SIGKILL")
    host = await startHost(folder, variables)
    const after = (await listItems(host.url, key)).map(({ id }) => id)
    for (const { id } of before) assert.include(after, id)

    const socket = await openSocket(host.url, key)
    const seq = socket.frames[0]?.seq ?? 0
    const ended = await host.stop()
    assert.strictEqual(ended.code, 0, ended.output)
    await until("the close", () => socket.closedWith() || undefined)
    assert.strictEqual(socket.closedWith(), 1012)

    host = await startHost(folder, variables)
    const said = await json("sandbox", "comment", "after the restart")
    await until("the item", async () => (await listItems(host.url, key)).find((item) => item.external_id === said.id))
    const resumed = await openSocket(host.url, key, `&after=${seq}`)
    await until("the replay", () => resumed.frames.find(({ item }) => item?.external_id === said.id))
    resumed.close()
  })

  it("writes no token and no name into what it prints", () => {
    const output = allOutput(folder)
    for (const text of [
      secret("dashboard-key"),
      metaSecret,
      "let-me-in",
      "a-token-of-the-network",
      "a-token-that-renews",
      "Mira"
    ]) {
      assert.notInclude(output, text)
    }
  })
})

describe("loopbox serve, LOOPBOX_NETWORKS=live", () => {
  it("has no simulator, and answers 503 to webhooks that are not configured", async () => {
    const other = await preparedFolder()
    const live = await startHost(other.folder, { LOOPBOX_NETWORKS: "live" })
    const answer = await request(`${live.url}/v1/webhooks/x`, { method: "POST", body: "{}" })
    assert.strictEqual(answer.status, 503)
    assert.strictEqual((await runCli(["sandbox", "comment"], other.folder)).code, 1)
    assert.strictEqual((await live.stop()).code, 0)
    other.remove()
  })
})
