import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { PostWarning } from "../../items/ShownPost.ts"
import { MediaId, SocialAccountId } from "../../kernel/Ids.ts"
import type { PublishDescription } from "../../networks/publishing/NetworkPublish.ts"
import type { MediaShape } from "../../networks/publishing/Publication.ts"
import type { PublishFault, PublishWarning } from "../../networks/publishing/PublishRules.ts"
import type { PostIssue } from "../PostErrors.ts"
import { judgeMedia } from "./judgeMedia.ts"
import { judgeOptions } from "./judgeOptions.ts"
import { judgeComment, judgeText, judgeTextOf } from "./judgeText.ts"
import { mediaIdsOf, type PostInput, type TargetInput, textOf } from "../PostInput.ts"

/** What is known of a target's account. */
export interface AccountFacts {
  readonly isConnected: boolean
  /** Permissions that publishing needs and its token lacks. */
  readonly missingScopes: ReadonlyArray<string>
  /** Absent if nothing is published to its network. */
  readonly publish: Option.Option<PublishDescription>
}

/** What is known of everything that a post names; what is not in a map does not exist. */
export interface PostFacts {
  readonly accounts: ReadonlyMap<string, AccountFacts>
  /** `none`: its upload is not finished. */
  readonly media: ReadonlyMap<string, Option.Option<MediaShape>>
}

/** All that is wrong with a post, and what its author should know. */
export interface Judgement {
  readonly issues: ReadonlyArray<PostIssue>
  readonly warnings: ReadonlyArray<PostWarning>
}

/** Targets of one post. */
export const maxTargets = 50

const soonest = { seconds: 60 } as const
const farthest = { days: 90 } as const

interface TargetJudgement {
  readonly faults: ReadonlyArray<PublishFault>
  readonly warnings: ReadonlyArray<PublishWarning>
}

const toIssue = ({ actual, code, limit, message, path }: PublishFault): PostIssue => ({
  path,
  code,
  message,
  actual: Option.fromUndefinedOr(actual),
  limit: Option.fromUndefinedOr(limit)
})

/** Whether a post may go out at a time. Pure. */
export const judgeSchedule = (at: Option.Option<DateTime.Utc>, now: DateTime.Utc): ReadonlyArray<PostIssue> => {
  if (Option.isNone(at)) return []
  const first = DateTime.add(now, soonest)
  const last = DateTime.add(now, farthest)
  const fault = { path: "scheduled_at", actual: DateTime.formatIso(at.value) }
  if (DateTime.isLessThan(at.value, first)) {
    const message = "A post may be scheduled at least 60 seconds ahead."
    return [toIssue({ ...fault, code: "scheduled_too_soon", message, limit: DateTime.formatIso(first) })]
  }
  if (DateTime.isGreaterThan(at.value, last)) {
    const message = "A post may be scheduled at most 90 days ahead."
    return [toIssue({ ...fault, code: "scheduled_too_far", message, limit: DateTime.formatIso(last) })]
  }
  return []
}

/**
 * What a draft must fulfil, too: how many targets, and each account once. An account that is undefined is not known to be
 * one. Pure.
 */
export const judgeTargetAccounts = (accountIds: ReadonlyArray<string | undefined>): ReadonlyArray<PostIssue> => {
  const issues: Array<PublishFault> = []
  const actual = accountIds.length
  if (actual === 0) {
    issues.push({ path: "targets", code: "missing_required", message: "A post needs at least one target." })
  }
  if (actual > maxTargets) {
    const message = `A post may have at most ${maxTargets} targets.`
    issues.push({ path: "targets", code: "max_targets_exceeded", message, actual, limit: maxTargets })
  }
  accountIds.forEach((accountId, i) => {
    if (accountId !== undefined && accountIds.indexOf(accountId) < i) {
      const message = "An account may be a target once."
      issues.push({ path: `targets[${i}].social_account_id`, code: "duplicate_target", message })
    }
  })
  return issues.map(toIssue)
}

const judgeTargets = ({ targets }: PostInput): ReadonlyArray<PostIssue> =>
  judgeTargetAccounts(targets.map(({ accountId }) => accountId))

const isAccountId = Schema.is(SocialAccountId)
const isMediaId = Schema.is(MediaId)

/** Ids that can't be any account's or file's; what is well formed may still come to exist. */
const judgeIds = ({ mediaIds, targets }: PostInput): ReadonlyArray<PostIssue> => {
  const fault = (path: string, actual: string, code: PublishFault["code"]): PostIssue =>
    toIssue({ path, code, message: "This is not an id of that kind.", actual })
  const badMedia = (ids: ReadonlyArray<string>, path: string) =>
    ids.flatMap((id, i) => (isMediaId(id) ? [] : [fault(`${path}media_ids[${i}]`, id, "media_not_found")]))
  return [
    ...badMedia(mediaIds, ""),
    ...targets.flatMap(({ accountId, mediaIds: own }, i) => [
      ...(isAccountId(accountId) ? [] : [fault(`targets[${i}].social_account_id`, accountId, "account_not_found")]),
      ...badMedia(
        Option.getOrElse(own, () => []),
        `targets[${i}].`
      )
    ])
  ]
}

/** Judges the form of a draft; the rest is judged when it is published. Pure. */
export const judgeDraft = (post: PostInput, now: DateTime.Utc): ReadonlyArray<PostIssue> => [
  ...judgeTargets(post),
  ...judgeSchedule(post.scheduledAt, now),
  ...judgeIds(post)
]

const judgeAccount = (account: AccountFacts | undefined): ReadonlyArray<PublishFault> => {
  const path = "social_account_id"
  if (account === undefined) {
    return [{ path, code: "account_not_found", message: "There is no such account." }]
  }
  if (Option.isNone(account.publish)) {
    return [{ path, code: "publishing_unsupported", message: "Nothing can be published to this network." }]
  }
  if (!account.isConnected) {
    return [{ path, code: "account_not_connected", message: "The account must be connected again." }]
  }
  const missing = account.missingScopes.join(", ")
  const message = `The account's token lacks permissions that publishing needs: ${missing}.`
  return missing === "" ? [] : [{ path, code: "missing_scopes", message, limit: missing }]
}

const judgeFiles = (media: PostFacts["media"], ids: ReadonlyArray<string>): ReadonlyArray<PublishFault> =>
  ids.flatMap((id, i): ReadonlyArray<PublishFault> => {
    const path = `media_ids[${i}]`
    const found = media.get(id)
    if (found === undefined) return [{ path, code: "media_not_found", message: "There is no such file.", actual: id }]
    return Option.isNone(found)
      ? [{ path, code: "media_not_ready", message: "The upload of this file is not finished.", actual: id }]
      : []
  })

const judgeByNetwork = (
  publish: PublishDescription,
  post: PostInput,
  target: TargetInput,
  files: ReadonlyMap<string, Option.Option<MediaShape>>
): TargetJudgement => {
  const text = textOf(post, target)
  const ids = mediaIdsOf(post, target)
  const comment = Option.getOrElse(target.firstComment, () => "")
  const faults = [
    ...judgeText(publish, text),
    ...judgeComment(publish, comment),
    ...judgeOptions(publish, target.options, ids)
  ]
  const media = ids.flatMap((id) => Option.toArray(files.get(id) ?? Option.none()))
  // What it is at the network depends on its files.
  if (media.length < ids.length) return { faults, warnings: [] }
  const choice = publish.choose({ text, media, options: target.options })
  const rule = publish.rules.find(({ kind }) => kind === choice.kind)
  if (rule === undefined) return { faults: [...faults, ...choice.faults], warnings: choice.warnings }
  const ofText = judgeTextOf(rule, text, media)
  return {
    faults: [...faults, ...choice.faults, ...ofText.faults, ...judgeMedia(rule, media)],
    warnings: [...choice.warnings, ...ofText.warnings]
  }
}

const judgeTarget = (post: PostInput, target: TargetInput, { accounts, media }: PostFacts): TargetJudgement => {
  const account = accounts.get(target.accountId)
  const publish = account?.publish ?? Option.none()
  const ofNetwork = Option.match(publish, {
    onNone: (): TargetJudgement => ({ faults: [], warnings: [] }),
    onSome: (known) => judgeByNetwork(known, post, target, media)
  })
  return {
    faults: [...judgeAccount(account), ...judgeFiles(media, mediaIdsOf(post, target)), ...ofNetwork.faults],
    warnings: ofNetwork.warnings
  }
}

/** Judges a post as if it were to go out: all issues at once, with their paths in the request. Pure. */
export const judgePost = (post: PostInput, facts: PostFacts, now: DateTime.Utc): Judgement => {
  const targets = post.targets.slice(0, maxTargets).map((target) => judgeTarget(post, target, facts))
  // An empty path names the target itself.
  const place = (i: number, path: string) => (path === "" ? `targets[${i}]` : `targets[${i}].${path}`)
  return {
    issues: [
      ...judgeTargets(post),
      ...judgeSchedule(post.scheduledAt, now),
      ...targets.flatMap(({ faults }, i) => faults.map((fault) => toIssue({ ...fault, path: place(i, fault.path) })))
    ],
    warnings: targets.flatMap(({ warnings }, i) =>
      warnings.map((warning) => ({ ...warning, path: place(i, warning.path) }))
    )
  }
}
