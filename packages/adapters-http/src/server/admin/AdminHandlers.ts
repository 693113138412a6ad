import { Administration, judgeLimits } from "@loopbox/core/access/Administration"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import type { MemberPage } from "@loopbox/core/workspaces/Members"
import { type Plan, plans } from "@loopbox/core/workspaces/Plan"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  AdvanceBody,
  LimitsChange,
  NewApiKeyBody,
  NewWorkspaceBody,
  parseAdvance,
  parseExpiry,
  RoleBody,
  toApiKeyBody,
  toMemberBody,
  toWorkspaceBody,
  UserId,
  userIdRule,
  WorkspaceBody,
  WorkspaceChangeBody
} from "../../api/admin/AdminBodies.ts"
import { Api } from "../../api/Api.ts"
import type { Issue } from "../../api/ErrorBody.ts"
import {
  clockRefusals,
  createRefusals,
  issueKeyRefusals,
  limitsNeedEnterprise,
  listRefusals,
  pageRefusals,
  memberRefusals,
  removeMemberRefusals,
  keyRefusals,
  setMemberRefusals,
  updateRefusals,
  workspaceRefusals
} from "./adminRefusals.ts"
import { answerPage, Cursors } from "../edge/Cursors.ts"
import { listUse } from "../edge/listUse.ts"
import { HttpSettings } from "../system/HttpSettings.ts"
import { InvalidRequest, placesOf } from "../edge/issues.ts"
import { type GivenBody, readJson } from "../edge/readJson.ts"
import { answer } from "../edge/refuse.ts"

/** What is in answers about a workspace. */
const answers = placesOf(WorkspaceBody)

const toLimitOverrides = (limits: typeof LimitsChange.Type | null | undefined) => ({
  activeJobs: Option.fromNullishOr(limits?.active_jobs),
  conversionsPer24Hours: Option.fromNullishOr(limits?.gif_conversions_per_24h)
})

const toWorkspaceChange = ({ limits, name, plan }: typeof WorkspaceChangeBody.Type) => ({
  name: name ?? undefined,
  plan: plan ?? undefined,
  limits: { activeJobs: limits?.active_jobs, conversionsPer24Hours: limits?.gif_conversions_per_24h }
})

const isUserId = Schema.is(UserId)

/** The user in the path, or what is wrong with it. */
const judgeUserId = (given: string): ReadonlyArray<Issue> =>
  isUserId(given) ? [] : [{ path: "user_id", message: userIdRule }]

const isPlan = Schema.is(Schema.Literals(plans))

const numberIn = (limits: unknown, name: string) =>
  Predicate.hasProperty(limits, name) ? Option.liftPredicate(limits[name], Predicate.isNumber) : Option.none()

/** What is wrong with the limits of a body on a plan. */
const limitsFaults = ({ limits }: GivenBody["given"], plan: Plan): ReadonlyArray<Issue> => {
  const asked = {
    activeJobs: numberIn(limits, "active_jobs"),
    conversionsPer24Hours: numberIn(limits, "gif_conversions_per_24h")
  }
  return Result.isFailure(judgeLimits({ plan, limits: asked })) ? [limitsNeedEnterprise] : []
}

/** Where the request names the plan, its limits can be judged without the workspace. */
const limitsRules = ({ given }: GivenBody) =>
  Effect.succeed(isPlan(given["plan"]) ? limitsFaults(given, given["plan"]) : [])

/**
 * Where it names none, they are judged by the plan that the workspace has: here only beside other faults, for a body without
 * any is judged by the change itself. One that is not there, or cannot be read now, adds nothing to the faults.
 */
const changeRules = (findWorkspace: Administration["Service"]["findWorkspace"], id: string) => (body: GivenBody) => {
  const { faults, given } = body
  if (!Predicate.isNullish(given["plan"]) || faults.length === 0) return limitsRules(body)
  return findWorkspace(id).pipe(
    Effect.map(({ plan }) => limitsFaults(given, plan)),
    Effect.catchTags({
      WorkspaceNotFound: () => Effect.succeed([]),
      StoreUnavailable: () => Effect.succeed([])
    })
  )
}

const expiryRules = ({ given: { expires_at: given } }: GivenBody) =>
  Effect.map(DateTime.now, (now) => {
    const expiresAt = Predicate.isString(given) ? parseExpiry(given) : Option.none()
    return Option.exists(expiresAt, (at) => DateTime.isLessThanOrEqualTo(at, now))
      ? [{ path: "expires_at", message: "must be in the future" }]
      : []
  })

/** Members are sorted by their names alone: the time in their cursors says nothing. */
const noTime = DateTime.makeUnsafe(0)

const toMemberRequest = ({ after, limit }: PageRequest) => ({ limit, after: Option.map(after, ({ id }) => id) })

const toKeyedPage = ({ items, next }: MemberPage) => ({
  items,
  next: Option.map(next, (id) => ({ createdAt: noTime, id }))
})

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
          const { limits, name, plan } = yield* readJson(NewWorkspaceBody, { rules: limitsRules, answers })
          const workspace = yield* administration.createWorkspace({ name, plan, limits: toLimitOverrides(limits) })
          return yield* answer(toWorkspaceBody(workspace))
        }, Effect.catchTags(createRefusals))
      )
      .handleRaw(
        "updateWorkspace",
        Effect.fnUntraced(function* ({ params }) {
          const rules = changeRules(administration.findWorkspace, params.id)
          const change = toWorkspaceChange(yield* readJson(WorkspaceChangeBody, { rules, answers }))
          const workspace = yield* administration.updateWorkspace(params.id, change)
          return yield* answer(toWorkspaceBody(workspace))
        }, Effect.catchTags(updateRefusals))
      )
      .handleRaw(
        "setMember",
        Effect.fnUntraced(function* ({ params }) {
          const userId = params.user_id
          const { role } = yield* readJson(RoleBody, { beside: judgeUserId(userId) })
          const outcome = yield* administration.setMember(params.id, userId, role)
          const body = yield* answer(toMemberBody(params.id, { userId, role }))
          // Two successes with one body: the schema cannot tell them apart.
          return HttpServerResponse.jsonUnsafe(body, { status: outcome === "created" ? 201 : 200 })
        }, Effect.catchTags(setMemberRefusals))
      )
      .handleRaw(
        "issueKey",
        Effect.fnUntraced(function* ({ params }) {
          const body = yield* readJson(NewApiKeyBody, { rules: expiryRules })
          const issued = yield* administration.issueKey(params.id, {
            name: body.name,
            creatorUserId: Option.fromNullishOr(body.creator_user_id),
            expiresAt: Option.flatMap(Option.fromNullishOr(body.expires_at), parseExpiry)
          })
          return yield* answer({ ...toApiKeyBody(issued.key), key: Redacted.value(issued.text) })
        }, Effect.catchTags(issueKeyRefusals))
      )
      .handleRaw(
        "advanceClock",
        Effect.fnUntraced(function* () {
          const by = Option.getOrThrow(parseAdvance((yield* readJson(AdvanceBody)).advance))
          // The edge knows no such route in a host without a test clock.
          const advance = yield* Effect.fromOption(advanceClock).pipe(Effect.orDie)
          return yield* answer({ now: DateTime.formatIso(yield* advance(by)) })
        }, Effect.catchTags(clockRefusals))
      )
      .handleAll({
        listWorkspaces: Effect.fnUntraced(function* ({ query }) {
          const use = listUse("workspaces", "", query)
          return yield* answerPage(cursors, use, query, (page) => administration.listWorkspaces(page), toWorkspaceBody)
        }, Effect.catchTags(listRefusals)),
        findWorkspace: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toWorkspaceBody(yield* administration.findWorkspace(params.id)))
        }, Effect.catchTags(workspaceRefusals)),
        eraseWorkspace: Effect.fnUntraced(function* ({ params }) {
          yield* administration.eraseWorkspace(params.id)
        }, Effect.catchTags(workspaceRefusals)),
        listMembers: Effect.fnUntraced(function* ({ params, query }) {
          const use = listUse("members", params.id, query)
          return yield* answerPage(
            cursors,
            use,
            query,
            (page) => Effect.map(administration.listMembers(params.id, toMemberRequest(page)), toKeyedPage),
            (member) => toMemberBody(params.id, member)
          )
        }, Effect.catchTags(pageRefusals)),
        findMember: Effect.fnUntraced(function* ({ params }) {
          const member = yield* administration.findMember(params.id, params.user_id)
          return yield* answer(toMemberBody(params.id, member))
        }, Effect.catchTags(memberRefusals)),
        removeMember: Effect.fnUntraced(function* ({ params }) {
          const issues = judgeUserId(params.user_id)
          if (issues.length > 0) return yield* new InvalidRequest({ issues })
          yield* administration.removeMember(params.id, params.user_id)
        }, Effect.catchTags(removeMemberRefusals)),
        listKeys: Effect.fnUntraced(function* ({ params, query }) {
          const use = listUse("api-keys", params.id, query)
          return yield* answerPage(
            cursors,
            use,
            query,
            (page) => administration.listKeys(params.id, page),
            toApiKeyBody
          )
        }, Effect.catchTags(pageRefusals)),
        findKey: Effect.fnUntraced(function* ({ params }) {
          return yield* answer(toApiKeyBody(yield* administration.findKey(params.id, params.key_id)))
        }, Effect.catchTags(keyRefusals)),
        revokeKey: Effect.fnUntraced(function* ({ params }) {
          yield* administration.revokeKey(params.id, params.key_id)
        }, Effect.catchTags(keyRefusals))
      })
  })
)
