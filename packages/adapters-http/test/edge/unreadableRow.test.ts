import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { Access } from "@loopbox/core/access/Access"
import { UnreadableRow } from "@loopbox/core/kernel/UnreadableRow"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { call, codeOf, serverWith, services } from "../support.ts"

const unread = Layer.fresh(InboxAccess.layer).pipe(
  Layer.provideMerge(
    Layer.succeed(
      Access,
      Access.of({ authenticate: () => Effect.die(new UnreadableRow({ cause: "a secret of ours" })) })
    )
  ),
  Layer.provide(services)
)

layer(serverWith().pipe(Layer.provide(unread), Layer.provideMerge(services)), { excludeTestServices: true })(
  "a request that needs a row of a newer version",
  (it) => {
    it.effect("is told so in the code of jobs on their paths (api.md §6, row 13)", () =>
      Effect.gen(function* () {
        for (const kind of ["gif-conversions", "audio-overlays"]) {
          for (const [method, path] of [
            ["GET", ""],
            ["POST", ""],
            ["GET", "/job_x"],
            ["DELETE", "/job_x"]
          ] as const) {
            const answer = yield* call(method, `/v1/media/${kind}${path}`, { key: "lbx_x" })
            assert.strictEqual(codeOf(answer), "503 media_processing_unavailable")
            assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
            assert.match(String(answer.body["request_id"]), /^req_/)
            assert.notInclude(answer.text, "secret")
          }
        }
      })
    )

    it.effect("is told to come again, for a process of that version may answer", () =>
      Effect.gen(function* () {
        for (const path of ["/v1/accounts", "/v1/posts/pst_x", "/v1/media"]) {
          const answer = yield* call("GET", path, { key: "lbx_x" })
          assert.strictEqual(codeOf(answer), "503 TEMPORARILY_UNAVAILABLE")
          assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
          assert.notInclude(answer.text, "secret")
        }
      })
    )
  }
)
