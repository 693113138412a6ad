import { html, nothing, type TemplateResult } from "lit"
import { button } from "../../parts/button.ts"
import { textField } from "../../parts/field.ts"
import { networkBadge } from "../../parts/networkBadge.ts"
import { plainText } from "../../parts/plainText.ts"
import { errorLine, loadingState } from "../../parts/states.ts"
import { timeOf } from "../../parts/Time.ts"
import { fullTime } from "../../parts/times.ts"
import { addressOf } from "../shell/routes.ts"
import { issueText } from "./issueText.ts"
import { localTime, mayRetry } from "./PostDraft.ts"
import type { PostsState } from "./PostsState.ts"
import type { Item, Post, PostTarget } from "./PostsStore.ts"

const targetRow = (page: PostsState, post: Post, target: PostTarget): TemplateResult => {
  const { askRemoval, store, texts } = page
  const account = store.accounts?.find(({ id }) => id === target.social_account_id)
  const isBusy = store.busy === post.id
  const failures: Readonly<Record<string, string>> = texts.failures
  return html`<li class="target">
    <div class="line">
      ${target.network === null ? nothing : networkBadge(target.network)}
      <span><bdi>${account?.name ?? target.social_account_id}</bdi> ${texts.targets[target.status]}</span>
      ${target.error === null ? nothing : html`<span class="fault">${failures[target.error.code] ?? target.error.message} <code>${target.error.code}</code></span>`}
      ${
        target.url === null
          ? nothing
          : html`<a href=${target.url} target="_blank" rel="noopener noreferrer nofollow">${texts.openThere}</a>`
      }
      ${
        mayRetry(target)
          ? button({ label: texts.retry, busy: isBusy, onClick: () => void store.retry(post, target) })
          : nothing
      }
      ${
        target.status === "published"
          ? button({ label: texts.removeThere, kind: "quiet", busy: isBusy, onClick: () => askRemoval(post, target) })
          : nothing
      }
    </div>
    ${target.text === null || target.text === "" ? nothing : html`<p class="quiet-text own-text" dir="auto">${target.text}</p>`}
    ${
      target.first_comment === null
        ? nothing
        : html`<p class="quiet-text own-text">${texts.firstComment}: <bdi>${target.first_comment}</bdi></p>`
    }
  </li>`
}

const answerRow = ({ language, openThread }: PostsState, item: Item): TemplateResult =>
  html`<li>
    <a href=${addressOf("inbox", item.thread_id)} @click=${(event: MouseEvent) => openThread(event, item.thread_id)}
      >${networkBadge(item.account.network)}
      <span class="answer"
        ><strong><bdi>${item.author_name}</bdi></strong> <bdi>${item.body}</bdi></span
      >
      <span class="quiet-text">${timeOf(item.received_at, language)}</span></a
    >
  </li>`

/** What people wrote under a post; each leads to its conversation. */
const answersOf = (page: PostsState, post: Post): TemplateResult | typeof nothing => {
  const { partMessages, store, texts } = page
  if (store.busy === `answers:${post.id}`) return loadingState(partMessages)
  const answers = store.answers.get(post.id)
  if (answers === undefined) return nothing
  if (answers.length === 0) return html`<p class="quiet-text" role="status">${texts.noAnswers}</p>`
  return html`<ul class="answers" aria-label=${texts.answers}>
    ${answers.map((item) => answerRow(page, item))}
  </ul>`
}

const moveForm = (page: PostsState, post: Post, at: string): TemplateResult => {
  const { move, setMoving, store, texts } = page
  return html`<form
    class="move"
    aria-label=${texts.move}
    @submit=${(event: Event) => {
      event.preventDefault()
      move(post, at)
    }}
  >
    ${textField({
      id: `move-${post.id}`,
      label: texts.at,
      hint: texts.atHint(Intl.DateTimeFormat().resolvedOptions().timeZone),
      type: "datetime-local",
      required: true,
      value: at,
      onInput: (typed) => setMoving({ id: post.id, at: typed })
    })}
    <div class="line">
      ${button({ label: texts.moveTo, kind: "primary", type: "submit", disabled: at === "", busy: store.busy === post.id })}
      ${button({ label: texts.leave, kind: "quiet", onClick: () => setMoving(undefined) })}
    </div>
  </form>`
}

const actions = (page: PostsState, post: Post): TemplateResult => {
  const { edit, moving, setMoving, store, texts } = page
  const { scheduled_at, status, targets } = post
  const act = (label: string, work: () => Promise<boolean>) =>
    button({ label, busy: store.busy === post.id, onClick: () => void work() })
  const hasAnswers = store.answers.has(post.id)
  const isEnded = status === "draft" || status === "canceled" || status === "failed"
  return html`<div class="line">
    ${status === "draft" ? act(texts.publish, () => store.publish(post)) : nothing}
    ${status === "draft" ? button({ label: texts.edit, onClick: () => edit(post) }) : nothing}
    ${
      status === "scheduled" && scheduled_at !== null && moving?.id !== post.id
        ? button({ label: texts.move, onClick: () => setMoving({ id: post.id, at: localTime(scheduled_at) }) })
        : nothing
    }
    ${status === "scheduled" ? act(texts.cancel, () => store.cancel(post)) : nothing}
    ${
      targets.some((target) => target.status === "published")
        ? button({
            label: hasAnswers ? texts.hideAnswers : texts.answers,
            busy: store.busy === `answers:${post.id}`,
            onClick: () => void store.toggleAnswers(post)
          })
        : nothing
    }
    ${isEnded ? act(texts.remove, () => store.remove(post)) : nothing}
  </div>`
}

/** A post with what became of it. */
export const postCard = (page: PostsState, post: Post): TemplateResult => {
  const { language, moving, partMessages, store, texts } = page
  const hasFailed = store.failure !== undefined && [post.id, `answers:${post.id}`].includes(store.failedAt)
  return html`<li class="post" data-status=${post.status}>
    <div class="line">
      <span class="status ${post.status}">${texts.statuses[post.status]}</span>
      ${
        post.scheduled_at === null || post.status !== "scheduled"
          ? timeOf(post.created_at, language, "long")
          : html`<span>${texts.scheduledFor(fullTime(new Date(post.scheduled_at), language))}</span>`
      }
    </div>
    <p class="text" dir="auto">${post.text === null ? texts.noText : plainText(post.text, partMessages)}</p>
    <ul>
      ${post.targets.map((target) => targetRow(page, post, target))}
    </ul>
    ${post.warnings.map((one) => html`<p class="warning">${issueText(one, texts)}</p>`)}
    ${moving?.id === post.id ? moveForm(page, post, moving.at) : nothing} ${actions(page, post)}
    ${hasFailed ? errorLine(store.failure, partMessages) : nothing} ${answersOf(page, post)}
  </li>`
}
