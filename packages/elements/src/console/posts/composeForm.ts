import { html, nothing, type TemplateResult } from "lit"
import { button } from "../../parts/button.ts"
import { measurePost } from "../../inbox/measureText.ts"
import { selectField, textField } from "../../parts/field.ts"
import { errorLine } from "../../parts/states.ts"
import { networkBadge, networkName } from "../../parts/networkBadge.ts"
import { issueText } from "./issueText.ts"
import { accountOf, ownPart, withOwn } from "./PostDraft.ts"
import type { PostsState } from "./PostsState.ts"
import type { Account } from "./PostsStore.ts"

const times = ["now", "later", "draft"] as const

/** From here on accounts are searched, not read. */
const manyAccounts = 12

/** What an account gets otherwise: its own text, and a comment of its own under the post. */
const ownFields = (page: PostsState, { id, network }: Account): TemplateResult => {
  const { draft, texts, write } = page
  const { firstComment, text } = ownPart(draft, id)
  return html`<details class="own" ?open=${text !== null || firstComment !== ""}>
    <summary>${texts.own(networkName(network))}</summary>
    <div>
      ${textField({
        id: `text-${id}`,
        label: texts.ownText,
        hint: texts.ownTextHint,
        rows: 3,
        value: text ?? "",
        placeholder: draft.text,
        onInput: (typed) => write(withOwn(draft, id, { text: typed === "" ? null : typed }))
      })}
      ${textField({
        id: `comment-${id}`,
        label: texts.firstComment,
        hint: texts.firstCommentHint,
        rows: 2,
        value: firstComment,
        onInput: (typed) => write(withOwn(draft, id, { firstComment: typed }))
      })}
    </div>
  </details>`
}

const accountRow = (page: PostsState, account: Account): TemplateResult => {
  const { draft, store, texts, write } = page
  const { id, name, network, username } = account
  const { accountIds } = draft
  const isChosen = accountIds.includes(id)
  const issues = (store.judgement?.issues ?? []).filter(({ path }) => accountOf(path, draft) === id)
  const warnings = (store.judgement?.warnings ?? []).filter(({ path }) => accountOf(path, draft) === id)
  const { text: ownText } = ownPart(draft, id)
  const measure = isChosen ? measurePost(network, ownText ?? draft.text) : undefined
  return html`<div class="account">
    <label class="check"
      ><input
        type="checkbox"
        .checked=${isChosen}
        @change=${() =>
          write({ ...draft, accountIds: isChosen ? accountIds.filter((one) => one !== id) : [...accountIds, id] })}
      />${networkBadge(network)} <span dir="auto">${name}</span>
      <span class="quiet-text">${username === null ? networkName(network) : `@${username}`}</span></label
    >
    ${
      measure === undefined
        ? nothing
        : html`<p class="count ${measure.length > measure.limit ? "fault" : "quiet-text"}">
            ${texts.counted(measure.length, measure.limit, networkName(network))}
          </p>`
    }
    ${issues.map((one) => html`<p class="fault" role="alert">${networkName(network)}: ${issueText(one, texts)}</p>`)}
    ${warnings.map((one) => html`<p class="warning">${networkName(network)}: ${issueText(one, texts)}</p>`)}
    ${isChosen ? ownFields(page, account) : nothing}
  </div>`
}

/** A chosen account that is not there any more: it can only be taken out. */
const goneRow = ({ draft, texts, write }: PostsState, id: string): TemplateResult =>
  html`<label class="check"
    ><input
      type="checkbox"
      .checked=${true}
      @change=${() => write({ ...draft, accountIds: draft.accountIds.filter((one) => one !== id) })}
    /><code>${id}</code> <span class="fault">${texts.gone}</span></label
  >`

const accountsField = (page: PostsState, accounts: ReadonlyArray<Account>): TemplateResult => {
  const { draft, find, search, texts } = page
  const words = search.toLocaleLowerCase()
  const isFound = ({ id, name, network, username }: Account): boolean =>
    draft.accountIds.includes(id) || `${name} ${username ?? ""} ${network}`.toLocaleLowerCase().includes(words)
  const gone = draft.accountIds.filter((id) => !accounts.some((account) => account.id === id))
  const hasMany = accounts.length > manyAccounts
  const shown = hasMany ? accounts.filter(isFound) : accounts
  return html`<fieldset>
    <legend>${texts.accounts}</legend>
    ${accounts.length === 0 ? html`<p class="quiet-text">${texts.noAccounts}</p>` : nothing}
    ${
      hasMany
        ? textField({
            id: "search",
            label: texts.search,
            hideLabel: true,
            placeholder: texts.search,
            type: "search",
            value: search,
            onInput: find
          })
        : nothing
    }
    <div class=${hasMany ? "accounts many" : "accounts"}>
      ${shown.map((account) => accountRow(page, account))} ${gone.map((id) => goneRow(page, id))}
    </div>
    ${hasMany && shown.length === 0 ? html`<p class="quiet-text">${texts.noneFound}</p>` : nothing}
  </fieldset>`
}

const mediaField = ({ draft, store, texts, upload, write }: PostsState): TemplateResult => {
  const nameOf = (id: string): string => store.files.find((file) => file.id === id)?.filename ?? id
  const without = (id: string) => write({ ...draft, mediaIds: draft.mediaIds.filter((one) => one !== id) })
  const rest = store.files.filter(({ id }) => !draft.mediaIds.includes(id))
  return html`<div class="media">
    ${selectField({
      id: "media",
      label: texts.media,
      hint: texts.mediaHint,
      value: "",
      options: [
        { value: "", label: draft.mediaIds.length === 0 ? texts.noMedia : texts.oneMore },
        ...rest.map(({ content_type, filename, id }) => ({ value: id, label: `${filename ?? id} (${content_type})` }))
      ],
      onInput: (id) => (id === "" ? undefined : write({ ...draft, mediaIds: [...draft.mediaIds, id] }))
    })}
    ${
      draft.mediaIds.length === 0
        ? nothing
        : html`<ul class="files">
            ${draft.mediaIds.map(
              (id) =>
                html`<li>
                  <span dir="auto">${nameOf(id)}</span>
                  ${button({
                    label: texts.without(nameOf(id)),
                    icon: "close",
                    iconOnly: true,
                    kind: "quiet",
                    onClick: () => without(id)
                  })}
                </li>`
            )}
          </ul>`
    }
    <label class="button upload"
      ><span>${texts.upload}</span
      ><input
        class="visually-hidden"
        type="file"
        accept="image/*,video/*"
        ?disabled=${store.sent !== undefined}
        @change=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return
          const [file] = target.files ?? []
          if (file !== undefined) upload(file)
          target.value = ""
        }}
    /></label>
    ${store.sent === undefined ? nothing : html`<progress max="1" value=${store.sent} aria-label=${texts.uploading}></progress>`}
  </div>`
}

const timeFields = ({ draft, texts, write }: PostsState): TemplateResult =>
  html`${selectField({
    id: "when",
    label: texts.when,
    value: draft.when,
    options: times.map((time) => ({ value: time, label: texts.times[time] })),
    onInput: (when) => write({ ...draft, when: times.find((time) => time === when) ?? "now" })
  })}
  ${
    draft.when !== "later"
      ? nothing
      : textField({
          id: "at",
          label: texts.at,
          hint: texts.atHint(Intl.DateTimeFormat().resolvedOptions().timeZone),
          type: "datetime-local",
          required: true,
          value: draft.at,
          onInput: (at) => write({ ...draft, at })
        })
  }`

/** What is wrong with the whole, or that nothing is. */
const judgementOf = ({ draft, store, texts }: PostsState): TemplateResult | typeof nothing => {
  const { judgement } = store
  if (judgement === undefined) return nothing
  if (judgement.valid) return html`<p class="good" role="status">${texts.fits}</p>`
  const general = judgement.issues.filter(({ path }) => accountOf(path, draft) === undefined)
  return html`${general.map((one) => html`<p class="fault" role="alert">${issueText(one, texts)}</p>`)}`
}

const formWork = ["send", "upload", "judge"]

/** Why it did not go out, below the button: what stands above that stays where it is. */
const failureOf = ({ partMessages, store, texts }: PostsState): TemplateResult | typeof nothing => {
  const { failedAt, failure, judgement } = store
  if (failure === undefined || !formWork.includes(failedAt)) return nothing
  const isSaidAbove = failedAt === "send" && (judgement?.issues.length ?? 0) > 0
  const errors = isSaidAbove ? { ...partMessages.errors, VALIDATION_ERROR: texts.refused } : partMessages.errors
  return errorLine(failure, { ...partMessages, errors })
}

/** Where a post is written, with what each network says to it. */
export const composeForm = (page: PostsState, accounts: ReadonlyArray<Account>): TemplateResult => {
  const { dismiss, draft, send, store, texts, write } = page
  const isKept = draft.changes !== undefined
  const isReady = draft.accountIds.length > 0 && (draft.when !== "later" || draft.at !== "")
  const isBegun = isKept || draft.text !== "" || draft.accountIds.length > 0 || draft.mediaIds.length > 0
  const submit = (event: Event): void => {
    event.preventDefault()
    send()
  }
  return html`<form class="form" aria-label=${isKept ? texts.writeOn : texts.write} @submit=${submit}>
    ${isKept ? html`<p class="quiet-text" role="status">${texts.writeOnText}</p>` : nothing}
    ${textField({ id: "text", label: texts.text, rows: 4, value: draft.text, onInput: (text) => write({ ...draft, text }) })}
    ${accountsField(page, accounts)}
    <div class="pair">${mediaField(page)} ${timeFields(page)}</div>
    ${judgementOf(page)}
    <div class="line">
      ${button({
        label: texts.send[draft.when],
        icon: "send",
        kind: "primary",
        type: "submit",
        disabled: !isReady,
        busy: store.busy === "send"
      })}
      ${isBegun ? button({ label: isKept ? texts.leave : texts.dismiss, kind: "quiet", onClick: dismiss }) : nothing}
    </div>
    ${failureOf(page)}
  </form>`
}
