/** People who sign in at the simulated networks, and the app that fetches their tokens. */
import { createHash } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { sandboxApps } from "@loopbox/adapters-social"
import type { Network } from "../../src/names.ts"
import type { served } from "./served.ts"

export const redirectUri = "https://product.example/connect/callback/here"
export const verifier = "v".repeat(43)

export const dialogs: Record<Network, string> = {
  instagram: "/instagram/oauth/authorize",
  facebook: "/facebook/v25.0/dialog/oauth",
  threads: "/threads/oauth/authorize",
  x: "/x/i/oauth2/authorize"
}

export const usualScopes: Record<Network, string> = {
  instagram: "instagram_business_basic,instagram_business_manage_comments,instagram_business_manage_messages",
  facebook:
    "pages_show_list,pages_manage_metadata,pages_read_engagement,pages_read_user_content,pages_manage_engagement,pages_messaging,business_management,instagram_basic,instagram_manage_comments,instagram_manage_messages",
  threads: "threads_basic,threads_read_replies,threads_manage_replies",
  x: "tweet.read tweet.write users.read offline.access"
}

export const secretOf = (network: Network): string =>
  Redacted.value(sandboxApps[network].secret ?? assert.fail("no secret"))

export const dialogQuery = (
  network: Network,
  more: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => ({
  client_id: sandboxApps[network].id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: usualScopes[network],
  state: "a state",
  ...(network === "x"
    ? { code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256" }
    : {}),
  ...more
})

type Call = Effect.Success<ReturnType<typeof served>>["call"]

/** Allows, or whatever else is chosen; where the browser is sent then. */
export const decided = Effect.fnUntraced(function* (
  call: Call,
  network: Network,
  chosen: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {}
) {
  const form = { ...dialogQuery(network, more), decision: "approve", ...chosen }
  const { headers, status } = yield* call("POST", dialogs[network], { form, token: null })
  assert.strictEqual(status, 303)
  return new URL(headers.get("location") ?? "")
})

export const codeFor = Effect.fnUntraced(function* (
  call: Call,
  network: Network,
  chosen: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {}
) {
  const back = yield* decided(call, network, chosen, more)
  return back.searchParams.get("code") ?? assert.fail(back.search)
})
