import { assert, describe, layer } from "@effect/vitest"
import { ImageSizes } from "@loopbox/adapters-blobs"
import * as Serve from "@loopbox/adapters-http/node/serve"
import { SocialConnectors } from "@loopbox/adapters-social"
import { networks } from "@loopbox/adapters-social/names"
import { Administration, noLimits } from "@loopbox/core/access/Administration"
import { nextMediaId } from "@loopbox/core/kernel/Ids"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { Audit } from "@loopbox/core/audit/Audit"
import { ManagedUserExport } from "@loopbox/core/exporting/ManagedUserExport"
import { Usage } from "@loopbox/core/usage/Usage"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { connectAccount, layerInboxPorts, layerInboxServices } from "@loopbox/testing/layers/inboxLayers"
import { DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient, HttpServer } from "effect/http"
import { request } from "./support/apiClient.ts"
import { type Draft, type Issue, jpeg, type Limit, mp4, recordOf } from "./support/postDrafts.ts"
import { limits } from "./support/postLimits.ts"

const Issues = Schema.Array(
  Schema.Struct({
    path: Schema.String,
    code: Schema.String,
    message: Schema.String,
    actual: Schema.NullOr(Schema.Union([Schema.String, Schema.Number])),
    limit: Schema.NullOr(Schema.Union([Schema.String, Schema.Number]))
  })
)
const judgementOf = Schema.decodeUnknownSync(
  Schema.Struct({ data: Schema.Struct({ valid: Schema.Boolean, issues: Issues }) })
)
const refusalOf = Schema.decodeUnknownSync(
  Schema.Struct({ error: Schema.Struct({ code: Schema.String, details: Schema.Struct({ issues: Issues }) }) })
)
const pageOf = Schema.decodeUnknownSync(Schema.Struct({ data: Schema.Array(Schema.Unknown) }))

/** A server as a host has it, over memory, with the real rules of the networks. */
const server = Serve.layer({
  port: 0,
  signingKey: Redacted.make(new Uint8Array(32).fill(7)),
  adminToken: Redacted.make("test-admin-token-of-more-than-32-characters"),
  rateLimit: "off"
}).pipe(
  Layer.provideMerge(Layer.mergeAll(layerInboxServices, Usage.layer, Audit.layer, ManagedUserExport.layer)),
  Layer.provideMerge(SocialConnectors.layer({}).pipe(Layer.provide(FetchHttpClient.layer))),
  Layer.provideMerge(layerInboxPorts),
  Layer.provideMerge(ImageSizes.layer)
)

const open = Effect.gen(function* () {
  const administration = yield* Administration
  const workspace = yield* administration.createWorkspace({ name: "Test", plan: "growth", limits: noLimits })
  yield* administration.setMember(workspace.id, "owner", "owner")
  const issued = yield* administration.issueKey(workspace.id, {
    name: "test",
    creatorUserId: Option.some("owner"),
    expiresAt: Option.none()
  })
  const { address } = yield* HttpServer.HttpServer
  const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
  const token = Redacted.value(issued.text)
  const accounts = yield* Effect.forEach(networks, (network) =>
    connectAccount(workspace.id, { network, username: Option.some("shop"), check: false })
  )
  const ask = (path: string, body?: unknown) =>
    Effect.promise(() =>
      request(`${url}${path}`, {
        token,
        ...(body === undefined
          ? {}
          : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
      })
    )
  return { workspace, accounts, ask }
})

/** A target as a request has it, whose files are there. */
const targetOf = Effect.fnUntraced(function* (workspace: Workspace, accountId: string, draft: Draft) {
  const [store, random, now] = [yield* MediaStore, yield* SecureRandom.SecureRandom, yield* DateTime.now]
  const ids = yield* Effect.forEach(draft.files ?? [], (file) =>
    Effect.gen(function* () {
      const id = yield* nextMediaId(random)
      const given = { id, workspaceId: workspace.id, createdAt: now, keepUntil: DateTime.add(now, { days: 1 }) }
      yield* store.insert(recordOf(file, given))
      return id
    })
  )
  const [first = ""] = ids
  const altTexts = draft.altText === undefined ? {} : { alt_texts: { [first]: draft.altText } }
  return {
    target: {
      social_account_id: accountId,
      text: draft.text ?? "",
      media_ids: ids,
      ...(draft.comment === undefined ? {} : { first_comment: draft.comment }),
      options: { ...draft.options, ...altTexts }
    },
    first
  }
})

const most = Math.max(...networks.map((network) => limits[network].length))

/** The nth limit of each network; of one that has fewer its last. */
const rows: ReadonlyArray<ReadonlyArray<Limit>> = Array.from({ length: most }, (_, nth) =>
  networks.flatMap((network) => limits[network][nth] ?? limits[network].at(-1) ?? [])
)

const shown = (issues: typeof Issues.Type): ReadonlyArray<Issue> =>
  issues.map(({ actual, code, limit, path }) => [path, code, actual, limit])

describe("the limits of posts over HTTP (social-networks-write.md B0)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("let pass what is just inside, of four networks in one request, and store nothing", () =>
      Effect.gen(function* () {
        const { accounts, ask, workspace } = yield* open
        for (const row of rows) {
          const targets = yield* Effect.forEach(row, ({ inside }, i) =>
            Effect.map(targetOf(workspace, accounts[i]?.id ?? "", inside), ({ target }) => target)
          )
          const { data } = judgementOf((yield* ask("/v1/posts/validate", { targets })).json)
          assert.deepStrictEqual(shown(data.issues), [], row.map(({ what }) => what).join("; "))
          assert.isTrue(data.valid)
        }
        assert.deepStrictEqual(pageOf((yield* ask("/v1/posts")).json).data, [])
      })
    )

    it.effect("refuse what is just outside: all networks in one answer, with path, code, value and limit", () =>
      Effect.gen(function* () {
        const { accounts, ask, workspace } = yield* open
        for (const row of rows) {
          const made = yield* Effect.forEach(row, ({ outside }, i) =>
            targetOf(workspace, accounts[i]?.id ?? "", outside)
          )
          const targets = made.map(({ target }) => target)
          const expected = row.flatMap(({ issues }, i) =>
            issues.map(([path, ...rest]): Issue => {
              const first = made[i]?.first ?? ""
              return [`targets[${i}].${path === "options.alt_texts" ? `${path}.${first}` : path}`, ...rest]
            })
          )
          const what = row.map((one) => one.what).join("; ")
          const { data } = judgementOf((yield* ask("/v1/posts/validate", { targets })).json)
          assert.deepStrictEqual(shown(data.issues), expected, what)
          assert.isFalse(data.valid)
          const refused = yield* ask("/v1/posts", { targets })
          assert.strictEqual(refused.status, 400, what)
          const { error } = refusalOf(refused.json)
          assert.strictEqual(error.code, "VALIDATION_ERROR")
          assert.deepStrictEqual(error.details.issues, data.issues, what)
          for (const { message } of data.issues) assert.match(message, /^[A-Z].*\.$/)
        }
        assert.deepStrictEqual(pageOf((yield* ask("/v1/posts")).json).data, [])
      })
    )

    it.effect("say everything that is wrong with one target at once", () =>
      Effect.gen(function* () {
        const { accounts, ask, workspace } = yield* open
        const [instagram, , , x] = accounts
        const broken = { size: 600_000_000, width: 4_000, height: 1_000, ms: 1_000_000, rate: 120, audio: "opus" }
        const one = yield* targetOf(workspace, instagram?.id ?? "", {
          text: `${"x".repeat(2_200)} ${"#a ".repeat(31)}`,
          files: [jpeg({ type: "image/png", size: 9_000_000, width: 3_000 }), mp4({ ...broken, video: "vp09" })],
          comment: "x".repeat(2_201)
        })
        const other = yield* targetOf(workspace, x?.id ?? "", {
          text: "x".repeat(281),
          files: [mp4(broken), mp4(broken)]
        })
        const { data } = judgementOf((yield* ask("/v1/posts/validate", { targets: [one.target, other.target] })).json)
        assert.sameMembers(
          data.issues.map(({ code, path }) => `${path} ${code}`),
          [
            "targets[0].text exceeds_max_length",
            "targets[0].text too_many_hashtags",
            "targets[0].first_comment exceeds_max_length",
            "targets[0].media_ids[0] unsupported_format",
            "targets[0].media_ids[0] file_too_large",
            "targets[0].media_ids[0] aspect_ratio_unsupported",
            "targets[0].media_ids[1] file_too_large",
            "targets[0].media_ids[1] dimensions_out_of_range",
            "targets[0].media_ids[1] duration_out_of_range",
            "targets[0].media_ids[1] frame_rate_out_of_range",
            "targets[0].media_ids[1] unsupported_format",
            "targets[1].text exceeds_max_length",
            "targets[1].media_ids max_media_exceeded",
            ...[0, 1].flatMap((i) =>
              [
                "file_too_large",
                "dimensions_out_of_range",
                "aspect_ratio_unsupported",
                "duration_out_of_range",
                "frame_rate_out_of_range",
                "unsupported_format"
              ].map((code) => `targets[1].media_ids[${i}] ${code}`)
            )
          ]
        )
      })
    )
  })
})
