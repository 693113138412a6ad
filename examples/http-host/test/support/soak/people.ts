import { Effect } from "effect"
import type { Writing } from "@loopbox/adapters-social/sandbox/Writing"
import { accounts, type Networks } from "./networks.ts"
import { type Chance, one } from "./lanes.ts"

interface Written {
  readonly network: (typeof accounts)[number]["network"]
  readonly kind: "comment" | "message"
  readonly id: string
}

/** What their authors can change later, at most. */
const mostKept = 40

/** Nobody edits a comment on Instagram, or on Threads anything. */
const isEditable = ({ kind, network }: Written): boolean =>
  network === "facebook" || network === "x" || (network === "instagram" && kind === "message")

/** Of the others a host hears late or never. */
const isDeletionTold = ({ kind, network }: Written): boolean =>
  network !== "x" && (network !== "instagram" || kind === "message")

/** People who write to the accounts, edit, delete; what the networks tell of it comes twice or late at times. */
export const makePeople = ({ sandbox }: Networks) => {
  const written: Array<Written> = []
  const untold = new Set<string>()
  let count = 0
  const step = async (next: Chance): Promise<void> => {
    const faults = { times: next(8) === 0 ? 2 : 1, delay_ms: next(5) === 0 ? next(3_000) : 0 }
    const choice = next(20)
    if (choice < 3) {
      const meant = one(written.filter(isEditable), next)
      if (meant === undefined) return
      count += 1
      // Five edits of one text are enough for a network.
      await Effect.runPromise(Effect.ignore(sandbox.edit({ ...meant, text: `Text ${count} @shop_3` }, faults)))
      return
    }
    if (choice < 5) {
      const [meant] = written.splice(next(Math.max(1, written.length)), 1)
      if (meant === undefined || !isDeletionTold(meant)) return
      const { isTold } = await Effect.runPromise(sandbox.remove(meant, faults))
      if (!isTold) untold.add(meant.id)
      return
    }
    count += 1
    const network = accounts[next(accounts.length)]?.network ?? "facebook"
    const [from, text] = [`Person ${next(12)}`, `Text ${count} @shop_3`]
    const isMessage = (network === "instagram" || network === "facebook") && next(3) === 0
    const before = one(
      written.filter((one) => one.network === network && one.kind === "comment"),
      next
    )
    const parent = before !== undefined && next(3) === 0 ? { parentId: before.id } : {}
    const { id } = await Effect.runPromise(
      isMessage
        ? sandbox.message({ network, from, text }, faults)
        : sandbox.comment({ network, from, text, ...parent }, faults)
    )
    written.push({ network, id, kind: isMessage ? "message" : "comment" })
    if (written.length > mostKept) written.shift()
  }
  return {
    step,
    /** Not every network tells of what is deleted. */
    stateOf: ({ history, isDeleted }: Writing) => {
      if (!isDeleted) return "there"
      return history.some((id) => untold.has(id)) ? "untold" : "deleted"
    }
  }
}
