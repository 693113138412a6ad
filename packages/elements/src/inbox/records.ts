import type { components } from "@loopbox/client"

type Schemas = components["schemas"]

/** A conversation, as the API tells it. */
export type Thread = Schemas["InboxThread"]
/** Something that was written or sent in one. */
export type Item = Schemas["InboxItem"]
export type Account = Schemas["ConnectedAccount"]
export type Note = Schemas["Note"]
export type Operation = Schemas["OutboundOperation"]
export type SavedReply = Schemas["SavedReply"]
export type MediaContext = Schemas["MediaContext"]

/** Below zero where `a` is the newer of the two; by the order that the API lists in. */
export const newerFirst = (atA: string, idA: string, atB: string, idB: string): number => {
  const difference = Date.parse(atB) - Date.parse(atA)
  if (difference !== 0) return difference
  return idA < idB ? 1 : idA > idB ? -1 : 0
}
