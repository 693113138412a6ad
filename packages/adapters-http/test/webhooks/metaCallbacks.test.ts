import { assert, describe, layer } from "@effect/vitest"
import { SignedRequestInvalid } from "@loopbox/core/connecting/MetaCallbacks"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { DateTime, Effect, Layer, Option } from "effect"
import { Script } from "../connect/scriptedConnecting.ts"
import { call, codeOf, pathsOf, serverWith, services } from "../support.ts"

const live = serverWith({ publicUrl: "https://loopbox.example/" }).pipe(Layer.provideMerge(services))
const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }
const paths = ["/v1/webhooks/meta/deauthorize", "/v1/webhooks/meta/data-deletion"]
const away = new StoreUnavailable({ operation: "test", committed: "no", cause: "as scripted" })

describe("Meta's callbacks (api-2.md §11)", () => {
  layer(live, { excludeTestServices: true })((it) => {
    it.effect("hand on the signed request, and answer as Meta defines it", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const asked: Array<string> = []
        const createdAt = yield* DateTime.now
        script.callbacks = {
          deauthorise: (signed) => Effect.sync(() => void asked.push(signed)),
          requestDeletion: (signed) =>
            Effect.sync(() => {
              asked.push(signed)
              return { code: "abc123", createdAt, completedAt: Option.none() }
            })
        }
        const [deauthorise = "", deletion = ""] = paths
        const first = yield* call("POST", deauthorise, { body: "signed_request=a.b%3D", headers: form })
        assert.deepEqual([first.status, first.text], [200, ""])
        const second = yield* call("POST", deletion, { body: "signed_request=c.d", headers: form })
        assert.strictEqual(second.status, 200)
        assert.deepEqual<unknown>(second.body, {
          url: "https://loopbox.example/connect/deletion/abc123",
          confirmation_code: "abc123"
        })
        assert.deepEqual(asked, ["a.b=", "c.d"])
      })
    )
    for (const path of paths) {
      it.effect(`refuse at ${path} what is not one signed member of a form, and do nothing`, () =>
        Effect.gen(function* () {
          const script = yield* Script
          script.callbacks = {}
          const bodies: ReadonlyArray<readonly [body: string, headers: Record<string, string>]> = [
            ["signed_request=a.b", { "content-type": "application/json" }],
            ["signed_request=a.b", { "content-type": "text/plain" }],
            ["signed_request=a.b&signed_request=a.b", form],
            ["signed_request=a.b&user=1", form],
            ["signed=a.b", form],
            ["", form]
          ]
          for (const [body, headers] of bodies) {
            const answer = yield* call("POST", `${path}?signed_request=a.b`, { body, headers })
            assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", body)
            assert.deepEqual(pathsOf(answer), ["signed_request"])
          }
          const large = yield* call("POST", path, { body: `signed_request=${"a".repeat(20_000)}`, headers: form })
          assert.strictEqual(codeOf(large), "413 PAYLOAD_TOO_LARGE")
          script.callbacks = {
            deauthorise: () => Effect.fail(new SignedRequestInvalid()),
            requestDeletion: () => Effect.fail(new SignedRequestInvalid())
          }
          const wrong = yield* call("POST", path, { body: "signed_request=a.b", headers: form })
          assert.strictEqual(codeOf(wrong), "400 VALIDATION_ERROR")
          assert.notInclude(wrong.text, "a.b")
          script.callbacks = { deauthorise: () => Effect.fail(away), requestDeletion: () => Effect.fail(away) }
          const down = yield* call("POST", path, { body: "signed_request=a.b", headers: form })
          assert.strictEqual(codeOf(down), "503 TEMPORARILY_UNAVAILABLE")
          assert.isNotNull(down.headers.get("retry-after"))
          assert.strictEqual(codeOf(yield* call("GET", path)), "405 METHOD_NOT_ALLOWED")
        })
      )
    }
  })
})
