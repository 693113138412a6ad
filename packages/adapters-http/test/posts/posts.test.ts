import { PublicUrlRequired } from "@loopbox/core/media/MediaErrors"
import { assert, describe, layer } from "@effect/vitest"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { AuthExpired, OutcomeUnknown, RateLimited, Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { PostChange } from "@loopbox/core/posts/editPost"
import {
  PostAlreadyPublishing,
  PostInvalid,
  PostKeyConflict,
  PostNotEditable,
  PostNotFound,
  TargetNotFound,
  TargetNotRemovable,
  TargetNotRetryable
} from "@loopbox/core/posts/PostErrors"
import type { PostInput } from "@loopbox/core/posts/PostInput"
import type { Posts } from "@loopbox/core/posts/Posts"
import { DateTime, Effect, Layer, Option } from "effect"
import { addManagedUser, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { call, codeOf, pathsOf, serverWith, services } from "../support.ts"
import * as ScriptedPosts from "./scriptedPosts.ts"
import { accountId, mediaId, postId, PostsScript, shownPost, shownTarget, targetId } from "./scriptedPosts.ts"

const server = serverWith().pipe(Layer.provideMerge(Layer.merge(services, ScriptedPosts.layer)))

const path = `/v1/posts/${postId}`
const target = `${path}/targets/${targetId}`
const minimal = { targets: [{ social_account_id: accountId }] }
const network = { network: "instagram", networkCode: Option.some("100"), detail: "detail-of-mine" }

const script = (posts: Partial<Posts["Service"]>) =>
  Effect.map(PostsScript, (one) => {
    one.posts = posts
  })

describe("POST /v1/posts (api-2.md §12)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("takes a post as it was asked for, and answers 202, or 201 for one that waits", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const given: Array<readonly [PostInput, Option.Option<string>]> = []
        yield* script({
          submit: (_scope, input, idempotencyKey) => {
            given.push([input, idempotencyKey])
            return Effect.succeed({ post: shownPost(), isDeferred: input.isDraft })
          }
        })
        const json = {
          text: "Our cat",
          media_ids: [mediaId],
          scheduled_at: "2026-11-24T08:00:00+01:00",
          targets: [
            {
              social_account_id: accountId,
              text: "",
              first_comment: "More soon",
              options: {
                kind: "reel",
                share_to_feed: true,
                title: null,
                alt_texts: { [mediaId]: "A cat", med_x: null }
              }
            },
            { social_account_id: "acc_x", media_ids: [], text: null, options: { kind: null, alt_texts: null } }
          ]
        }
        const answer = yield* call("POST", "/v1/posts", { key, json, headers: { "idempotency-key": "k1" } })
        assert.strictEqual(answer.status, 202)
        assert.deepEqual<unknown>(given[0], [
          {
            text: Option.some("Our cat"),
            mediaIds: [mediaId],
            targets: [
              {
                accountId,
                text: Option.some(""),
                mediaIds: Option.none(),
                firstComment: Option.some("More soon"),
                options: { values: { kind: "reel", share_to_feed: true }, altTexts: { [mediaId]: "A cat" } }
              },
              {
                accountId: "acc_x",
                text: Option.none(),
                mediaIds: Option.some([]),
                firstComment: Option.none(),
                options: { values: {}, altTexts: {} }
              }
            ],
            scheduledAt: Option.some(DateTime.makeUnsafe("2026-11-24T07:00:00.000Z")),
            isDraft: false
          },
          Option.some("k1")
        ])
        assert.deepEqual<unknown>(answer.body["data"], {
          id: postId,
          status: "publishing",
          text: "Our cat",
          media_ids: [mediaId],
          scheduled_at: null,
          published_at: null,
          warnings: [],
          targets: [
            {
              id: targetId,
              social_account_id: accountId,
              network: "instagram",
              status: "pending",
              text: null,
              media_ids: null,
              first_comment: null,
              options: { kind: "reel", alt_texts: { [mediaId]: "A cat" } },
              external_id: null,
              url: null,
              attempts: 0,
              error: null,
              published_at: null
            }
          ],
          created_at: "2026-11-21T07:00:00.000Z",
          updated_at: "2026-11-21T07:00:00.000Z"
        })
        assert.strictEqual(
          (yield* call("POST", "/v1/posts", { key, json: { ...minimal, status: "draft" } })).status,
          201
        )
      })
    )

    it.effect("says everything that is wrong with the form at once, and calls nothing", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        yield* script({})
        const json = {
          text: "a\0b",
          schedule: "now",
          status: "later",
          scheduled_at: "tomorrow",
          targets: [{ social_account_id: accountId, text: 3 }]
        }
        const answer = yield* call("POST", "/v1/posts", { key, json, headers: { "idempotency-key": "é" } })
        assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
        assert.sameMembers(
          [...pathsOf(answer)],
          ["text", "schedule", "status", "scheduled_at", "targets[0].text", "Idempotency-Key"]
        )
        const issue = answer.body["error"]?.["details"]?.["issues"]?.["0"]
        assert.sameMembers(Object.keys({ ...issue }), ["path", "code", "message", "actual", "limit"])
      })
    )

    it.effect("says beside a fault of the form that targets or time can't be", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        yield* script({ find: () => Effect.succeed(shownPost()) })
        const target = { social_account_id: accountId }
        const past = "2020-01-01T00:00:00Z"
        const cases = [
          ["POST", "/v1/posts", { text: 1, targets: [], scheduled_at: past }, ["text", "targets", "scheduled_at"]],
          ["POST", "/v1/posts/validate", { text: 1 }, ["text", "targets"]],
          ["POST", "/v1/posts", { text: 1, targets: null }, ["text", "targets"]],
          [
            "POST",
            "/v1/posts",
            { text: 1, targets: [target, { social_account_id: 3 }, target] },
            ["text", "targets[1].social_account_id", "targets[2].social_account_id"]
          ],
          [
            "POST",
            "/v1/posts",
            { targets: Array.from({ length: 51 }, () => 3), text: "x" },
            Array.from({ length: 51 }, (_, n) => `targets[${n}]`).concat("targets")
          ],
          ["PATCH", path, { text: 1 }, ["text"]],
          ["PATCH", path, { text: 1, targets: [], scheduled_at: past }, ["text", "targets", "scheduled_at"]]
        ] as const
        for (const [method, at, json, paths] of cases) {
          const answer = yield* call(method, at, { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
          assert.sameMembers([...pathsOf(answer)], [...paths])
        }
        const answer = yield* call("POST", "/v1/posts", { key, json: { text: 1, targets: [], scheduled_at: past } })
        const codes = yield* Effect.succeed(JSON.stringify(answer.body))
        for (const code of ["invalid_value", "missing_required", "scheduled_too_soon"]) assert.include(codes, code)
      })
    )

    it.effect("says beside a bad key or an unknown member what its networks would not take", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const none = Option.none<never>()
        const tooLong = {
          path: "targets[0].text",
          code: "exceeds_max_length",
          message: "The text is too long.",
          actual: Option.some(300),
          limit: Option.some(280)
        }
        const tooSoon = { ...tooLong, path: "scheduled_at", code: "scheduled_too_soon", actual: none, limit: none }
        yield* script({ validate: () => Effect.succeed({ issues: [tooLong, tooSoon], warnings: [] }) })
        const json = { ...minimal, scheduled_at: "2020-01-01T00:00:00Z" }
        const bad = yield* call("POST", "/v1/posts", { key, json, headers: { "idempotency-key": "two words" } })
        assert.sameMembers([...pathsOf(bad)], ["Idempotency-Key", "scheduled_at", "targets[0].text"])
        assert.include(bad.text, `"actual":300,"limit":280`)
        for (const at of ["/v1/posts", "/v1/posts/validate"]) {
          const odd = yield* call("POST", at, { key, json: { ...json, colour: 1 } })
          assert.sameMembers([...pathsOf(odd)], ["colour", "scheduled_at", "targets[0].text"])
        }
        // A draft is judged when it is published.
        const draft = { ...minimal, status: "draft", colour: 1 }
        assert.deepEqual([...pathsOf(yield* call("POST", "/v1/posts", { key, json: draft }))], ["colour"])
        const away = new StoreUnavailable({ operation: "x", committed: "no", cause: "away" })
        yield* script({ validate: () => Effect.fail(away) })
        const blind = yield* call("POST", "/v1/posts", { key, json: { ...minimal, colour: 1 } })
        assert.deepEqual([codeOf(blind), ...pathsOf(blind)], ["400 VALIDATION_ERROR", "colour"])
      })
    )

    it.effect("answers a post that its networks would not take with all issues, their values and limits", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const issue = {
          path: "targets[0].text",
          code: "exceeds_max_length",
          message: "Too long.",
          actual: Option.some(300),
          limit: Option.some(280)
        }
        yield* script({ submit: () => Effect.fail(new PostInvalid({ issues: [issue], warnings: [] })) })
        const answer = yield* call("POST", "/v1/posts", { key, json: minimal })
        assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
        yield* script({ submit: () => Effect.fail(new PostInvalid({ issues: [issue, issue], warnings: [] })) })
        const twice = yield* call("POST", "/v1/posts", { key, json: minimal })
        assert.strictEqual<unknown>(
          twice.body["error"]?.["message"],
          "The post can't go out as it is. targets[0].text: Too long; targets[0].text: Too long."
        )
        assert.deepEqual<unknown>(answer.body["error"]?.["details"]?.["issues"], [
          { path: "targets[0].text", code: "exceeds_max_length", message: "Too long.", actual: 300, limit: 280 }
        ])
        yield* script({
          validate: () => Effect.succeed({ issues: [issue], warnings: [{ path: "text", code: "c", message: "m" }] })
        })
        const judged = yield* call("POST", "/v1/posts/validate", { key, json: minimal })
        assert.strictEqual(judged.status, 200)
        assert.deepEqual<unknown>(judged.body["data"], {
          valid: false,
          issues: [
            { path: "targets[0].text", code: "exceeds_max_length", message: "Too long.", actual: 300, limit: 280 }
          ],
          warnings: [{ path: "text", code: "c", message: "m" }]
        })
      })
    )

    it.effect("refuses another input under a key, and networks that can't reach this host", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        yield* script({ submit: () => Effect.fail(new PostKeyConflict({ postId })) })
        assert.strictEqual(
          codeOf(yield* call("POST", "/v1/posts", { key, json: minimal })),
          "409 IDEMPOTENCY_KEY_CONFLICT"
        )
        yield* script({ submit: () => Effect.fail(new PublicUrlRequired({ networks: ["instagram"] })) })
        const answer = yield* call("POST", "/v1/posts", { key, json: minimal })
        assert.strictEqual(codeOf(answer), "409 PUBLIC_URL_REQUIRED")
        assert.match(String(answer.body["error"]?.["message"]), /LOOPBOX_PUBLIC_URL/)
      })
    )
  })
})

describe("/v1/posts/{id} (api-2.md §12)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("lists by status and account, page by page, within the scope", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* addManagedUser(id, "u1")
        const asked: Array<readonly [InboxScope["_tag"], unknown, PageRequest]> = []
        const next = Option.some({ createdAt: DateTime.makeUnsafe("2026-11-21T07:00:00.000Z"), id: postId })
        yield* script({
          list: (scope, filter, page) => {
            asked.push([scope._tag, filter, page])
            return Effect.succeed({ items: [shownPost()], next })
          }
        })
        const query = `status=published&social_account_id=${accountId}&limit=1`
        const first = yield* call("GET", `/v1/posts?${query}`, { key })
        const cursor = String(first.body["next_cursor"])
        assert.strictEqual((yield* call("GET", `/v1/posts?${query}&cursor=${cursor}`, { key })).status, 200)
        yield* call("GET", `/v1/posts?${scopes.user("u1")}`, { key })
        const filter = { status: Option.some("published"), accountId: Option.some(accountId) }
        assert.deepEqual<unknown>(asked, [
          ["WorkspaceScope", filter, { limit: 1, after: Option.none() }],
          ["WorkspaceScope", filter, { limit: 1, after: next }],
          ["ManagedUserScope", { status: Option.none(), accountId: Option.none() }, { limit: 50, after: Option.none() }]
        ])
        const other = yield* call("GET", `/v1/posts?status=failed&cursor=${cursor}`, { key })
        assert.deepStrictEqual([codeOf(other), pathsOf(other)], ["400 VALIDATION_ERROR", ["cursor"]])
        const wrong = yield* call("GET", "/v1/posts?stauts=failed&social_account_id=x", { key })
        assert.sameMembers([...pathsOf(wrong)], ["stauts", "social_account_id"])
      })
    )

    it.effect("changes what a body names, and clears what it names as null", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const changes: Array<PostChange> = []
        yield* script({
          find: () => Effect.succeed(shownPost()),
          edit: (_scope, _id, change) => {
            changes.push(change)
            return Effect.succeed(shownPost({ status: "draft" }))
          }
        })
        const json = { text: null, scheduled_at: "2026-11-24T07:00:00Z" }
        assert.strictEqual((yield* call("PATCH", path, { key, json })).status, 200)
        yield* call("PATCH", path, { key, json: { media_ids: null, scheduled_at: null } })
        assert.deepEqual<unknown>(changes, [
          {
            text: Option.none(),
            mediaIds: undefined,
            targets: undefined,
            scheduledAt: Option.some(DateTime.makeUnsafe("2026-11-24T07:00:00.000Z"))
          },
          { text: undefined, mediaIds: [], targets: undefined, scheduledAt: Option.none() }
        ])
        // What was read, given back: what only answers have is told apart from what nobody knows.
        const read = { id: postId, text: "x", txt: "y", targets: [{ ...minimal.targets[0], status: "pending" }] }
        const told = JSON.stringify((yield* call("PATCH", path, { key, json: read })).body["error"])
        assert.include(told, "id: is told by answers only: leave it out; ")
        assert.include(told, "txt: is not known here; ")
        assert.include(told, "targets[0].status: is told by answers only: leave it out")
        assert.lengthOf(told.match(/"unknown_member"/g) ?? [], 3, told)
        assert.deepStrictEqual(pathsOf(yield* call("PATCH", path, { key, json: { status: "draft" } })), ["status"])
      })
    )

    it.effect("publishes, cancels, retries and deletes", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const post = shownPost({ targets: [shownTarget({ status: "pending" })] })
        yield* script({
          find: () => Effect.succeed(post),
          publish: () => Effect.succeed(shownPost({ status: "scheduled" })),
          cancel: () => Effect.succeed(shownPost({ status: "canceled" })),
          retryTarget: () => Effect.succeed(post),
          removeTarget: () => Effect.succeed(shownPost({ targets: [shownTarget({ status: "deleted" })] })),
          remove: () => Effect.void
        })
        const statuses = yield* Effect.forEach(
          [
            ["GET", path],
            ["POST", `${path}/publish`],
            ["POST", `${path}/cancel`],
            ["POST", `${target}/retry`],
            ["DELETE", target],
            ["DELETE", path]
          ] as const,
          ([method, to]) => Effect.map(call(method, to, { key }), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, [200, 201, 200, 202, 200, 204])
        yield* script({ publish: () => Effect.succeed(post) })
        assert.strictEqual((yield* call("POST", `${path}/publish`, { key })).status, 202)
        yield* script({
          removeTarget: () => Effect.succeed(shownPost({ targets: [shownTarget({ status: "deleted" })] }))
        })
        const deleted = yield* call("DELETE", target, { key })
        assert.deepStrictEqual([deleted.body["data"]?.["id"], deleted.body["data"]?.["status"]].map(String), [
          targetId,
          "deleted"
        ])
      })
    )

    it.effect("answers each refusal with its status and code", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const absent = Effect.fail(new PostNotFound({ postId }))
        const locked = Effect.fail(new PostNotEditable({ postId }))
        const hindered = (reason: TargetNotRemovable["reason"]) =>
          Effect.fail(new TargetNotRemovable({ targetId, reason }))
        type Removing = Effect.Error<ReturnType<Posts["Service"]["removeTarget"]>>
        const removing: ReadonlyArray<readonly [Removing, string]> = [
          [new TargetNotFound({ targetId }), "404 NOT_FOUND"],
          [new TargetNotRemovable({ targetId, reason: "not_supported" }), "409 ACTION_NOT_AVAILABLE"],
          [
            new AuthExpired({ ...network, reason: "permission", missingScopes: ["threads_delete"] }),
            "409 X_RECONNECT_REQUIRED"
          ],
          [new Rejected({ ...network, reason: "other" }), "422 PLATFORM_ERROR"],
          [new RateLimited({ ...network, retryAt: Option.none() }), "429 PLATFORM_RATE_LIMITED"],
          [new Unavailable({ ...network, reason: "upstream" }), "502 PLATFORM_ERROR"],
          [new OutcomeUnknown(network), "502 PLATFORM_ERROR"]
        ]
        for (const [error, expected] of removing) {
          yield* script({ removeTarget: () => Effect.fail(error) })
          const answer = yield* call("DELETE", target, { key })
          assert.strictEqual(codeOf(answer), expected)
          assert.notInclude(answer.text, "detail-of-mine")
        }
        yield* script({ removeTarget: () => hindered("not_published") })
        const hindrance = yield* call("DELETE", target, { key })
        assert.strictEqual(String(hindrance.body["error"]?.["details"]?.["reason"]), "not_published")

        yield* script({
          find: () => absent,
          publish: () => locked,
          cancel: () => Effect.fail(new PostAlreadyPublishing({ postId })),
          retryTarget: () => Effect.fail(new TargetNotRetryable({ targetId })),
          remove: () => locked
        })
        const codes = yield* Effect.forEach(
          [
            ["GET", path],
            ["PATCH", path],
            ["POST", `${path}/publish`],
            ["POST", `${path}/cancel`],
            ["POST", `${target}/retry`],
            ["DELETE", path]
          ] as const,
          ([method, to]) => Effect.map(call(method, to, { key, ...(method === "PATCH" ? { json: [] } : {}) }), codeOf)
        )
        assert.deepStrictEqual(codes, [
          "404 NOT_FOUND",
          "404 NOT_FOUND",
          "409 POST_NOT_EDITABLE",
          "409 POST_ALREADY_PUBLISHING",
          "409 TARGET_NOT_RETRYABLE",
          "409 POST_NOT_EDITABLE"
        ])
        assert.strictEqual(codeOf(yield* call("GET", "/v1/posts")), "401 UNAUTHORIZED")
        const query = "inbox_scope=managed_user&external_user_id=nobody"
        assert.strictEqual(codeOf(yield* call("GET", `/v1/posts?${query}`, { key })), "404 MANAGED_USER_NOT_FOUND")
      })
    )
  })
})
