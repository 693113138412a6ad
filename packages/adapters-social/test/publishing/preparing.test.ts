/** Every row of the networks' tables of errors, where a publication is prepared (social-networks-write.md B1–B4). */
import { connectorTo } from "@loopbox/core/networks/Connectors"
import type { Publication } from "@loopbox/core/networks/publishing/Publication"
import type { Network } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { connected } from "../loopback.ts"
import type { Answer, Received } from "../loopback.ts"
import { accessTo } from "../support.ts"
import { mediaOf, prepared, publicationOf, publishOf } from "./driving.ts"

const access = accessTo("111", "our_account")
const image = mediaOf({ kind: "image", contentType: "image/jpeg", bytes: new Uint8Array(9) })
const video = mediaOf({ kind: "video", contentType: "video/mp4", bytes: new Uint8Array(9) })

const failureOf = Effect.fnUntraced(function* (
  network: Network,
  publication: Publication,
  answer: (request: Received) => Answer
) {
  const { connectors } = yield* connected(answer)
  const publish = publishOf(connectorTo(connectors, network))
  const exit = yield* Effect.exit(prepared(publish, access, publication))
  const failure = Option.getOrNull(Exit.findErrorOption(exit))
  if (failure === null) return "none"
  return failure._tag === "PreparationFailed" ? `${failure.code}, ${failure.again}` : failure._tag
})

const graphError = (code: number, error_subcode?: number): Answer => ({
  status: 400,
  body: { error: { message: "no", code, ...(error_subcode === undefined ? {} : { error_subcode }) } }
})

const rows: ReadonlyArray<readonly [code: number, subcode: number, expected: string]> = [
  [-2, 2_207_003, "media_fetch_failed, new"],
  [-2, 2_207_020, "container_expired, new"],
  [-1, 2_207_001, "network_unavailable, new"],
  [-1, 2_207_032, "network_unavailable, new"],
  [-1, 2_207_053, "network_unavailable, new"],
  [9004, 2_207_052, "media_fetch_failed, new"],
  [1, 2_207_052, "media_fetch_failed, new"],
  [352, 2_207_026, "media_rejected, never"],
  [36_000, 2_207_004, "media_rejected, never"],
  [36_001, 2_207_005, "media_rejected, never"],
  [36_003, 2_207_009, "media_rejected, never"],
  [36_004, 2_207_010, "rejected, never"],
  [100, 2_207_028, "rejected, never"],
  [100, 2_207_023, "rejected, never"],
  [100, 2_207_040, "rejected, never"],
  [1, 2_207_057, "media_rejected, never"],
  [100, 2_207_077, "media_fetch_failed, never"],
  [100, 2_207_082, "media_fetch_failed, never"],
  [25, 2_207_050, "rejected, never"],
  [24, 2_207_006, "missing_scopes, never"],
  [4, 2_207_051, "spam_blocked, never"],
  [9, 2_207_042, "quota_exceeded, never"],
  [190, 463, "AuthExpired"],
  [10, 0, "AuthExpired"],
  [2, 0, "Unavailable"],
  [17, 0, "RateLimited"]
]

describe("a container that is refused", () => {
  for (const [code, subcode, expected] of rows) {
    for (const network of ["instagram", "threads"] as const) {
      it.effect(`${network}: ${code}/${subcode} is ${expected}`, () =>
        Effect.gen(function* () {
          const answer = () => graphError(code, subcode)
          assert.strictEqual(yield* failureOf(network, publicationOf("image", "", [image]), answer), expected)
        })
      )
    }
  }

  for (const [status, words, expected] of [
    ["ERROR", "Error: Media upload has failed with error code 2207026", "media_rejected, never"],
    ["ERROR", "Error: Media upload has failed with error code 2207053", "network_unavailable, new"],
    ["ERROR", "", "media_rejected, new"],
    ["EXPIRED", "", "container_expired, new"]
  ] as const) {
    it.effect(`Instagram's container that says ${status} ${words} is ${expected}`, () =>
      Effect.gen(function* () {
        const answer = ({ method }: Received): Answer =>
          method === "POST" ? { body: { id: "180" } } : { body: { id: "180", status_code: status, status: words } }
        assert.strictEqual(yield* failureOf("instagram", publicationOf("reel", "", [video]), answer), expected)
      })
    )
  }

  for (const words of ["FAILED_DOWNLOADING_VIDEO", "INVALID_ASPEC_RATIO", "UNKNOWN"]) {
    it.effect(`Threads' container that says ${words} begins anew`, () =>
      Effect.gen(function* () {
        const answer = ({ method }: Received): Answer =>
          method === "POST" ? { body: { id: "180" } } : { body: { id: "180", status: "ERROR", error_message: words } }
        assert.strictEqual(
          yield* failureOf("threads", publicationOf("video", "", [video]), answer),
          words === "UNKNOWN"
            ? "media_rejected, new"
            : words.startsWith("FAILED_D")
              ? "media_fetch_failed, new"
              : "media_rejected, never"
        )
      })
    )
  }

  it.effect("a new one that can't be read yet is asked for again, which is all that 100/33 means there", () =>
    Effect.gen(function* () {
      let reads = 0
      const answer = ({ method }: Received): Answer => {
        if (method === "POST") return { body: { id: "180" } }
        reads++
        return reads < 3 ? graphError(100, 33) : { body: { id: "180", status_code: "FINISHED" } }
      }
      assert.strictEqual(yield* failureOf("instagram", publicationOf("image", "", [image]), answer), "none")
    })
  )
})

describe("a photo or reel of a Page that is refused", () => {
  for (const [code, expected] of [
    [389, "media_fetch_failed, new"],
    [6000, "network_unavailable, new"],
    [6001, "network_unavailable, new"],
    [352, "media_rejected, never"],
    [382, "media_rejected, never"],
    [1_363_040, "media_rejected, never"],
    [1_363_127, "media_rejected, never"],
    [1_363_128, "media_rejected, never"],
    [1_363_129, "media_rejected, never"],
    [1_366_046, "media_rejected, never"],
    [200, "AuthExpired"]
  ] as const) {
    it.effect(`${code} is ${expected}`, () =>
      Effect.gen(function* () {
        const answer = () => graphError(code)
        assert.strictEqual(yield* failureOf("facebook", publicationOf("image", "", [image]), answer), expected)
      })
    )
  }

  it.effect("an upload that is not confirmed begins anew", () =>
    Effect.gen(function* () {
      const answer =
        (said: Answer) =>
        ({ headers, path }: Received): Answer =>
          path.startsWith("/fb/upload")
            ? said
            : { body: { video_id: "500", upload_url: `http://${headers.host}/fb/upload/500` } }
      const reel = publicationOf("reel", "", [video])
      const malformed = { status: 400, body: { debug_info: { retriable: false, type: "ParameterValidationError" } } }
      for (const said of [malformed, { body: {} }, { body: { success: false } }]) {
        assert.strictEqual(yield* failureOf("facebook", reel, answer(said)), "network_unavailable, new")
      }
      assert.strictEqual(yield* failureOf("facebook", reel, answer({ body: { success: true } })), "none")
    })
  )
})

describe("an upload that X refuses", () => {
  const problem = (status: number, detail: string): Answer => ({
    status,
    body: { title: status === 403 ? "Forbidden" : "Invalid Request", detail, type: "about:blank", status }
  })

  for (const [status, detail, expected] of [
    [400, "The media type is unrecognized.", "media_rejected, never"],
    [400, "This user is not allowed to post a video longer than 2 minutes", "media_rejected, never"],
    [400, "Your media IDs are invalid.", "container_expired, new"],
    [403, "You are not permitted to perform this action.", "AuthExpired"],
    [401, "Unauthorized", "AuthExpired"],
    [402, "CreditsDepleted", "Unavailable"],
    [429, "Too Many Requests", "RateLimited"],
    [503, "Service Unavailable", "Unavailable"]
  ] as const) {
    it.effect(`${status} ${detail} is ${expected}`, () =>
      Effect.gen(function* () {
        const answer = () => problem(status, detail)
        assert.strictEqual(yield* failureOf("x", publicationOf("image", "", [image]), answer), expected)
      })
    )
  }

  it.effect("a video that fails while it is processed is refused for good", () =>
    Effect.gen(function* () {
      const error = { code: 1, name: "InvalidMedia", message: "no" }
      const answer = ({ path }: Received): Answer => {
        const processing_info = path.endsWith("/finalize") ? { processing_info: { state: "failed", error } } : {}
        return { body: { data: { id: "700", media_key: "7_700", ...processing_info } } }
      }
      assert.strictEqual(yield* failureOf("x", publicationOf("video", "", [video]), answer), "media_rejected, never")
    })
  )
})
