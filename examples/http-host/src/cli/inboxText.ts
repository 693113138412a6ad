import type { EventBody } from "@loopbox/adapters-http/api/inbox/EventBody"
import type { ItemBody } from "@loopbox/adapters-http/api/inbox/ItemBody"
import { toTable } from "./output.ts"

/** Strangers write this: nothing in it may move the cursor, change colours or turn the line around. */
export const onOneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .trim()

const cut = (text: string, width: number): string => {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(1, width - 1)).join("")}…`
}

/** What an item says, on one line; what it shows, where it says nothing. */
export const saying = ({ attachments, body }: ItemBody): string =>
  body === "" && attachments.length > 0 ? `[${attachments.map(({ type }) => type).join(", ")}]` : onOneLine(body)

const stateOf = ({ assigned_to, is_own, is_read, thread_status }: ItemBody): string => {
  const thread =
    thread_status === "open"
      ? []
      : [assigned_to === null ? thread_status : `${thread_status} ${onOneLine(assigned_to)}`]
  return [is_own ? "own" : is_read ? "read" : "unread", ...thread].join(", ")
}

const least = 20

/** Items as a table; on a terminal the last column is cut to what is left of `columns`. */
export const itemTable = (items: ReadonlyArray<ItemBody>, columns: number | undefined): string => {
  const rows = items.map((item) => [
    item.id,
    `${item.received_at.slice(0, 10)} ${item.received_at.slice(11, 16)}`,
    item.source,
    stateOf(item),
    cut(onOneLine(item.author_name), least)
  ])
  const names = ["ID", "RECEIVED", "SOURCE", "STATE", "FROM"]
  const taken = names.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)) + 2)
  const width = columns === undefined ? Infinity : Math.max(least, columns - taken.reduce((sum, one) => sum + one, 0))
  return toTable(
    [...names, "TEXT"],
    rows.map((row, at) => {
      const item = items[at]
      return [...row, item === undefined ? "" : cut(saying(item), width)]
    })
  )
}

const written = (item: ItemBody): string =>
  `${item.id}  ${item.source}  ${item.is_own ? "(own) " : ""}${onOneLine(item.author_name)}: ${saying(item)}`

const whatHappened = (event: EventBody): readonly [string, string] => {
  switch (event.type) {
    case "inbox.new_item":
      return ["new", written(event.item)]
    case "inbox.item_updated":
      return ["changed", written(event.item)]
    case "inbox.item_deleted":
      return ["deleted", event.item_id]
    case "inbox.items_read":
      return ["read", event.marked === null ? `all up to event ${event.up_to_seq}` : `${event.marked} items`]
    case "inbox.thread_updated": {
      const whom = event.assigned_to === null ? "" : ` to ${onOneLine(event.assigned_to)}`
      return ["thread", `${event.thread_key}  ${event.thread_status}${whom}`]
    }
    case "inbox.note_added": {
      const { author, id, text, thread_id } = event.note
      return ["note", `${id}  on ${thread_id}  ${author === null ? "" : `${onOneLine(author)}: `}${onOneLine(text)}`]
    }
    case "inbox.note_deleted":
      return ["note deleted", `${event.note_id}  on ${event.thread_id}`]
    case "inbox.reply_updated": {
      const { error, id, item_id, status } = event.operation
      return ["reply", `${id}  to ${item_id}  ${status}${error === null ? "" : `: ${onOneLine(error.message)}`}`]
    }
    case "inbox.sync_complete":
      return ["synced", `${event.new_items} new items`]
    case "inbox.account_moved":
      return ["account", `${event.social_account_id}  has moved: list anew`]
    case "account.connected":
    case "account.attention":
    case "account.disconnected": {
      const { health, id, network, status } = event.account
      const problems = health.problems.map(({ code }) => code).join(", ")
      const what =
        event.type === "account.attention" ? `${status}, ${health.status}` : event.type.slice("account.".length)
      return ["account", `${id}  ${network}  ${what}${problems === "" ? "" : `: ${problems}`}`]
    }
    case "post.published":
    case "post.partial":
    case "post.failed":
    case "post.target_updated": {
      const { id, status, targets } = event.post
      return [
        "post",
        `${id}  ${status}  ${targets.map((one) => `${one.network ?? "unknown"} ${one.status}`).join(", ")}`
      ]
    }
    case "webhook_endpoint.failing":
      return ["webhook", `${event.endpoint.id}  ${event.endpoint.status}  ${onOneLine(event.endpoint.url)}`]
  }
}

/** An event as a line for people. */
export const eventLine = (event: EventBody): string => {
  const [what, about] = whatHappened(event)
  return `${event.at.slice(11, 19)}  ${what.padEnd(7)}  ${about}`
}
