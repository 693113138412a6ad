import { Administration } from "@loopbox/core/access/Administration"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  AdvanceBody,
  LimitsChange,
  NewApiKeyBody,
  NewWorkspaceBody,
  RoleBody,
  toApiKeyBody,
  toWorkspaceBody,
  UserId,
  WorkspaceChangeBody
} from "../api/AdminBodies.ts"
import { Api } from "../api/Api.ts"
import { defaultLimit } from "../api/ListQuery.ts"
import {
  clockRefusals,
  createRefusals,
  issueKeyRefusals,
  listKeysRefusals,
  listRefusals,
  removeMemberRefusals,
  revokeKeyRefusals,
  setMemberRefusals,
  updateRefusals,
  workspaceRefusals
} from "./adminRefusals.ts"
import { Cursors, toPageBody } from "./Cursors.ts"
import { HttpSettings } from "./HttpSettings.ts"
import { InvalidRequest, invalid, toIssues } from "./issues.ts"
import { readJson } from "./readJson.ts"
import { answer } from "./refuse.ts"

const toLimitOverrides = (limits: typeof LimitsChange.Type | null | undefined) => ({
  activeJobs: Option.fromNullishOr(limits?.active_jobs),
  conversionsPer24Hours: Option.fromNullishOr(limits?.gif_conversions_per_24h)
})

const toWorkspaceChange = ({ limits, name, plan }: typeof WorkspaceChangeBody.Type) => ({
  name: name ?? undefined,
  plan: plan ?? undefined,
  limits: { activeJobs: limits?.active_jobs, conversionsPer24Hours: limits?.gif_conversions_per_24h }
})

const decodeUserId = Schema.decodeUnknownEffect(UserId)
/** The user in the path: 1 to 256 characters without control characters. */
const readUserId = (given: string) =>
  decodeUserId(given).pipe(Effect.mapError(({ issue }) => new InvalidRequest({ issues: toIssues(issue, "user_id") })))

/** JavaScript reads February 30 as a day of March. */
const isRealDay = (time: string) => {
  const day = time.slice(0, 10)
  return Option.exists(DateTime.make(`${day}T00:00:00Z`), (read) => DateTime.formatIso(read).startsWith(day))
}

const readExpiry = Effect.fnUntraced(function* (given: string | null | undefined) {
  if (given === undefined || given === null) return Option.none<DateTime.Utc>()
  const expiresAt = DateTime.make(given)
  if (Option.isNone(expiresAt) || !isRealDay(given)) return yield* invalid("expires_at", "must be a time of RFC 3339")
  if (DateTime.isLessThanOrEqualTo(expiresAt.value, yield* DateTime.now)) {
    return yield* invalid("expires_at", "must be in the future")
  }
  return Option.some(DateTime.toUtc(expiresAt.value))
})

/** How far the test clock may be moved at once. */
const maxAdvance = Duration.days(3650)

const readAdvance = (given: string) => {
  const isDuration = /^\d+(\.\d+)? (milli|second|minute|hour|day|week)s?$/.test(given)
  const by = isDuration
    ? Schema.decodeUnknownOption(Schema.DurationFromString)(given)
    : Option.none<Duration.Duration>()
  return Option.isSome(by) &&
    Duration.isGreaterThan(by.value, Duration.zero) &&
    Duration.isLessThanOrEqualTo(by.value, maxAdvance)
    ? Effect.succeed(by.value)
    : Effect.fail(invalid("advance", 'must be a duration such as "25 hours", at most 3650 days'))
}

export const layer = HttpApiBuilder.group(
  Api,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const administration = yield* Administration
    const cursors = yield* Cursors
    const { advanceClock } = yield* HttpSettings
    return handlers
      .handleRaw(
        "createWorkspace",
        Effect.fnUntraced(function* () {
          const { limits, name, plan } = yield* readJson(NewWorkspaceBody)
          const workspace = yield* administration.createWorkspace({ name, plan, limits: toLimitOverrides(limits) })
          return yield* answer(toWorkspaceBody(workspace))
        }, Effect.catchTags(createRefusals))
      )
      .handleRaw(
        "updateWorkspace",
        Effect.fnUntraced(function* ({ params }) {
          const change = toWorkspaceChange(yield* readJson(WorkspaceChangeBody))
          const workspace = yield* administration.updateWorkspace(params.id, change)
          return yield* answer(toWorkspaceBody(workspace))
        }, Effect.catchTags(updateRefusals))
      )
      .handleRaw(
        "setMember",
        Effect.fnUntraced(function* ({ params }) {
          const userId = yield* readUserId(params.user_id)
          const { role } = yield* readJson(RoleBody)
          const outcome = yield* administration.setMember(params.id, userId, role)
          const body = yield* answer({ workspace_id: params.id, user_id: userId, role })
          // Two successes with one body: the schema cannot tell them apart.
          return HttpServerResponse.jsonUnsafe(body, { status: outcome === "created" ? 201 : 200 })
        }, Effect.catchTags(setMemberRefusals))
      )
      .handleRaw(
        "issueKey",
        Effect.fnUntraced(function* ({ params }) {
          const body = yield* readJson(NewApiKeyBody)
          const issued = yield* administration.issueKey(params.id, {
            name: body.name,
            creatorUserId: Option.fromNullishOr(body.creator_user_id),
            expiresAt: yield* readExpiry(body.expires_at)
          })
          return yield* answer({ ...toApiKeyBody(issued.key), key: Redacted.value(issued.text) })
        }, Effect.catchTags(issueKeyRefusals))
      )
      .handleRaw(
        "advanceClock",
        Effect.fnUntraced(function* () {
          const by = yield* Effect.flatMap(readJson(AdvanceBody), ({ advance }) => readAdvance(advance))
          // The edge knows no such route in a host without a test clock.
          const advance = yield* Effect.fromOption(advanceClock).pipe(Effect.orDie)
          return yield* answer({ now: DateTime.formatIso(yield* advance(by)) })
        }, Effect.catchTags(clockRefusals))
      )
      .handleAll({
        listWorkspaces: Effect.fnUntraced(function* ({ query }) {
          const use = { list: "workspaces", workspaceId: "", filters: [] }
          const after = yield* cursors.open(use, query.cursor)
          const page = yield* administration.listWorkspaces({ limit: query.limit ?? defaultLimit, after })
          return yield* toPageBody(cursors, use, page, toWorkspaceBody)
        }, Effect.catchTags(listRefusals)),
        findWorkspace: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toWorkspaceBody(yield* administration.findWorkspace(params.id)))
        }, Effect.catchTags(workspaceRefusals)),
        eraseWorkspace: Effect.fnUntraced(function* ({ params }) {
          yield* administration.eraseWorkspace(params.id)
        }, Effect.catchTags(workspaceRefusals)),
        removeMember: Effect.fnUntraced(function* ({ params }) {
          yield* administration.removeMember(params.id, yield* readUserId(params.user_id))
        }, Effect.catchTags(removeMemberRefusals)),
        listKeys: Effect.fnUntraced(function* ({ params, query }) {
          const use = { list: "api-keys", workspaceId: params.id, filters: [] }
          const after = yield* cursors.open(use, query.cursor)
          const page = yield* administration.listKeys(params.id, { limit: query.limit ?? defaultLimit, after })
          return yield* toPageBody(cursors, use, page, toApiKeyBody)
        }, Effect.catchTags(listKeysRefusals)),
        revokeKey: Effect.fnUntraced(function* ({ params }) {
          yield* administration.revokeKey(params.id, params.key_id)
        }, Effect.catchTags(revokeKeyRefusals))
      })
  })
)
