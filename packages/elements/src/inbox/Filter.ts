import type { Thread } from "./records.ts"

/** The tabs above the list. */
export const views = ["mine", "nobody", "all", "resolved", "snoozed"] as const

export type View = (typeof views)[number]

/** Which conversations are listed. */
export interface Filter {
  readonly view: View
  /** Words that an item or a note has. */
  readonly query: string
  readonly source: string
  readonly label: string
  readonly unread: boolean
}

export const noFilter: Filter = { view: "all", query: "", source: "", label: "", unread: false }

export const isView = (text: string): text is View => views.some((view) => view === text)

/** The filter as members of `GET /v1/inbox/threads`. */
export const queryOf = (filter: Filter, agent: string) => ({
  ...(filter.view === "mine" ? { thread_status: "assigned" as const, assigned_to: agent } : {}),
  ...(filter.view === "nobody" ? { thread_status: "open" as const } : {}),
  ...(filter.view === "resolved" ? { thread_status: "resolved" as const } : {}),
  ...(filter.view === "snoozed" ? { thread_status: "snoozed" as const } : {}),
  ...(filter.query.trim() === "" ? {} : { q: filter.query.trim() }),
  ...(filter.source === "" ? {} : { source: filter.source }),
  ...(filter.label === "" ? {} : { label: filter.label }),
  ...(filter.unread ? { is_unread: true } : {})
})

const isSnoozed = (thread: Thread, now: Date): boolean =>
  thread.snoozed_until !== null && Date.parse(thread.snoozed_until) > now.getTime()

const isInView = (thread: Thread, view: View, agent: string, now: Date): boolean => {
  switch (view) {
    case "mine":
      return thread.thread_status === "assigned" && thread.assigned_to === agent && !isSnoozed(thread, now)
    case "nobody":
      return thread.thread_status === "open" && !isSnoozed(thread, now)
    case "resolved":
      return thread.thread_status === "resolved"
    case "snoozed":
      return isSnoozed(thread, now)
    case "all":
      return true
  }
}

/** Whether a thread belongs into the list; of words only the host knows, so they are not judged here. */
export const matches = (thread: Thread, filter: Filter, agent: string, now: Date): boolean =>
  isInView(thread, filter.view, agent, now) &&
  (filter.source === "" || thread.source === filter.source) &&
  (filter.label === "" ||
    thread.labels.some((label) => label.toLocaleLowerCase() === filter.label.toLocaleLowerCase())) &&
  (!filter.unread || thread.unread_count > 0)
