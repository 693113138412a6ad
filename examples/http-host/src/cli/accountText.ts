import type { Account } from "./accountAnswers.ts"
import { onOneLine } from "./inboxText.ts"
import { toTable } from "./output.ts"

const problemsOf = ({ health }: Account): string => health.problems.map(({ code }) => code).join(", ")

/** Accounts as a table; strangers named them. */
export const accountTable = (accounts: ReadonlyArray<Account>): string =>
  toTable(
    ["ID", "NETWORK", "STATUS", "HEALTH", "OWNER", "NAME", "PROBLEMS"],
    accounts.map((account) => [
      account.id,
      account.network,
      account.status,
      account.health.status,
      account.external_user_id === null ? "-" : onOneLine(account.external_user_id),
      onOneLine(account.username === null ? account.name : `${account.name} (@${account.username})`),
      problemsOf(account) || "-"
    ])
  )

/** One account with each of its problems and what to do about it. */
export const accountLines = (account: Account): string => {
  const { health } = account
  const facts = [
    `capabilities: ${account.capabilities.join(", ") || "-"}`,
    ...(account.missing_scopes.length === 0 ? [] : [`missing scopes: ${account.missing_scopes.join(", ")}`]),
    `last webhook: ${health.last_webhook_at ?? "-"}`,
    `last poll: ${health.last_poll_at ?? "-"}`
  ]
  const problems = health.problems.flatMap(({ code, message, remedy, retry_at, since }) => [
    "",
    `${code}, since ${since}${retry_at === null ? "" : `; asked again at ${retry_at}`}`,
    `  ${onOneLine(message)}`,
    `  ${onOneLine(remedy)}`
  ])
  return [accountTable([account]), "", ...facts, ...problems].join("\n")
}
