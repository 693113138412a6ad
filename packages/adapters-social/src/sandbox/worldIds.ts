import { createHash } from "node:crypto"
import type { Network } from "../names.ts"
import * as Option from "effect/Option"
import type { AccountProfile, SandboxPerson, Writing } from "./Writing.ts"

/** Digits that are the same for the same text, everywhere and always. */
export const digitsOf = (text: string, length: number): string =>
  (BigInt(`0x${createHash("sha256").update(text).digest("hex")}`) % 10n ** BigInt(length))
    .toString()
    .padStart(length, "0")

const usernameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 15) || "someone"

/** What ids of people begin with, so that one sees of which network they are. */
const personPrefix: Record<Network, string> = { instagram: "5", facebook: "6", threads: "7", x: "9" }

const seed_digits = 12

/** What made an id: the seed of its world, if a world made it. */
const seedOf = (id: string): string | undefined => /^(?:2|1[78]|m_sandbox|aWdfsandbox|.*_)(\d{12})\d{6}$/.exec(id)?.[1]

/**
 * The ids of one world. They look like the networks' own; a new seed never repeats those of another one, and a higher
 * seed makes higher ids, as X needs them.
 */
export const makeIds = (seed: number) => {
  const ownSeed = String(seed).padStart(seed_digits, "0").slice(-seed_digits)
  let count = 0
  const fresh = (): string => {
    count++
    return `${ownSeed}${String(count).padStart(6, "0")}`
  }

  const standingPost = (account: AccountProfile): string => {
    const digits = digitsOf(`post of ${account.network} ${account.accountId}`, 15)
    if (account.network === "facebook") return `${account.accountId}_1${digits}`
    return account.network === "x" ? `19${digits}` : `179${digits}`
  }

  /** A media of the account that no list has and that can't be read: of an ad, or a live video. */
  const unlistedMedia = (account: AccountProfile, surface: "ad" | "live"): string => {
    const digits = digitsOf(`${surface} of ${account.network} ${account.accountId}`, 15)
    return account.network === "facebook" ? `${account.accountId}_1${digits}` : `179${digits}`
  }

  /** The id of something new. */
  const next = (
    network: Network,
    kind: Writing["kind"] | "container",
    account: AccountProfile,
    postId: Option.Option<string>
  ): string => {
    // What nobody sees is named alike everywhere, also Facebook's photos and videos.
    if (kind === "container") return `18${fresh()}`
    if (kind === "message") return network === "facebook" ? `m_sandbox${fresh()}` : `aWdfsandbox${fresh()}`
    if (network === "x") return `2${fresh()}`
    if (network !== "facebook") return kind === "post" ? `17${fresh()}` : `18${fresh()}`
    if (kind === "post") return `${account.accountId}_${fresh()}`
    // A comment's id begins with that of its post, without the Page.
    const post = Option.getOrElse(postId, () => standingPost(account))
    return `${post.slice(post.indexOf("_") + 1)}_${fresh()}`
  }

  const person = (network: Network, name: string): SandboxPerson => {
    const id = `${personPrefix[network]}${digitsOf(`${network} ${name}`, 15)}`
    return {
      network,
      id,
      name,
      username: usernameOf(name),
      avatarUrl: `https://avatars.example/${network}/${id}_normal.png`
    }
  }

  /** A number from 0 to 1 that looks like chance and is none. */
  const chance = (of: string): number => Number(digitsOf(`${ownSeed} ${of}`, 9)) / 1e9

  /** A network never forgets what it gave an id to, but a world that was started again does. */
  const isOfAnotherWorld = (id: string): boolean => {
    const made = seedOf(id)
    return made !== undefined && made !== ownSeed
  }

  return { next, person, standingPost, unlistedMedia, chance, isOfAnotherWorld }
}
