import { html, nothing, type TemplateResult } from "lit"
import type { SandboxMessages } from "../../messages/english/sandbox.ts"
import { button } from "../../parts/button.ts"
import { selectField, textField } from "../../parts/field.ts"
import type { ChosenFault, SandboxFault } from "./SandboxFault.ts"
import type { SandboxAccount, SandboxEnding, SandboxStore } from "./SandboxStore.ts"

interface Breaking {
  readonly store: SandboxStore
  readonly texts: SandboxMessages
  readonly chosen: ChosenFault
  readonly choose: (change: Partial<ChosenFault>) => void
  readonly openAccounts: (event: Event) => void
}

const kindText = (texts: SandboxMessages, kind: string): string => {
  const kinds: Readonly<Record<string, string>> = texts.faultKinds
  return kinds[kind] ?? kind
}

const endpointText = (texts: SandboxMessages, endpoint: string): string => {
  const endpoints: Readonly<Record<string, string>> = texts.endpoints
  const known = endpoints[endpoint]
  return known === undefined ? endpoint : `${known} (${endpoint})`
}

/** A fault that is set, in one line. */
const faultLine = (
  { store, texts }: Breaking,
  { account_id, endpoint, kind, percent, times }: SandboxFault
): TemplateResult => {
  const account = store.accounts.find(({ id }) => id === account_id)
  const where = [
    endpoint === undefined ? texts.allRequests : endpointText(texts, endpoint),
    ...(account_id === undefined ? [] : [account?.name ?? account_id]),
    ...(percent === undefined ? [] : [texts.ofHundred(percent)]),
    times === undefined ? texts.untilMended : texts.left(times)
  ]
  return html`<li><strong>${kindText(texts, kind)}</strong> <span class="quiet-text">${where.join(" · ")}</span></li>`
}

const which = ({ choose, chosen, store, texts }: Breaking): TemplateResult =>
  html`${selectField({
      id: "fault",
      label: texts.faultKind,
      value: chosen.kind,
      options: Object.entries(texts.faultKinds).map(([value, label]) => ({ value, label })),
      onInput: (kind) => choose({ kind })
    })}
    ${selectField({
      id: "endpoint",
      label: texts.endpoint,
      value: chosen.endpoint,
      options: [
        { value: "", label: texts.allRequests },
        ...store.endpoints.map((value) => ({ value, label: endpointText(texts, value) }))
      ],
      onInput: (endpoint) => choose({ endpoint })
    })}
    ${selectField({
      id: "account",
      label: texts.account,
      value: chosen.accountId,
      options: [
        { value: "", label: texts.allAccounts },
        ...store.accounts.map(({ id, name }) => ({ value: id, label: name }))
      ],
      onInput: (accountId) => choose({ accountId })
    })}
    <div class="pair">
      ${textField({
        id: "times",
        label: texts.times,
        hint: texts.timesHint,
        type: "number",
        value: chosen.times,
        onInput: (times) => choose({ times })
      })}
      ${textField({
        id: "percent",
        label: texts.percent,
        hint: texts.percentHint,
        type: "number",
        value: chosen.percent,
        onInput: (percent) => choose({ percent })
      })}
    </div>`

/** Where a network is broken: which fault, for what, how often. */
export const faultsBox = (breaking: Breaking): TemplateResult => {
  const { chosen, store, texts } = breaking
  const { faults, lag_ms } = store
  const isWhole = faults.length === 0 && lag_ms === 0
  return html`<div class="box">
    <h2>${texts.faults}</h2>
    ${which(breaking)}
    <div class="head">
      ${button({
        label: texts.silence,
        kind: "quiet",
        busy: store.busy === "silence",
        onClick: () => void store.fallSilent()
      })}
      ${button({
        label: texts.break,
        icon: "warning",
        busy: store.busy === "break",
        onClick: () => void store.break(chosen)
      })}
    </div>
    <p class="quiet-text">${texts.silenceText}</p>
    <p class="quiet-text" role="status">
      ${isWhole ? texts.whole : faults.length > 0 ? texts.broken(faults.length) : ""}
      ${lag_ms > 0 ? texts.lagging(Math.round(lag_ms / 1_000)) : nothing}
    </p>
    ${
      faults.length === 0
        ? nothing
        : html`<ul class="set">
            ${faults.slice(0, 10).map((fault) => faultLine(breaking, fault))}
          </ul>`
    }
    <div class="head">${button({ label: texts.mend, disabled: isWhole, onClick: () => void store.mend() })}</div>
  </div>`
}

const accountRow = ({ store, texts }: Breaking, account: SandboxAccount): TemplateResult => {
  const isBusy = store.busy === `account:${account.id}`
  const end = (ending: SandboxEnding) =>
    button({
      label: texts.endings[ending],
      kind: "quiet",
      busy: isBusy,
      onClick: () => void store.endAccess(account, ending)
    })
  return html`<li>
    <div class="words">
      <strong dir="auto">${account.name}</strong>
      <span class="token ${account.state}">${texts.tokens[account.state]}</span>
    </div>
    <div class="tools">
      ${
        account.state === "valid"
          ? html`${end("expired")} ${end("password")} ${end("removed")}`
          : account.state === "none"
            ? nothing
            : button({ label: texts.restore, busy: isBusy, onClick: () => void store.restoreAccess(account) })
      }
    </div>
  </li>`
}

/** The accounts at the network, whose access may end. */
export const accountsBox = (breaking: Breaking): TemplateResult | typeof nothing => {
  const { openAccounts, store, texts } = breaking
  if (store.accounts.length === 0) return nothing
  return html`<div class="box">
    <h2>${texts.access}</h2>
    <p class="quiet-text">
      ${texts.accessText} <a href="/console/accounts" @click=${openAccounts}>${texts.seeAccounts}</a>
    </p>
    <ul class="rows">
      ${store.accounts.map((account) => accountRow(breaking, account))}
    </ul>
  </div>`
}
