import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it, layer } from "@effect/vitest"
import { Administration } from "@loopbox/core/access/Administration"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { AccessChanges } from "@loopbox/core/access/AccessChanges"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { Effect, Exit, Fiber, Layer, Option, Scope, Stream } from "effect"
import { connect } from "node:net"
import { comment, connectAccount, inbox, issueKey, makeInbox, scopes, setRole } from "../inbox/inboxSupport.ts"
import { follow, handshakeText, seqsOf, typesOf } from "./socketSupport.ts"
import { adminToken, call, driving, portOf, sendRaw, serverWith, services } from "../support.ts"

const live = { excludeTestServices: true } as const
const withSockets = (sockets: Parameters<typeof serverWith>[0] = {}) =>
  serverWith(sockets).pipe(Layer.provideMerge(services))
const { workspace } = scopes

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

/** A client that shakes hands and then reads nothing until it is told to. */
const stubborn = (port: number, key: string, query: string) =>
  Effect.callback<{ readonly read: () => Promise<Buffer> }>((resume) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(handshakeText(key, query)))
    const heard: Array<Buffer> = []
    socket.on("error", () => {})
    socket.once("data", () => {
      socket.pause()
      const read = () =>
        new Promise<Buffer>((done) => {
          socket.on("data", (data) => {
            heard.push(data)
            // The server's close frame; one of ours would answer it.
            if (/too slow|restarts/.test(data.subarray(-40).toString())) socket.destroy()
          })
          socket.on("close", () => done(Buffer.concat(heard)))
          socket.resume()
        })
      resume(Effect.succeed({ read }))
    })
  })

describe("a WebSocket's life (api.md §4)", () => {
  layer(
    withSockets({ sockets: { patience: "300 millis" } }),
    live
  )((it) => {
    it.effect("loses and doubles nothing when it is cut off again and again while events come", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        const writers = yield* Effect.forEach(
          [0, 1, 2, 3],
          (writer) =>
            Effect.forEach(names(`w${writer}-`, 50), (name) => Effect.delay(comment(account, [name]), "2 millis"), {
              discard: true
            }),
          { concurrency: "unbounded", discard: true }
        ).pipe(Effect.forkChild)
        const seen: Array<number> = []
        for (const query of [workspace, scopes.user("u1")]) {
          seen.length = 0
          while (seen.length < 200) {
            yield* Effect.gen(function* () {
              const follower = yield* follow(`${query}&after=${seen[seen.length - 1] ?? 0}`, { key })
              const some = Math.min(200 - seen.length, 17)
              const frames = yield* follower.until(1 + some)
              assert.strictEqual(typesOf(frames)[0], "hello")
              seen.push(...seqsOf(frames.slice(1)))
            }).pipe(Effect.scoped)
          }
          assert.deepEqual(
            seen.slice(0, 200),
            Array.from({ length: 200 }, (_, i) => i + 1)
          )
        }
        yield* Fiber.join(writers)
      })
    )
    it.effect("gets no event of another workspace or managed user", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const mine = yield* connectAccount(id, "u1", "p1")
        const theirs = yield* connectAccount(id, "u2", "p2")
        const other = yield* makeInbox()
        const foreign = yield* connectAccount(other.id, "u1", "p1")
        const follower = yield* follow(scopes.user("u1"), { key })
        const neighbour = yield* follow(scopes.user("u2"), { key })
        yield* comment(foreign, ["foreign"])
        yield* comment(theirs, ["theirs"])
        yield* comment(mine, ["mine"])
        // An event goes to who owns the account when it is sent.
        yield* neighbour.until(2)
        yield* follower.until(2)
        const administration = yield* AccountAdministration
        yield* administration.updateAccount(id, theirs.id, { externalUserId: Option.some("u1") })
        yield* comment(theirs, ["moved"])
        const frames = yield* follower.until(4)
        assert.deepEqual(typesOf(frames), ["hello", "inbox.new_item", "inbox.account_moved", "inbox.new_item"])
        assert.deepEqual(
          frames.flatMap((frame) => (frame["item"] === undefined ? [] : [String(frame["item"]["external_id"])])),
          ["mine", "moved"]
        )
      }).pipe(Effect.scoped)
    )
    it.effect("is closed when what it stands on is taken away", () =>
      Effect.gen(function* () {
        const admin = (method: string, id: string, path: string, json?: unknown) =>
          call(method, `/v1/admin/workspaces/${id}${path}`, {
            key: adminToken,
            ...(json === undefined ? {} : { json })
          })
        const begin = Effect.fnUntraced(function* (query: string) {
          const made = yield* makeInbox()
          yield* connectAccount(made.id, "u1")
          const follower = yield* follow(query, { key: made.key })
          yield* follower.until(1)
          return { ...made, follower }
        })
        const revoked = yield* begin(workspace)
        yield* admin("DELETE", revoked.id, `/api-keys/${revoked.keyId}`)
        assert.strictEqual(yield* revoked.follower.closed, 4401)
        const demoted = yield* begin(workspace)
        yield* admin("PUT", demoted.id, "/members/owner", { role: "editor" })
        assert.strictEqual(yield* demoted.follower.closed, 4403)
        const left = yield* begin(scopes.user("u1"))
        yield* admin("DELETE", left.id, "/members/owner")
        assert.strictEqual(yield* left.follower.closed, 4401)
        const poor = yield* begin(scopes.user("u1"))
        yield* admin("PATCH", poor.id, "", { plan: "free" })
        assert.strictEqual(yield* poor.follower.closed, 4402)
        const gone = yield* begin(scopes.user("u1"))
        yield* admin("DELETE", gone.id, "/managed-users/u1")
        assert.strictEqual(yield* gone.follower.closed, 4404)
        const erased = yield* begin(workspace)
        yield* admin("DELETE", erased.id, "")
        assert.strictEqual(yield* erased.follower.closed, 4401)
      }).pipe(Effect.scoped)
    )
    it.effect("takes small frames and ignores them; one over 4 KiB ends it with 1009", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const follower = yield* follow(workspace, { key })
        follower.socket.send("x".repeat(4096))
        follower.socket.send(new Uint8Array(10))
        follower.socket.ping()
        yield* comment(account, ["a"])
        yield* follower.until(2)
        follower.socket.send("x".repeat(4097))
        assert.strictEqual(yield* follower.closed, 1009)
      }).pipe(Effect.scoped)
    )
    it.effect("that is too slow is closed with 4008 after what it got, and goes on from there", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const tooSlow = Effect.map(call("GET", "/metrics"), ({ text }) =>
          Number(/^websockets_closed_total\{code="4008"\} (\d+)$/m.exec(text)?.[1] ?? 0)
        )
        const before = yield* tooSlow
        const slow = yield* stubborn(yield* portOf, key, workspace)
        const fast = yield* follow(workspace, { key })
        const rounds = 40
        for (let round = 0; round < rounds; round++) {
          yield* comment(account, names(`r${round}-`, 20), { body: "x".repeat(40_000) })
          yield* fast.until(1 + (round + 1) * 20)
        }
        assert.strictEqual(fast.frames.length, 1 + rounds * 20)
        // It reads again only after it was told that it is too slow.
        yield* tooSlow.pipe(Effect.delay("20 millis"), Effect.repeat({ until: (count) => count > before }))
        const bytes = yield* Effect.promise(slow.read)
        // A close frame of 4008 at the very end.
        const end = bytes.lastIndexOf(Buffer.from([0x0f, 0xa8]))
        assert.isAbove(end, 0)
        assert.strictEqual(bytes.subarray(end + 2).toString(), "too slow: go on with after")
        const seen = [...bytes.toString("latin1").matchAll(/\{"seq":(\d+),"type":"inbox\.new_item"/g)].map(([, seq]) =>
          Number(seq)
        )
        assert.isAbove(seen.length, 1)
        assert.isBelow(seen.length, rounds * 20)
        assert.deepEqual(
          seen,
          seen.map((_, i) => i + 1)
        )
        const last = seen.length
        const resumed = yield* follow(`${workspace}&after=${last}`, { key })
        const rest = seqsOf((yield* resumed.until(1 + rounds * 20 - last)).slice(1))
        assert.deepEqual(
          [...seen, ...rest],
          Array.from({ length: rounds * 20 }, (_, i) => i + 1)
        )
      }).pipe(Effect.scoped)
    )
    it.effect("is refused by HTTP also when the upgrade was asked for", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const ask = Effect.fnUntraced(function* (query: string, given: string, ...more: ReadonlyArray<string>) {
          const lines = [
            `GET /v1/inbox/ws?${query} HTTP/1.1`,
            "Host: x",
            `Authorization: Bearer ${given}`,
            "Connection: Upgrade",
            ...more,
            "\r\n"
          ]
          return yield* sendRaw(yield* portOf, lines.join("\r\n"))
        })
        const socket = [
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        ]
        assert.match(yield* ask(workspace, "lbx_x", ...socket), /^HTTP\/1\.1 401 [^]*"code":"UNAUTHORIZED"/)
        assert.match(yield* ask(`${workspace}&after=-1`, key, ...socket), /^HTTP\/1\.1 400 [^]*"path":"after"/)
        assert.match(
          yield* ask(workspace, key, "Upgrade: other"),
          /^HTTP\/1\.1 426 [^]*connection: Upgrade[^]*"code":"UPGRADE_REQUIRED"/i
        )
        assert.match(yield* ask(workspace, key, ...socket.slice(0, 2)), /^HTTP\/1\.1 400 [^]*Sec-WebSocket-Key/)
        assert.match(yield* ask(workspace, key, `Authorization: Bearer ${key}`, ...socket), /^HTTP\/1\.1 401 /)
        assert.match(yield* ask(workspace, key, ...socket), /^HTTP\/1\.1 101 [^]*"type":"hello"/)
      })
    )
  })

  layer(withSockets({ sockets: { heartbeat: "100 millis", pongTimeout: "2 seconds" } }), live)(
    "with a quick heart",
    (it) => {
      it.effect("pings, keeps who answers, and ends who does not", () =>
        Effect.gen(function* () {
          const { key } = yield* makeInbox()
          const good = yield* follow(workspace, { key })
          const dead = yield* follow(workspace, { key })
          assert.strictEqual(Number((yield* good.until(1))[0]?.["heartbeat_seconds"]), 0.1)
          let pings = 0
          good.socket.on("ping", () => (pings += 1))
          dead.socket.pause()
          yield* call("GET", "/metrics").pipe(
            Effect.delay("100 millis"),
            Effect.repeat({ until: ({ text }) => /^websockets_open\S* 1$/m.test(text) })
          )
          dead.socket.resume()
          assert.strictEqual(yield* dead.closed, 1006)
          assert.isAtLeast(pings, 3)
          assert.strictEqual(good.socket.readyState, good.socket.OPEN)
        }).pipe(Effect.scoped)
      )
    }
  )

  /** Ports from which no word of a change comes. */
  const deaf = driving.pipe(
    Layer.updateService(AccessChanges, (access) => AccessChanges.of({ ...access, changes: Stream.never })),
    Layer.provideMerge(MemoryAdapters.layer),
    Layer.provideMerge(layerNetworks)
  )
  layer(serverWith({ sockets: { judgeEvery: "100 millis" } }).pipe(Layer.provideMerge(deaf)), live)(
    "of which no word comes",
    (it) => {
      it.effect("is judged again also when nobody says that something changed", () =>
        Effect.gen(function* () {
          const { id, key } = yield* makeInbox()
          const follower = yield* follow(workspace, { key })
          yield* follower.until(1)
          yield* setRole(id, "owner", "viewer")
          assert.strictEqual(yield* follower.closed, 4403)
          const other = yield* makeInbox()
          const issued = yield* issueKey(other.id, "owner")
          const second = yield* follow(workspace, { key: issued.key })
          yield* (yield* Administration).revokeKey(other.id, issued.keyId)
          assert.strictEqual(yield* second.closed, 4401)
        }).pipe(Effect.scoped)
      )
    }
  )

  let judgements = 0
  /** Counts what is judged again; a handshake is judged step by step. */
  const counted = Layer.updateService(serverWith({ sockets: { judgeEvery: "1 hour" } }), InboxAccess, (access) =>
    InboxAccess.of({
      ...access,
      enterInboxTogether: (request) =>
        Effect.suspend(() => {
          judgements++
          return access.enterInboxTogether(request)
        })
    })
  )
  layer(counted.pipe(Layer.provideMerge(services)), live)("of many", (it) => {
    it.effect("is judged together with all that have its credential and scope, as soon as something changes", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* connectAccount(id, "u1")
        const whole = yield* Effect.forEach([1, 2, 3, 4], (n) => follow(`${workspace}&after=${n}`, { key }))
        const theirs = yield* Effect.forEach([1, 2], () => follow(scopes.user("u1"), { key }))
        const other = yield* makeInbox()
        const stranger = yield* follow(workspace, { key: other.key })
        for (const follower of [...whole, ...theirs, stranger]) yield* follower.until(1)
        judgements = 0
        yield* (yield* Administration).removeMember(id, "owner")
        for (const follower of [...whole, ...theirs]) assert.strictEqual(yield* follower.closed, 4401)
        assert.strictEqual(judgements, 2)
        assert.strictEqual(stranger.socket.readyState, stranger.socket.OPEN)
      }).pipe(Effect.scoped)
    )
  })

  /** What happens between a handshake's judgement and its socket. */
  let meanwhile: Effect.Effect<unknown> = Effect.void
  const interrupted = Layer.updateService(serverWith({ sockets: { judgeEvery: "1 hour" } }), InboxAccess, (access) =>
    InboxAccess.of({
      ...access,
      enterScope: (caller, request) => Effect.tap(access.enterScope(caller, request), () => meanwhile)
    })
  )
  layer(interrupted.pipe(Layer.provideMerge(services)), live)("that is just being opened", (it) => {
    it.effect("is closed for what changed after its handshake was judged", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const context = yield* Effect.context<Administration>()
        const isHeard = Effect.sleep("50 millis")
        meanwhile = Effect.gen(function* () {
          meanwhile = Effect.void
          yield* Effect.orDie(setRole(id, "owner", "viewer"))
          yield* isHeard
        }).pipe(Effect.provideContext(context))
        const follower = yield* follow(workspace, { key })
        assert.strictEqual(yield* follower.closed, 4403)
      }).pipe(Effect.scoped)
    )
  })

  it.live("ends with 1012 when the server stops, before anything waits for it", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(withSockets({ drain: "2 minutes" }), scope)
      yield* Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const followers = yield* Effect.forEach(names("f", 20), () => follow(workspace, { key }))
        const stuck = yield* stubborn(yield* portOf, key, workspace)
        for (const follower of followers) yield* follower.until(1)
        const startedAt = performance.now()
        yield* Scope.close(scope, Exit.void)
        assert.isBelow(performance.now() - startedAt, 60_000)
        for (const follower of followers) assert.strictEqual(yield* follower.closed, 1012)
        yield* Effect.promise(stuck.read)
      }).pipe(Effect.provideContext(context), Effect.scoped)
    })
  )
  it.live("is torn, the fullest first, when all together hold too much", () =>
    Effect.gen(function* () {
      const limits = { maxTotalBytes: 100_000, maxQueuedBytes: 10_000_000, patience: "1 minute" } as const
      yield* Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        const slow = yield* stubborn(yield* portOf, key, workspace)
        const fast = yield* follow(workspace, { key })
        // One at a time, so that what waits for the fast one is never too much by itself.
        for (let round = 0; round < 300; round++) {
          yield* comment(account, [`r${round}`], { body: "x".repeat(60_000) })
          yield* fast.until(2 + round)
        }
        const bytes = yield* Effect.promise(slow.read)
        assert.include(bytes.subarray(-40).toString(), "too slow")
        assert.strictEqual(fast.socket.readyState, fast.socket.OPEN)
        assert.strictEqual((yield* inbox("GET", "/unread-count", workspace, { key })).status, 200)
      }).pipe(Effect.provide(withSockets({ sockets: limits })), Effect.scoped)
    })
  )
})
