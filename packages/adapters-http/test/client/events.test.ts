import { assert, describe, layer } from "@effect/vitest"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { type InboxEvent, Loopbox, LoopboxError } from "@loopbox/client"
import { Effect, Fiber } from "effect"
import { comment, connectAccount, makeInbox } from "../inbox/inboxSupport.ts"
import { adminToken, baseUrl, portOf } from "../support.ts"
import { clientServer } from "./clientServer.ts"
import { cuttingProxy } from "./cuttingProxy.ts"

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
const nameOf = (event: InboxEvent) => (event.type === "inbox.new_item" ? event.item.external_id : event.type)

/** Reads so many events, then stops; `onEvent` is told each. */
const read = (
  events: AsyncIterable<InboxEvent>,
  count: number,
  onEvent: (seen: number) => void = () => {}
): Promise<ReadonlyArray<InboxEvent>> =>
  (async () => {
    const seen: Array<InboxEvent> = []
    for await (const event of events) {
      seen.push(event)
      onEvent(seen.length)
      if (seen.length >= count) break
    }
    return seen
  })()

/** The next event of a subscription, which has no end. */
const nextOf = (events: AsyncGenerator<InboxEvent, void, void>) =>
  Effect.promise(async () => {
    const { done, value } = await events.next()
    return done === true ? assert.fail("it ended") : value
  })

const failureOf = (events: AsyncIterable<InboxEvent>) =>
  Effect.promise(async () => {
    try {
      for await (const event of events) assert.fail(`an event came: ${event.type}`)
    } catch (error) {
      return error
    }
  })

describe("loopbox.inbox.events", () => {
  layer(clientServer, { excludeTestServices: true })((it) => {
    const sockets = [
      ["the runtime's WebSocket", undefined],
      ["that of ws", NodeWS.WebSocket]
    ] as const
    for (const [name, WebSocket] of sockets) {
      it.effect(`gives each event once and in order, whoever cuts the line, by ${name}`, () =>
        Effect.gen(function* () {
          const { id, key } = yield* makeInbox()
          const account = yield* connectAccount(id, "u1")
          const proxy = yield* cuttingProxy(yield* portOf)
          const loopbox = new Loopbox({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: key, WebSocket })
          yield* comment(account, ["first"])
          const events = loopbox.inbox.events({ inbox_scope: "workspace", after: 0 })
          const reading = yield* Effect.forkChild(
            Effect.promise(() => read(events, 61, (seen) => (seen % 20 === 0 ? void proxy.cut() : undefined)))
          )
          for (const name of names("c", 60)) yield* comment(account, [name])
          const seen = (yield* Fiber.join(reading)).map(nameOf)
          assert.deepStrictEqual(seen, ["first", ...names("c", 60)])
        }).pipe(Effect.scoped)
      )
    }
    it.effect("begins with what comes, where no number is given", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* comment(account, ["before"])
        const loopbox = new Loopbox({ baseUrl: yield* baseUrl, apiKey: key })
        const events = loopbox.inbox.events({ inbox_scope: "managed_user", external_user_id: "u1" })
        const reading = yield* Effect.forkChild(Effect.promise(() => read(events, 1)))
        // Nobody is told when a subscription stands: comments come until one is seen.
        const writing = yield* Effect.forkChild(
          Effect.forEach(names("later", 2_000), (name) => Effect.delay(comment(account, [name]), "20 millis"), {
            discard: true
          })
        )
        const [event] = yield* Fiber.join(reading)
        yield* Fiber.interrupt(writing)
        assert.match(event === undefined ? "" : nameOf(event), /^later/)
      })
    )
    it.effect("tells that what was missed can't be told, and goes on from there", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        const loopbox = new Loopbox({ baseUrl: yield* baseUrl, apiKey: key })
        const events = loopbox.inbox.events({ inbox_scope: "workspace", after: 1_000_000 })
        assert.strictEqual((yield* nextOf(events)).type, "resync_required")
        yield* comment(account, ["next"])
        assert.strictEqual(nameOf(yield* nextOf(events)), "next")
        yield* Effect.promise(() => events.return())
      })
    )
    it.effect("fails with the refusal where the host does not let it in, at first or later", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const base = yield* baseUrl
        const stranger = new Loopbox({ baseUrl: base, apiKey: "wrong" })
        const refused = yield* failureOf(stranger.inbox.events({ inbox_scope: "workspace" }))
        if (!(refused instanceof LoopboxError)) return assert.fail(String(refused))
        assert.deepInclude({ ...refused }, { status: 401, code: "UNAUTHORIZED" })
        const loopbox = new Loopbox({ baseUrl: base, apiKey: key })
        const absent = loopbox.inbox.events({ inbox_scope: "managed_user", external_user_id: "nobody" })
        const unknown = yield* failureOf(absent)
        if (!(unknown instanceof LoopboxError)) return assert.fail(String(unknown))
        assert.strictEqual(unknown.code, "MANAGED_USER_NOT_FOUND")
        const account = yield* connectAccount(id, "u2")
        yield* comment(account, ["a"])
        const events = loopbox.inbox.events({ inbox_scope: "managed_user", external_user_id: "u2", after: 0 })
        assert.strictEqual(nameOf(yield* nextOf(events)), "a")
        yield* AccountAdministration.use((administration) => administration.eraseManagedUser(id, "u2"))
        const gone = yield* Effect.promise(async () => {
          try {
            for (;;) await events.next()
          } catch (error) {
            return error
          }
        })
        if (!(gone instanceof LoopboxError)) return assert.fail(String(gone))
        assert.strictEqual(gone.code, "MANAGED_USER_NOT_FOUND")
      })
    )
    it.effect("ends at once with the signal's reason, also while the host is not there", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const proxy = yield* cuttingProxy(yield* portOf)
        const loopbox = new Loopbox({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: key })
        const controller = new AbortController()
        const events = loopbox.inbox.events({ inbox_scope: "workspace", after: 0, signal: controller.signal })
        const waiting = yield* Effect.forkChild(failureOf(events))
        yield* Effect.promise(() => loopbox.inbox.countUnread({ inbox_scope: "workspace" }))
        proxy.setOpen(false)
        proxy.cut()
        controller.abort(new Error("enough"))
        assert.strictEqual(String(yield* Fiber.join(waiting)), "Error: enough")
      }).pipe(Effect.scoped)
    )
    it.effect("gives up where nobody ever answered, after the tries of any request", () =>
      Effect.gen(function* () {
        const proxy = yield* cuttingProxy(yield* portOf)
        proxy.setOpen(false)
        const loopbox = new Loopbox({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: "k", retries: 1 })
        const error = yield* failureOf(loopbox.inbox.events({ inbox_scope: "workspace" }))
        if (!(error instanceof LoopboxError)) return assert.fail(String(error))
        assert.deepInclude({ ...error }, { status: 0, code: "CONNECTION_FAILED" })
      }).pipe(Effect.scoped)
    )
    it.effect("follows with a dashboard token, which is in no error", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* comment(account, ["a"])
        const admin = new Loopbox({ baseUrl: yield* baseUrl, apiKey: adminToken })
        let asked = 0
        const loopbox = new Loopbox({
          baseUrl: yield* baseUrl,
          getToken: async () => {
            asked++
            if (asked === 1) return "ended-token"
            return (await admin.accounts.issueDashboardToken(id, { user_id: "owner" })).token
          }
        })
        const [event] = yield* Effect.promise(() =>
          read(loopbox.inbox.events({ inbox_scope: "workspace", after: 0 }), 1)
        )
        assert.strictEqual(event === undefined ? "" : nameOf(event), "a")
        assert.strictEqual(asked, 2)
        const wrong = new Loopbox({ baseUrl: yield* baseUrl, getToken: () => "secret-token" })
        const error = yield* failureOf(wrong.inbox.events({ inbox_scope: "workspace" }))
        if (!(error instanceof LoopboxError)) return assert.fail(String(error))
        assert.strictEqual(error.status, 401)
        assert.notInclude(JSON.stringify(error) + error.message + String(error.stack), "secret-token")
      })
    )
  })
})
