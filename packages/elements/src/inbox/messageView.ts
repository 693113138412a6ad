import { html, nothing, type TemplateResult } from "lit"
import { avatar } from "../parts/avatar.ts"
import { button } from "../parts/button.ts"
import { sentenceOf } from "../parts/failure.ts"
import { icon } from "../parts/icon.ts"
import { isWebAddress } from "../parts/isWebAddress.ts"
import { plainText } from "../parts/plainText.ts"
import { clockTime, fullTime } from "../parts/times.ts"
import type { Answer } from "./Answer.ts"
import type { InboxView } from "./InboxView.ts"
import type { Item } from "./records.ts"

const attachment = (view: InboxView, { type, url }: Item["attachments"][number]): TemplateResult => {
  const name = view.texts.attachment[type]
  if (!isWebAddress(url)) return html`<p class="attachment none">${icon("file", 16)}${name}</p>`
  const lost = (event: Event): void => {
    if (event.target instanceof HTMLElement) event.target.parentElement?.classList.add("is-lost")
  }
  const link = html`<a class="attachment link" href=${url} target="_blank" rel="noopener noreferrer nofollow"
    >${icon("file", 16)}${name}</a
  >`
  if (type === "image") {
    return html`<div class="attachment">
      <a href=${url} target="_blank" rel="noopener noreferrer nofollow"
        ><img src=${url} alt=${name} loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${lost}
      /></a>
    </div>`
  }
  if (type === "video") {
    return html`<div class="attachment">
      <video src=${url} controls preload="metadata" aria-label=${name} @error=${lost}></video>
    </div>`
  }
  if (type === "audio") {
    return html`<div class="attachment"><audio src=${url} controls preload="none" aria-label=${name}></audio></div>`
  }
  return link
}

const actions = (view: InboxView, item: Item): TemplateResult => {
  const { store, texts } = view
  const { opened } = store
  const may = (capability: Item["capabilities"][number]) => item.capabilities.includes(capability)
  const isBusy = (action: string) => opened?.busy.has(`${action}:${item.id}`) ?? false
  const quiet = { kind: "quiet", iconOnly: true } as const
  const compose = (mode: "reply" | "private") => () => {
    opened?.compose({ itemId: item.id, mode })
    view.focusComposer()
  }
  return html`<div class="actions">
    ${may("reply") ? button({ ...quiet, label: texts.reply, icon: "reply", onClick: compose("reply") }) : nothing}
    ${
      may("private_reply")
        ? button({ ...quiet, label: texts.privateReply, icon: "lock", onClick: compose("private") })
        : nothing
    }
    ${
      may("like") || may("unlike")
        ? button({
            ...quiet,
            label: item.is_liked ? texts.unlike : texts.like,
            icon: "heart",
            pressed: item.is_liked,
            busy: isBusy(item.is_liked ? "unlike" : "like"),
            onClick: () => store.moderate(item, item.is_liked ? "unlike" : "like")
          })
        : nothing
    }
    ${
      may("hide")
        ? button({
            ...quiet,
            label: texts.hide,
            icon: "hide",
            busy: isBusy("hide"),
            onClick: () => store.moderate(item, "hide")
          })
        : nothing
    }
    ${
      may("unhide")
        ? button({
            ...quiet,
            label: texts.unhide,
            icon: "show",
            busy: isBusy("unhide"),
            onClick: () => store.moderate(item, "unhide")
          })
        : nothing
    }
    ${
      may("delete")
        ? button({
            ...quiet,
            label: texts.remove,
            icon: "trash",
            busy: isBusy("delete"),
            onClick: () => view.askDelete(item)
          })
        : nothing
    }
    ${
      isWebAddress(item.url)
        ? html`<a
            class="button quiet icon-only"
            href=${item.url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            title=${texts.openOnNetwork}
            aria-label=${texts.openOnNetwork}
            >${icon("external", 16)}</a
          >`
        : nothing
    }
  </div>`
}

/** One item of the conversation. */
export const messageView = (view: InboxView, item: Item, isFirstOfAuthor: boolean): TemplateResult => {
  const { language, texts } = view
  const at = new Date(item.received_at)
  const name = item.is_own ? item.account.name : item.author_name
  const marks = [
    item.edited_at === null ? [] : [texts.edited],
    item.is_hidden ? [texts.hidden] : [],
    item.private_replied_at === null ? [] : [texts.privatelyReplied],
    item.is_liked ? [texts.liked] : [],
    view.store.opened?.isSent(item.id) === true ? [texts.states.sent] : []
  ].flat()
  return html`<article
    class="message ${item.is_own ? "is-own" : ""} ${isFirstOfAuthor ? "is-first" : ""} ${item.is_hidden ? "is-hidden" : ""}"
    part="message"
    aria-label=${`${name}, ${fullTime(at, language)}`}
  >
    ${item.is_own ? nothing : isFirstOfAuthor ? avatar(name, item.author_avatar_url, "small") : html`<span class="gap"></span>`}
    <div class="content">
      ${isFirstOfAuthor && !item.is_own ? html`<p class="author"><bdi>${name}</bdi></p>` : nothing}
      <div class="bubble">
        ${item.body === "" ? nothing : html`<p class="words">${plainText(item.body, view.partTexts)}</p>`}
        ${item.attachments.map((one) => attachment(view, one))}
      </div>
      <p class="about">
        <time datetime=${item.received_at} title=${fullTime(at, language)}>${clockTime(at, language)}</time>
        ${marks.map((mark) => html`<span>· ${mark}</span>`)}
      </p>
    </div>
    ${actions(view, item)}
  </article>`
}

const answerIcon = (answer: Answer) =>
  answer.state === "failed" || answer.state === "unclear"
    ? icon("warning", 14)
    : answer.state === "sent"
      ? icon("check", 14)
      : html`<span class="spinner"></span>`

/** An answer that is on its way, with what became of it and what helps. */
export const answerView = (view: InboxView, answer: Answer): TemplateResult => {
  const { partTexts, store, texts } = view
  const { opened } = store
  const { failure, key, remedy, state } = answer
  return html`<article class="message is-own is-first answer is-${state}" part="answer" data-state=${state}>
    <div class="content">
      <div class="bubble"><p class="words">${plainText(answer.text, partTexts)}</p></div>
      <p class="about">${answerIcon(answer)}<span>${texts.states[state]}</span></p>
      ${
        failure === null || state === "sent"
          ? nothing
          : html`<p class="reason">
              ${sentenceOf(failure.code, failure.sentence, partTexts)} <code>${failure.code}</code>
              ${failure.requestId === null ? nothing : html`<code>${partTexts.requestId(failure.requestId)}</code>`}
            </p>`
      }
      ${
        state === "failed"
          ? html`<div class="remedies">
              ${
                remedy === "retry"
                  ? button({ label: texts.retry, icon: "refresh", onClick: () => opened?.retry(key) })
                  : nothing
              }
              ${
                remedy === "reconnect" && opened?.thread !== undefined
                  ? button({
                      label: texts.reconnectAction,
                      onClick: () => (opened.thread === undefined ? undefined : view.reconnect(opened.thread))
                    })
                  : nothing
              }
              ${button({
                label: texts.edit,
                onClick: () => {
                  opened?.edit(key)
                  view.focusComposer()
                }
              })}
              ${button({ label: texts.discard, kind: "quiet", onClick: () => opened?.drop(key) })}
            </div>`
          : nothing
      }
      ${
        state === "unclear"
          ? html`<div class="remedies">
              ${button({ label: texts.seenOnNetwork, onClick: () => opened?.drop(key) })}
            </div>`
          : nothing
      }
    </div>
  </article>`
}
