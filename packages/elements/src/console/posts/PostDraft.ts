import type { components } from "@loopbox/client"

/** A post as it is written. */
export interface PostDraft {
  readonly text: string
  readonly accountIds: ReadonlyArray<string>
  readonly mediaId: string
  readonly when: "now" | "later" | "draft"
  /** As an input of type `datetime-local` has it: the reader's own time, without a zone. */
  readonly at: string
}

export const emptyPost: PostDraft = { text: "", accountIds: [], mediaId: "", when: "now", at: "" }

/** A local time as a moment; null where none is chosen. */
const momentOf = (at: string): string | null => {
  const moment = new Date(at)
  return at === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** What the API takes for a draft. */
export const postBody = ({ accountIds, at, mediaId, text, when }: PostDraft) => ({
  text: text === "" ? null : text,
  media_ids: mediaId === "" ? [] : [mediaId],
  targets: accountIds.map((social_account_id) => ({ social_account_id })),
  ...(when === "later" ? { scheduled_at: momentOf(at) } : {}),
  ...(when === "draft" ? { status: "draft" as const } : {})
})

/** Which of a draft's accounts a path like `targets[1].text` is about; undefined for what is about all. */
export const accountOf = (path: string, { accountIds }: PostDraft): string | undefined => {
  const at = /^targets\[(\d+)\]/.exec(path)?.[1]
  return at === undefined ? undefined : accountIds[Number(at)]
}

/** Whether the API takes another try: only of what failed, and where that can help. */
export const mayRetry = ({ error, status }: Pick<components["schemas"]["PostTarget"], "error" | "status">): boolean =>
  status === "failed" && error?.retryable === true
