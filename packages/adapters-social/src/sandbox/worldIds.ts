import { createHash } from "node:crypto"
import type { Network } from "@loopbox/core/connectors/Source"
import * as Option from "effect/Option"
import type { SandboxAccount, SandboxPerson, Writing } from "./World.ts"

/** Digits that are the same for the same text, everywhere and always. */
const digitsOf = (text: string, length: number): string =>
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

/** The ids of one world. They look like the networks' own; a new seed never repeats those of another one. */
export const makeIds = (seed: number) => {
  let count = 0
  const fresh = (): string => {
    count++
    return `${String(seed).padStart(10, "0").slice(-10)}${String(count).padStart(6, "0")}`
  }

  const standingPost = (account: SandboxAccount): string => {
    const digits = digitsOf(`post of ${account.network} ${account.accountId}`, 15)
    if (account.network === "facebook") return `${account.accountId}_1${digits}`
    return account.network === "x" ? `19${digits}` : `179${digits}`
  }

  /** The id of something new. */
  const next = (
    network: Network,
    kind: Writing["kind"],
    account: SandboxAccount,
    postId: Option.Option<string>
  ): string => {
    if (kind === "message") return network === "facebook" ? `m_sandbox${fresh()}` : `aWdfsandbox${fresh()}`
    if (network === "x") return `2${fresh()}`
    if (network !== "facebook") return `18${fresh()}`
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

  return { next, person, standingPost }
}
