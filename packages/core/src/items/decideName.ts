import * as Option from "effect/Option"
import { type InboxEvent, itemUpdated } from "./InboxEvent.ts"
import type { InboxItem } from "./InboxItem.ts"
import type { LiveItem } from "./StoredItem.ts"

/** The stored profile of a person. */
export interface KnownPerson {
  readonly name: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
}

type Named = Pick<LiveItem, "authorId" | "authorName" | "authorAvatarUrl" | "isOwn">

/** Whether an item has an author whose name is missing. */
export const isNameless = (item: Named): boolean =>
  !item.isOwn && Option.isSome(item.authorId) && Option.isNone(item.authorName)

/** The item with its author's name; existing values stay. */
export const withName = <A extends Named>(item: A, person: KnownPerson): A =>
  isNameless(item)
    ? {
        ...item,
        authorName: person.name,
        authorAvatarUrl: Option.orElse(item.authorAvatarUrl, () => person.avatarUrl)
      }
    : item

/** What a store writes when the name of a person becomes known, in one transaction. */
export interface NameChange {
  readonly items: ReadonlyArray<InboxItem>
  readonly events: ReadonlyArray<InboxEvent>
}

/** Adds a person's name to their items without one. A person without a name changes nothing. */
export const decideName = (personId: string, person: KnownPerson, items: ReadonlyArray<InboxItem>): NameChange => {
  if (Option.isNone(person.name)) return { items: [], events: [] }
  const named = items
    .filter((item) => isNameless(item) && Option.contains(item.authorId, personId))
    .map((item) => withName(item, person))
  return { items: named, events: named.map(itemUpdated) }
}
