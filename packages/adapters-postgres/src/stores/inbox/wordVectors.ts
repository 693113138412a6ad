import * as Option from "effect/Option"
import type { LiveItem } from "@loopbox/core/items/StoredItem"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { indexTerms, indexWords } from "@loopbox/core/search/indexWords"
import type { SearchQuery } from "@loopbox/core/search/SearchQuery"

/** Characters of a workspace's id that stand before its words. */
const markLength = 8

/**
 * What stands before each word of a workspace: the end of its id, which is random. So an index of words alone leads to the
 * workspace's own rows, without the extension that could put two columns into one. Two workspaces may have the same mark:
 * the statements compare the whole id as well.
 */
const markOf = (workspaceId: WorkspaceId): string => workspaceId.slice(-markLength)

/** Words have letters, digits, marks and symbols only: nothing in them could end the quotes. */
const quoted = (workspaceId: WorkspaceId, word: string): string => `'${markOf(workspaceId)}:${word}'`

/** Words as a `tsvector`. */
export const toVector = (workspaceId: WorkspaceId, texts: ReadonlyArray<string>): string =>
  indexWords(texts)
    .map((word) => quoted(workspaceId, word))
    .join(" ")

/** The texts in which an item is found. */
export const searchedTexts = ({ authorName, body }: Pick<LiveItem, "authorName" | "body">): ReadonlyArray<string> => [
  body,
  ...Option.toArray(authorName)
]

/** A search as a `tsquery`. */
export const toTsQuery = (workspaceId: WorkspaceId, search: SearchQuery): string =>
  indexTerms(search)
    .map(({ isPrefix, word }) => `${quoted(workspaceId, word)}${isPrefix ? ":*" : ""}`)
    .join(" & ")
