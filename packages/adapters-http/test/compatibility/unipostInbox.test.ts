import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { RateLimited } from "@loopbox/core/networks/ConnectorErrors"
import * as FakeConnector from "@loopbox/testing/fakes/FakeConnector"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { comment, connectAccount, entriesOf, inbox, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { makeItem, operationIdOf, send, takeAll } from "../inbox/replySupport.ts"
import { connectX, scriptX } from "../inbox/syncSupport.ts"
import { follow } from "../sockets/socketSupport.ts"
import { type Answer, call, codeOf, pathsOf, type Wire } from "../support.ts"
import { asOurselves, asUnipost, nameAccounts, showOnly } from "./unipostSupport.ts"

const live = { excludeTestServices: true } as const
const { workspace } = scopes
const dataOf = ({ body }: Answer): Readonly<Record<string, unknown>> => ({ ...body["data"] })
const flat = { account_name: "The Page", account_platform: "instagram", account_avatar_url: null }
const flatOf = (item: Wire | Readonly<Record<string, unknown>> | undefined) => ({
  account_name: item?.["account_name"],
  account_platform: item?.["account_platform"],
  account_avatar_url: item?.["account_avatar_url"]
})
const state = (world: { readonly key: string; readonly item: string }, json: object) =>
  inbox("POST", `/${world.item}/thread-state`, workspace, { key: world.key, json })
const sync = (key: string, json?: object) =>
  inbox("POST", "/sync", workspace, { key, ...(json === undefined ? {} : { json }) })
const dashboardToken = (workspaceId: string) =>
  Effect.map(
    AccountAdministration.use((accounts) => accounts.issueDashboardToken(workspaceId, "owner", { seconds: 300 })),
    Redacted.value
  )

describe("UniPost's clients at the inbox (api-2.md §17)", () => {
  layer(
    asUnipost,
    live
  )((it) => {
    it.effect("find the account's name, network and picture beside each item", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        const listed = yield* inbox("GET", "", workspace, { key: world.key })
        assert.deepStrictEqual(flatOf(entriesOf(listed.body)[0]), flat)
        assert.strictEqual(String(entriesOf(listed.body)[0]?.["account"]?.["name"]), "The Page")
        assert.isNull(listed.body["next_cursor"])
        const found = yield* inbox("GET", `/${world.item}`, workspace, { key: world.key })
        assert.deepStrictEqual(flatOf(dataOf(found)), flat)
        assert.deepStrictEqual(flatOf(dataOf(yield* state(world, { thread_status: "resolved" }))), flat)
        const x = yield* makeItem("x_reply")
        const tweet = dataOf(yield* inbox("GET", `/${x.item}`, workspace, { key: x.key }))
        assert.strictEqual(tweet["account_platform"], "twitter")
        assert.strictEqual(tweet["source"], "x_reply")
      })
    )

    it.effect("ask for pages as large as they like", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* comment(yield* connectAccount(id), ["a", "b"])
        for (const limit of ["0", "-1", "abc", "501"]) {
          const listed = yield* inbox("GET", "", `${workspace}&limit=${limit}`, { key })
          assert.strictEqual(entriesOf(listed.body).length, 2, limit)
        }
        assert.strictEqual(entriesOf((yield* inbox("GET", "", `${workspace}&limit=1`, { key })).body).length, 1)
      })
    )

    it.effect("name somebody with any status of a thread, and nobody by an empty name", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        for (const thread_status of ["open", "assigned", "resolved"]) {
          const named = dataOf(yield* state(world, { thread_status, assigned_to: "kim" }))
          assert.deepStrictEqual([named["thread_status"], named["assigned_to"]], [thread_status, "kim"])
          const cleared = dataOf(yield* state(world, { thread_status, assigned_to: "" }))
          assert.deepStrictEqual([cleared["thread_status"], cleared["assigned_to"]], [thread_status, null])
        }
        yield* state(world, { thread_status: "resolved", assigned_to: "kim" })
        assert.isNull(dataOf(yield* state(world, { thread_status: "open" }))["assigned_to"])
        const long = yield* state(world, { thread_status: "open", assigned_to: "x".repeat(257) })
        assert.strictEqual(codeOf(long), "400 VALIDATION_ERROR")
        const filter = yield* inbox("GET", "", `${workspace}&assigned_to=`, { key: world.key })
        assert.strictEqual(codeOf(filter), "400 VALIDATION_ERROR")
      })
    )

    it.effect("read the operation's id and its members by their names", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        yield* takeAll(world)
        const sent = yield* send(world, "Yes", "k1")
        const id = operationIdOf(sent)
        assert.match(id, /^op_/)
        assert.strictEqual(sent.headers.get("x-unipost-operation-id"), id)
        assert.deepStrictEqual(flatOf(dataOf(sent)), flat)
        const found = yield* inbox("GET", `/x-outbound-operations/${id}`, workspace, {
          key: world.key,
          headers: { origin: "https://app.example" }
        })
        assert.strictEqual(found.headers.get("x-unipost-operation-id"), id)
        assert.include(found.headers.get("access-control-expose-headers") ?? "", "X-UniPost-Operation-Id")
        const operation = dataOf(found)
        assert.strictEqual(operation["completion_attempts"], operation["attempts"])
        assert.strictEqual(operation["response_inbox_item_id"], dataOf(sent)["id"])
        const conflict = yield* send(world, "No", "k1")
        assert.strictEqual(conflict.status, 409)
        const { headers } = yield* inbox("GET", "", workspace, { key: world.key })
        assert.isNull(headers.get("x-unipost-operation-id"))
      })
    )

    it.effect("open a dashboard's socket without a scope, and see the same members in its events", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const socket = yield* follow(`token=${yield* dashboardToken(id)}`)
        yield* socket.until(1)
        yield* comment(account, ["a"])
        const [, event] = yield* socket.until(2)
        assert.strictEqual(String(event?.["type"]), "inbox.new_item")
        assert.deepStrictEqual(flatOf(event?.["item"]), flat)
        assert.strictEqual(codeOf(yield* call("GET", "/v1/inbox/ws", { key })), "400 INBOX_SCOPE_REQUIRED")
      }).pipe(Effect.scoped)
    )

    it.effect("see these members in every event of an item or a reply, live and when they come back", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        yield* takeAll(world)
        const token = yield* dashboardToken(world.id)
        const live = yield* follow(`token=${token}`)
        yield* live.until(1)
        yield* inbox("POST", `/${world.item}/read`, workspace, { key: world.key })
        const sent = yield* send(world, "Yes", "k1")
        const seen = yield* live.until(6)
        const back = yield* follow(`token=${token}&after=0`)
        const again = yield* back.until(seen.length + 1)
        for (const events of [seen, again]) {
          const items = events.flatMap((event) => (event["item"] === undefined ? [] : [event["item"]]))
          const operations = events.flatMap((event) => (event["operation"] === undefined ? [] : [event["operation"]]))
          assert.isAbove(items.length, 0)
          assert.isAbove(operations.length, 0)
          for (const item of items) assert.deepStrictEqual(flatOf(item), flat)
          for (const operation of operations) {
            assert.strictEqual(operation["completion_attempts"], operation["attempts"])
            assert.property(operation, "response_inbox_item_id")
          }
        }
        assert.strictEqual(again.at(-1)?.["operation"]?.["response_inbox_item_id"], dataOf(sent)["id"])
      }).pipe(Effect.scoped)
    )
  })
})

describe("UniPost's clients that sync (api-2.md §17)", () => {
  layer(
    asUnipost,
    live
  )((it) => {
    const backfill = (key: string, x_backfill: object) => sync(key, { x_backfill })

    it.effect("read accounts, networks and errors by their names", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectX(id, "x1")
        yield* nameAccounts("Us")
        const networks = yield* FakeConnector.FakeNetworks
        networks.script = {
          listFeeds: () =>
            Effect.fail(
              new RateLimited({ network: "x", networkCode: Option.none(), detail: "", retryAt: Option.none() })
            )
        }
        const answered = yield* sync(key)
        assert.strictEqual(answered.status, 200)
        const [error] = Object.values({ ...answered.body["data"]?.["errors"] })
        assert.strictEqual(String(error?.["account_id"]), account.id)
        assert.strictEqual(String(error?.["platform"]), "twitter")
        assert.strictEqual(String(error?.["error"]), String(error?.["message"]))
        const [detail] = Object.values({ ...answered.body["data"]?.["details"] })
        assert.deepInclude<unknown>(detail, {
          account_id: account.id,
          platform: "twitter",
          account_name: "Us",
          media_found: 0,
          comments_found: 0
        })
        assert.notProperty(dataOf(answered), "confirmation_required")
        const again = yield* inbox("GET", `/sync/${String(dataOf(answered)["id"])}`, workspace, { key })
        assert.deepStrictEqual(dataOf(again), dataOf(answered))
      })
    )

    it.effect("read the past of X as their SDK asks for it, and confirm what may cost much", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const accounts = [yield* connectX(id, "x2"), yield* connectX(id, "x3")]
        yield* nameAccounts("Us")
        yield* scriptX(3)
        const both = { include_replies: true, include_dms: true }
        const one = yield* backfill(key, { ...both, account_id: accounts[0]?.id, lookback_days: 30 })
        assert.strictEqual(one.status, 200, one.text)
        assert.deepInclude(dataOf(one), {
          accounts_checked: 1,
          accepted: 3,
          duplicates: 0,
          suppressed: 0,
          read: 3,
          confirmation_required: false
        })
        const [detail] = Object.values({ ...one.body["data"]?.["details"] })
        assert.deepInclude<unknown>(detail, { account_id: accounts[0]?.id, account_name: "Us", comments_found: 3 })
        const asked = { include_replies: false, include_dms: false, max_items: 500 }
        const costly = dataOf(yield* backfill(key, asked))
        assert.deepInclude(costly, { confirmation_required: true, accounts_checked: 2, estimated_reads: 1_000 })
        const confirmation_token = costly["confirmation_token"]
        const confirmed = yield* backfill(key, { ...asked, confirmation_token })
        assert.deepInclude(dataOf(confirmed), { confirmation_required: false, accounts_checked: 2, read: 6 })
      })
    )

    it.effect("read no messages, and are told what is wrong as everybody is", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectX(id, "x4")
        const read = yield* scriptX(3)
        const messages = { include_replies: false, include_dms: true }
        const nothing = yield* backfill(key, messages)
        assert.strictEqual(nothing.status, 200)
        assert.deepInclude(dataOf(nothing), { read: 0, accepted: 0, confirmation_required: false })
        assert.match(nothing.headers.get("x-request-id") ?? "", /^req_/)
        assert.deepStrictEqual(read, [])
        assert.deepStrictEqual(pathsOf(yield* backfill(key, { ...messages, max_items: -1 })), ["x_backfill.max_items"])
        const twice = yield* backfill(key, { account_id: account.id, social_account_id: account.id })
        assert.deepStrictEqual(pathsOf(twice), ["x_backfill.account_id"])
        const odd = yield* backfill(key, { include_replies: "yes", other: 1, lookback_days: 0 })
        assert.sameMembers(
          [...pathsOf(odd)],
          ["x_backfill.include_replies", "x_backfill.other", "x_backfill.lookback_days"]
        )
        assert.strictEqual(codeOf(yield* backfill("nobody", messages)), "401 UNAUTHORIZED")
        yield* showOnly(account.id, "x")
        assert.strictEqual((yield* backfill(key, { ...messages, account_id: account.id })).status, 200)
        for (const account_id of ["acc_00000000000000000000000000", "sa_123"]) {
          assert.strictEqual(codeOf(yield* backfill(key, { ...messages, account_id })), "404 NOT_FOUND", account_id)
        }
        yield* showOnly(account.id, "instagram")
        assert.strictEqual(codeOf(yield* backfill(key, { ...messages, account_id: account.id })), "404 NOT_FOUND")
        const unknown = yield* backfill(key, { account_id: "sa_123", include_replies: true, include_dms: false })
        assert.strictEqual(codeOf(unknown), "404 NOT_FOUND")
      })
    )
  })
})

describe("without the mode", () => {
  layer(
    asOurselves,
    live
  )((it) => {
    it.effect("nothing of it is taken or added", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        yield* takeAll(world)
        const { item, key } = world
        const refused = [
          yield* inbox("GET", "", `${workspace}&limit=0`, { key }),
          yield* inbox("GET", "", `${workspace}&limit=501`, { key }),
          yield* state(world, { thread_status: "open", assigned_to: "kim" }),
          yield* sync(key, { x_backfill: { include_replies: true, include_dms: false } }),
          yield* sync(key, { x_backfill: { account_id: world.account.id } }),
          yield* sync(key, { x_backfill: { lookback_days: 30 } })
        ]
        for (const answer of refused) assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
        const token = yield* dashboardToken(world.id)
        assert.strictEqual(codeOf(yield* call("GET", `/v1/inbox/ws?token=${token}`)), "400 INBOX_SCOPE_REQUIRED")
        const found = dataOf(yield* inbox("GET", `/${item}`, workspace, { key }))
        for (const name of Object.keys(flat)) assert.notProperty(found, name)
        const sent = yield* send(world, "Yes", "k1")
        assert.isNull(sent.headers.get("x-unipost-operation-id"))
        const path = `/outbound-operations/${operationIdOf(sent)}`
        const operation = dataOf(yield* inbox("GET", path, workspace, { key }))
        assert.notProperty(operation, "completion_attempts")
        assert.notProperty(operation, "response_inbox_item_id")
      })
    )
  })
})
