import { Effect } from "effect"
import type { Writing } from "@loopbox/adapters-social/sandbox/Writing"
import type { Written } from "./judges.ts"
import { type Account, accounts, handle, type Networks } from "./networks.ts"
import { type Chance, one } from "./lanes.ts"

export interface Kept {
  readonly account: Account
  readonly kind: "comment" | "message"
  readonly id: string
}

/** What their authors can change later, at most. */
const mostKept = 40

/** Nobody edits a comment on Instagram, or on Threads anything. */
const isEditable = ({ account: { network }, kind }: Kept): boolean =>
  network === "facebook" || network === "x" || (network === "instagram" && kind === "message")

const hasMessages = ({ network }: Account): boolean => network === "instagram" || network === "facebook"

/** A network whose comments may hang on ads, which no list shows. */
const hasAds = ({ isSubscribed, network }: Account): boolean => isSubscribed && network === "instagram"

/**
 * People who write to the accounts, edit, delete; what the networks tell of it comes twice or late at times, and not at all
 * for some.
 */
export const makePeople = ({ sandbox }: Networks) => {
  const kept: Array<Kept> = []
  /** What was deleted without a word. */
  const untold = new Set<string>()
  /** Of those: what the product has been made to look for. */
  const sought = new Set<string>()
  let count = 0
  const text = () => {
    count += 1
    return `Text ${count} ${handle}`
  }
  const write = async (account: Account, next: Chance, faults = {}): Promise<Kept> => {
    const { accountId, network } = account
    const words = { network, accountId, from: `Person ${next(12)}`, text: text() }
    const kind = hasMessages(account) && next(3) === 0 ? "message" : "comment"
    const before = one(
      kept.filter((one) => one.account === account && one.kind === "comment"),
      next
    )
    const parent = before !== undefined && next(3) === 0 ? { parentId: before.id } : {}
    const place = hasAds(account) && next(5) === 0 ? ({ surface: "ad" } as const) : parent
    const { id } = await Effect.runPromise(
      kind === "message" ? sandbox.message(words, faults) : sandbox.comment({ ...words, ...place }, faults)
    )
    return { account, kind, id }
  }
  const remove = async ({ account: { network }, id }: Kept, faults = {}): Promise<void> => {
    const { isTold } = await Effect.runPromise(sandbox.remove({ network, id }, faults))
    if (!isTold) untold.add(id)
  }
  const step = async (next: Chance): Promise<void> => {
    const faults = { times: next(8) === 0 ? 2 : 1, delay_ms: next(5) === 0 ? next(3_000) : 0 }
    const choice = next(20)
    if (choice < 3) {
      const meant = one(kept.filter(isEditable), next)
      if (meant === undefined) return
      const { account, id } = meant
      const edit = { network: account.network, id, text: text() }
      // Five edits of one text are enough for a network.
      await Effect.runPromise(Effect.ignore(sandbox.edit(edit, faults)))
      return
    }
    if (choice < 5) {
      const [meant] = kept.splice(next(Math.max(1, kept.length)), 1)
      if (meant !== undefined) await remove(meant, faults)
      return
    }
    const account = one(accounts, next)
    if (account === undefined) return
    kept.push(await write(account, next, faults))
    if (kept.length > mostKept) kept.shift()
  }
  return {
    step,
    /** Comments below the newest post, which is in every list; the network does not tell that they end. */
    writeSilently: async (account: Account): Promise<ReadonlyArray<Kept>> => {
      const { accountId, network } = account
      const post = sandbox.world.ofAccount(account).find(({ isDeleted, kind }) => kind === "post" && !isDeleted)
      const written: Array<Kept> = []
      for (const from of ["Person 1", "Person 2"]) {
        const { id } = await Effect.runPromise(
          sandbox.comment({ network, accountId, from, text: text(), postId: post?.id })
        )
        written.push({ account, kind: "comment", id })
      }
      return written
    },
    /** Deletes it where the product is made to look afterwards. */
    removeSought: async (one: Kept): Promise<void> => {
      await remove(one)
      sought.add(one.id)
    },
    /** What the product may know of it. */
    stateOf: ({ account: { accountId }, history, isDeleted, surface }: Writing): Written["state"] => {
      if (!isDeleted) return "there"
      if (history.some((id) => sought.has(id))) return "deleted"
      if (!history.some((id) => untold.has(id))) return "deleted"
      if (surface !== "post") return "unlisted"
      return accounts.find((one) => one.accountId === accountId)?.isSubscribed === true ? "untold" : "unheard"
    }
  }
}
