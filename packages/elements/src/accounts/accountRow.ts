import { html, nothing, type TemplateResult } from "lit"
import type { AccountsMessages } from "../messages/english/accounts.ts"
import { avatar } from "../parts/avatar.ts"
import { button } from "../parts/button.ts"
import { icon } from "../parts/icon.ts"
import { networkBadge, networkName } from "../parts/networkBadge.ts"
import { withCommands } from "../parts/withCommands.ts"
import { relativeTime } from "../parts/times.ts"
import type { Account } from "./AccountGroup.ts"

/** What a row of the list is drawn with, and what may be done there. */
interface RowOptions {
  readonly texts: AccountsMessages
  readonly language: string
  readonly isBusy: (work: string) => boolean
  readonly reconnect: (account: Account) => void
  readonly check: (account: Account) => void
  readonly disconnect: (account: Account) => void
}

/** Webhooks and polls apart: where one of them is silent, the other says why something arrives late. */
const heard = ({ language, texts }: RowOptions, { health }: Account): string => {
  const { last_poll_at, last_webhook_at } = health
  const ago = (at: string): string => relativeTime(new Date(at), new Date(), language)
  if (last_poll_at === null && last_webhook_at === null) return texts.neverHeard
  const webhook = last_webhook_at === null ? texts.noWebhook : texts.lastWebhook(ago(last_webhook_at))
  const poll = last_poll_at === null ? texts.noPoll : texts.lastPoll(ago(last_poll_at))
  return `${webhook} · ${poll}`
}

type Problem = Account["health"]["problems"][number]

/** What is wrong, and what helps, in the reader's language; in the host's own words where its code is not known here. */
const wordsOf = (texts: AccountsMessages, account: Account, { code, message, remedy }: Problem) => {
  const problems: Readonly<Record<string, AccountsMessages["problems"][Problem["code"]] | undefined>> = texts.problems
  const known = problems[code]
  if (known === undefined) return { message, remedy }
  return { message: known.message(networkName(account.network), account.missing_scopes), remedy: known.remedy }
}

const problemLine = ({ language, texts }: RowOptions, account: Account, problem: Problem): TemplateResult => {
  const { code, retry_at, since } = problem
  const { message, remedy } = wordsOf(texts, account, problem)
  const now = new Date()
  return html`<div class="problem" part="problem">
    ${icon("warning", 16)}
    <p>
      <strong>${message}</strong> ${withCommands(remedy)}
      <span class="muted"
        >${texts.since(relativeTime(new Date(since), now, language))}${
          retry_at === null ? "" : `, ${texts.retried(relativeTime(new Date(retry_at), now, language))}`
        } <code>${code}</code></span
      >
    </p>
  </div>`
}

/** An account: who it is, how well it is, and what helps. */
export const accountRow = (options: RowOptions, account: Account): TemplateResult => {
  const { check, disconnect, isBusy, reconnect, texts } = options
  const { health, id, name, network, status, username } = account
  const state = status === "disconnected" ? "disconnected" : health.status
  const looks = { ok: "good", degraded: "careful", broken: "bad", disconnected: "" }
  const needsPerson = status === "reauth_required" || health.problems.some(({ code }) => code === "missing_scopes")
  return html`<li class="account" part="account">
    <span class="picture">${avatar(name, account.avatar_url)}${networkBadge(network)}</span>
    <div class="about">
      <p class="name">
        <span dir="auto">${name}</span>
        <span class="status ${looks[state]}">${texts.statuses[state]}</span>
      </p>
      <p class="muted">
        ${networkName(network)}${username === null ? nothing : html` · <span dir="ltr">@${username}</span>`}
      </p>
      <p class="muted">${heard(options, account)}</p>
      ${health.problems.map((problem) => problemLine(options, account, problem))}
    </div>
    <div class="work">
      ${
        needsPerson
          ? button({
              label: texts.reconnect,
              kind: "primary",
              busy: isBusy(`connect:${id}`),
              onClick: () => reconnect(account)
            })
          : nothing
      }
      ${button({
        label: texts.check,
        icon: "refresh",
        iconOnly: true,
        kind: "quiet",
        busy: isBusy(`check:${id}`),
        onClick: () => check(account)
      })}
      ${button({
        label: texts.disconnect,
        icon: "trash",
        iconOnly: true,
        kind: "quiet",
        onClick: () => disconnect(account)
      })}
    </div>
  </li>`
}
