import type { AccountProblem } from "../accounts/AccountHealth.ts"

/** What is wrong, and what a person can do about it; English, without secrets. */
export interface ProblemText {
  readonly message: string
  readonly remedy: string
}

const named = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : ` (${names.join(", ")})`)

/** Says in words what is wrong with an account of a network, and what mends it. Pure. */
export const explainProblem = (
  { code, missingPermissions }: Pick<AccountProblem, "code" | "missingPermissions">,
  network: string
): ProblemText => {
  switch (code) {
    case "reconnect_required":
      return {
        message: `The token of this account is no longer valid at ${network}, or it belongs to another account.`,
        remedy: "Connect the account again: create a connect session for it and send its owner to the session's url."
      }
    case "missing_scopes":
      return {
        message: `Permissions that were asked for were not granted, or were withdrawn${named(missingPermissions)}.`,
        remedy: "Connect the account again and let its owner allow all permissions."
      }
    case "webhook_not_subscribed":
      return {
        message: `The account's webhooks are not subscribed at ${network}: new items arrive by polls only, and so later.`,
        remedy:
          "It is tried again by itself. If it stays, check that the person who connected the account may still manage it, " +
          "and that the app at the network has webhooks and their permissions."
      }
    case "webhook_quiet":
      return {
        message: `Polls found new items that no webhook of ${network} brought.`,
        remedy:
          "Check that the webhook address of the app at the network can be reached from outside and that its fields are " +
          "subscribed; `loopbox doctor --networks` does. An app in development mode gets no webhooks of other people."
      }
    case "rate_limited":
      return {
        message: `${network} limits how often this account is asked.`,
        remedy: "Nothing needs to be done: it goes on at `retry_at`. Webhooks arrive meanwhile."
      }
    case "permission_missing":
      return {
        message: `${network} refused a read, because the token lacks a permission for it${named(missingPermissions)}.`,
        remedy:
          "Check that the person who connected the account still has a role on it, and then connect it again with all permissions."
      }
    case "network_unavailable":
      return {
        message: `${network} did not answer in a usable way when the account was last read.`,
        remedy: "It is tried again by itself. If it stays, look at the network's status page."
      }
    case "plan_excludes":
      return {
        message: `The workspace's plan does not include ${network}, so that the account is not read.`,
        remedy: "Choose a plan that includes it, or disconnect the account."
      }
    case "expires_soon":
      return {
        message: "The account's token ends within 7 days and can't be renewed by a machine.",
        remedy: "Connect the account again before `token_expires_at`."
      }
  }
}
