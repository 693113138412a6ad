import type { components } from "@loopbox/client"

type Post = components["schemas"]["Post"]
type PostTarget = components["schemas"]["PostTarget"]

/** What one account gets otherwise than the others. */
export interface OwnPart {
  /** Null: that of the post. */
  readonly text: string | null
  readonly firstComment: string
  /** As another program wrote them into a draft; this page leaves them as they are. */
  readonly mediaIds: ReadonlyArray<string> | null
  readonly options: PostTarget["options"]
}

/** A post as it is written. */
export interface PostDraft {
  readonly text: string
  readonly accountIds: ReadonlyArray<string>
  /** By account; an account that was taken out and put in again has its part still. */
  readonly own: Readonly<Record<string, OwnPart>>
  readonly mediaIds: ReadonlyArray<string>
  readonly when: "now" | "later" | "draft"
  /** As an input of type `datetime-local` has it: the reader's own time, without a zone. */
  readonly at: string
  /** The kept draft that it changes; absent for a new post. */
  readonly changes?: string | undefined
}

export const emptyPost: PostDraft = { text: "", accountIds: [], own: {}, mediaIds: [], when: "now", at: "" }

const nothingOwn: OwnPart = { text: null, firstComment: "", mediaIds: null, options: {} }

/** What an account gets otherwise; nothing where nothing was written. */
export const ownPart = ({ own }: PostDraft, accountId: string): OwnPart => own[accountId] ?? nothingOwn

/** The same draft with another part for an account. */
export const withOwn = (draft: PostDraft, accountId: string, change: Partial<OwnPart>): PostDraft => ({
  ...draft,
  own: { ...draft.own, [accountId]: { ...ownPart(draft, accountId), ...change } }
})

/** A local time as a moment; null where none is chosen. */
export const momentOf = (at: string): string | null => {
  const moment = new Date(at)
  return at === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** A moment as an input of type `datetime-local` takes it. */
export const localTime = (moment: string): string => {
  const at = new Date(moment)
  const two = (part: number): string => String(part).padStart(2, "0")
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

const targetBody = (draft: PostDraft, social_account_id: string) => {
  const { firstComment, mediaIds, options, text } = ownPart(draft, social_account_id)
  return {
    social_account_id,
    ...(text === null ? {} : { text }),
    ...(mediaIds === null ? {} : { media_ids: [...mediaIds] }),
    ...(firstComment.trim() === "" ? {} : { first_comment: firstComment }),
    ...(Object.keys(options).length === 0 ? {} : { options })
  }
}

const content = (draft: PostDraft) => ({
  text: draft.text === "" ? null : draft.text,
  media_ids: [...draft.mediaIds],
  targets: draft.accountIds.map((id) => targetBody(draft, id))
})

/** What the API takes for a new post. */
export const postBody = (draft: PostDraft) => ({
  ...content(draft),
  ...(draft.when === "later" ? { scheduled_at: momentOf(draft.at) } : {}),
  ...(draft.when === "draft" ? { status: "draft" as const } : {})
})

/** What the API takes for a change of a kept draft: all of it, its time too. */
export const changeBody = (draft: PostDraft) => ({
  ...content(draft),
  scheduled_at: draft.when === "later" ? momentOf(draft.at) : null
})

/** A kept draft, to be written on. */
export const draftOf = ({ id, media_ids, scheduled_at, targets, text }: Post): PostDraft => ({
  text: text ?? "",
  accountIds: targets.map(({ social_account_id }) => social_account_id),
  own: Object.fromEntries(
    targets.map((target) => [
      target.social_account_id,
      {
        text: target.text,
        firstComment: target.first_comment ?? "",
        mediaIds: target.media_ids,
        options: target.options
      }
    ])
  ),
  mediaIds: media_ids,
  when: scheduled_at === null ? "draft" : "later",
  at: scheduled_at === null ? "" : localTime(scheduled_at),
  changes: id
})

/** Which of a draft's accounts a path like `targets[1].text` is about; undefined for what is about all. */
export const accountOf = (path: string, { accountIds }: PostDraft): string | undefined => {
  const at = /^targets\[(\d+)\]/.exec(path)?.[1]
  return at === undefined ? undefined : accountIds[Number(at)]
}

/** Whether the API takes another try: only of what failed, and where that can help. */
export const mayRetry = ({ error, status }: Pick<PostTarget, "error" | "status">): boolean =>
  status === "failed" && error?.retryable === true
