import { html, nothing, type TemplateResult } from "lit"
import { live } from "lit/directives/live.js"
import { beginningOf } from "../parts/beginningOf.ts"
import { button } from "../parts/button.ts"
import { icon } from "../parts/icon.ts"
import { fullTime, relativeTime } from "../parts/times.ts"
import "../parts/Menu.ts"
import type { InboxView } from "./InboxView.ts"
import { isWebAddress } from "../parts/isWebAddress.ts"
import { measureText } from "./measureText.ts"
import type { OpenThread } from "./OpenThread.ts"
import type { Item } from "./records.ts"
import { savedReplies } from "./savedReplies.ts"

type Obstacle = "reconnect" | "permission" | "window" | "not"

/** Why a conversation takes no answer; undefined where it does. */
export const obstacleOf = ({ account, composing, target }: OpenThread): Obstacle | undefined => {
  if (target === undefined) return "not"
  const wanted = composing.mode === "private" ? "private_reply" : "reply"
  const { capabilities, reply_window } = target
  if (capabilities.includes(wanted)) return undefined
  if (account !== undefined && account.status !== "connected") return "reconnect"
  if (reply_window?.mode === "closed") return "window"
  if (account !== undefined) return account.capabilities.includes(wanted) ? "not" : "permission"
  return capabilities.length === 0 ? "reconnect" : "not"
}

const obstacleLine = (view: InboxView, opened: OpenThread, why: Obstacle): TemplateResult => {
  const { reconnectUrl, texts } = view
  const { account, target, thread } = opened
  const words = {
    reconnect: texts.reconnect,
    permission: texts.permissionMissing(account?.missing_scopes ?? []),
    window: texts.windowClosed,
    not: texts.notAnswerable
  }
  const isOfAccount = why === "reconnect" || why === "permission"
  const url = target?.url ?? ""
  return html`<div class="obstacle" role="note">
    ${icon(isOfAccount ? "warning" : "lock")}
    <p>${words[why]}</p>
    ${
      !isOfAccount || thread === undefined
        ? isWebAddress(url)
          ? html`<a class="button" href=${url} target="_blank" rel="noopener noreferrer nofollow"
              >${texts.openOnNetwork}</a
            >`
          : nothing
        : reconnectUrl === undefined
          ? button({
              label: texts.reconnectAction,
              kind: "primary",
              busy: opened.busy.has("reconnect"),
              onClick: () => view.reconnect(thread)
            })
          : html`<a id="at-network" class="button primary" href=${reconnectUrl} target="_blank" rel="noopener"
              >${texts.continueAtNetwork}</a
            >`
    }
  </div>`
}

const modes = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { texts } = view
  const { mode } = opened.composing
  const one = (id: "reply" | "note", label: string) =>
    html`<button
      type="button"
      class="mode"
      aria-pressed=${(mode === "note") === (id === "note") ? "true" : "false"}
      @click=${() => opened.compose({ mode: id, itemId: null })}
    >
      ${label}
    </button>`
  return html`<div class="modes" role="group">${one("reply", texts.reply)}${one("note", texts.note)}</div>`
}

const targetLine = (view: InboxView, opened: OpenThread, target: Item): TemplateResult | typeof nothing => {
  const { texts } = view
  const { itemId, mode } = opened.composing
  if (itemId === null && mode === "reply") return nothing
  const words = mode === "private" ? texts.privately(target.author_name) : texts.answering(target.author_name)
  return html`<p class="target">
    ${icon(mode === "private" ? "lock" : "reply", 14)}
    <span dir="auto">${words}: <q>${beginningOf(target.body, 80)}</q></span>
    ${button({
      label: texts.dropTarget,
      icon: "close",
      iconOnly: true,
      kind: "quiet",
      onClick: () => opened.compose({ itemId: null, mode: "reply" })
    })}
  </p>`
}

const windowLine = (view: InboxView, { reply_window }: Item): TemplateResult | typeof nothing => {
  if (reply_window === null || reply_window.mode === "closed") return nothing
  const { language, texts } = view
  const at = new Date(reply_window.closes_at)
  const time = relativeTime(at, view.now, language)
  return html`<p class="window" title=${fullTime(at, language)}>
    ${icon("clock", 14)}<span
      >${reply_window.mode === "standard" ? texts.windowCloses(time) : texts.windowHuman(time)}</span
    >
  </p>`
}

const onSendKey = (event: KeyboardEvent, send: () => void): void => {
  if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  send()
}

const noteForm = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { store, texts } = view
  return html`<div class="sheet is-note">
    <textarea
      id="compose"
      rows="2"
      aria-label=${texts.note}
      placeholder=${texts.notePlaceholder}
      .value=${live(opened.kept.note)}
      @input=${(event: Event) => {
        if (event.target instanceof HTMLTextAreaElement) opened.write({ note: event.target.value })
      }}
      @keydown=${(event: KeyboardEvent) => onSendKey(event, () => store.addNote())}
    ></textarea>
    <div class="sheet-foot">
      <span class="grow"></span>
      ${button({
        label: texts.addNote,
        kind: "primary",
        icon: "note",
        disabled: opened.kept.note.trim() === "",
        busy: opened.busy.has("note"),
        onClick: () => store.addNote()
      })}
    </div>
  </div>`
}

const answerForm = (view: InboxView, opened: OpenThread, target: Item, isBlocked: boolean): TemplateResult => {
  const { texts } = view
  const { mode } = opened.composing
  const measure = measureText(target.source, opened.kept.text, mode === "private")
  const over = measure === undefined ? 0 : measure.length - measure.limit
  const isNear = measure !== undefined && measure.length > measure.limit * 0.8
  return html`${targetLine(view, opened, target)}
    <div class="sheet">
      <textarea
        id="compose"
        rows="2"
        dir="auto"
        aria-label=${texts.composeLabel}
        aria-describedby="counter"
        aria-invalid=${over > 0 ? "true" : nothing}
        placeholder=${texts.composePlaceholder(target.author_name)}
        .value=${live(opened.kept.text)}
        @input=${(event: Event) => {
          if (event.target instanceof HTMLTextAreaElement) opened.write({ text: event.target.value })
        }}
        @keydown=${(event: KeyboardEvent) => onSendKey(event, view.send)}
      ></textarea>
      <div class="sheet-foot">
        ${savedReplies(view, opened)} ${windowLine(view, target)}
        <span class="grow"></span>
        <span
          id="counter"
          class="counter ${over > 0 ? "is-over" : ""}"
          title=${measure === undefined ? nothing : texts.counted(measure.length, measure.limit)}
          >${
            measure === undefined
              ? nothing
              : over > 0
                ? texts.tooLong(over)
                : isNear
                  ? texts.left(-over)
                  : html`<span class="quiet-count">${measure.length}/${measure.limit}</span>`
          }</span
        >
        ${button({
          label: texts.send,
          kind: "primary",
          icon: "send",
          keys: "Control+Enter",
          disabled: isBlocked || opened.kept.text.trim() === "" || over > 0,
          onClick: view.send
        })}
      </div>
    </div>`
}

/** Where an answer or a note is written; or why none can be, with the way out. */
export const composer = (view: InboxView, opened: OpenThread): TemplateResult => {
  const { mode } = opened.composing
  const { target } = opened
  const obstacle = mode === "note" ? undefined : obstacleOf(opened)
  // What is half written stays to be seen, and the focus in it.
  const isWriting = mode !== "note" && (opened.kept.text !== "" || view.isWriting)
  return html`<div class="composer" part="composer">
    ${modes(view, opened)}
    ${
      mode === "note"
        ? noteForm(view, opened)
        : html`${obstacle === undefined ? nothing : obstacleLine(view, opened, obstacle)}
          ${
            target === undefined || (obstacle !== undefined && !isWriting)
              ? nothing
              : answerForm(view, opened, target, obstacle !== undefined)
          }`
    }
  </div>`
}
