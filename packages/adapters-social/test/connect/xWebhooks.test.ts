import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import type { Answer, Received } from "../loopback.ts"
import { kind } from "../meta/graph.ts"
import { accountOf, answering, loginOf, secrets } from "./support.ts"

const webhookUrl = "https://loopbox.example/v1/webhooks/x"
const account = accountOf("17")
const kinds = ["post.mention.create", "post.reply.create", "post.quote.create", "post.create", "post.delete"]

interface Told {
  readonly subscription_id: string
  readonly event_type: string
  readonly filter: { readonly user_id: string }
  readonly webhook_id?: string
}

/** X's webhooks, as the app that has this bearer token sees them. */
const webhooks = Effect.fnUntraced(function* (
  more: Readonly<Record<string, (request: Received) => Answer | undefined>> = {}
) {
  const registered: Array<{ readonly id: string; readonly url: string }> = []
  const told = new Map<string, Told>()
  const asked = (path: string, answer: (request: Received) => Answer) => (request: Received) =>
    more[`${request.method} ${path}`]?.(request) ?? answer(request)
  const { connect, received } = yield* loginOf(
    "x",
    (request) => {
      const id = /subscriptions\/(.+)$/.exec(request.path)?.[1]
      if (id !== undefined && request.method === "DELETE") {
        return { status: told.delete(id) ? 200 : 404, body: { data: { deleted: true } } }
      }
      return answering({
        webhooks: asked("webhooks", ({ body, method }) => {
          if (method === "GET") return { body: { data: registered } }
          registered.push({ id: "5", url: JSON.parse(body).url })
          return { body: { data: { id: "5", url: webhookUrl, valid: true } } }
        }),
        "activity/subscriptions": asked("activity/subscriptions", ({ body, method }) => {
          if (method === "GET") return { body: { data: [...told.values()], meta: {} } }
          const one = JSON.parse(body)
          const id = `s${told.size + 1}`
          told.set(id, { ...one, subscription_id: id })
          return { status: 201, body: { data: [{ ...one, subscription_id: id }] } }
        })
      })(request)
    },
    { xBearerToken: Redacted.make(secrets.bearer), xWebhookUrl: webhookUrl }
  )
  return { received, told, registered, subscription: Option.getOrThrow(connect.subscription) }
})

describe("webhooks of an account of X", () => {
  it.live("are registered once for the app, by its bearer token, with one subscription of each kind", () =>
    Effect.gen(function* () {
      const { received, registered, subscription, told } = yield* webhooks()
      assert.isFalse(yield* subscription.isSubscribed(account))
      yield* subscription.subscribe(account)
      yield* subscription.subscribe(account)
      assert.isTrue(yield* subscription.isSubscribed(account))
      assert.deepStrictEqual(registered, [{ id: "5", url: webhookUrl }])
      assert.deepStrictEqual(
        [...told.values()].map(({ event_type, filter, webhook_id }) => [event_type, filter, webhook_id]),
        kinds.map((one) => [one, { user_id: "17" }, "5"])
      )
      for (const { headers } of received) assert.strictEqual(headers.authorization, `Bearer ${secrets.bearer}`)
      yield* subscription.unsubscribe(account)
      assert.strictEqual(told.size, 0)
      assert.strictEqual(registered.length, 1)
    })
  )

  it.live("count as made where X says that they are there, whatever the status", () =>
    Effect.gen(function* () {
      for (const status of [400, 409]) {
        const known: Answer = {
          status,
          body: { title: "Conflict", detail: "There is such a one.", type: "about:blank" }
        }
        let isAsked = false
        const world = yield* webhooks({
          "POST webhooks": () => {
            world.registered.push({ id: "5", url: webhookUrl })
            return known
          },
          "POST activity/subscriptions": ({ body }) => {
            const one = JSON.parse(body)
            world.told.set(one.event_type, { ...one, subscription_id: one.event_type })
            isAsked = true
            return known
          }
        })
        yield* world.subscription.subscribe(account)
        assert.isTrue(isAsked)
        assert.isTrue(yield* world.subscription.isSubscribed(account))
      }
    })
  )

  it.live("are found where X's answer does not name what it made", () =>
    Effect.gen(function* () {
      const world = yield* webhooks({
        "POST webhooks": () => {
          world.registered.push({ id: "5", url: webhookUrl })
          return { body: { id: "5", url: webhookUrl, valid: true } }
        },
        "GET activity/subscriptions": () => ({
          body: { data: kinds.map((event_type, at) => ({ id: `${at}`, event_type, filter: { user_id: 17 } })) }
        })
      })
      yield* world.subscription.subscribe(account)
      assert.isTrue(yield* world.subscription.isSubscribed(account))
      yield* world.subscription.unsubscribe(account)
      assert.deepStrictEqual(
        world.received.filter(({ method }) => method === "DELETE").map(({ path }) => path.split("/").at(-1)),
        ["0", "1", "2", "3", "4"]
      )
    })
  )

  it.live("are no matter of the account where X refuses the app", () =>
    Effect.gen(function* () {
      for (const status of [401, 403]) {
        const refused = { status, body: { title: "Forbidden", type: "about:blank", status, detail: "No." } }
        const { subscription } = yield* webhooks({ "GET webhooks": () => refused })
        const failed = yield* Effect.flip(subscription.isSubscribed(account))
        assert.notInclude(kind(failed), "AuthExpired")
      }
    })
  )
})
