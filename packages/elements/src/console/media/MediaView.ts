import type { ConversionJob } from "@loopbox/client"
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit"
import { createRef, ref } from "lit/directives/ref.js"
import { messagesFor } from "../../base/language.ts"
import { LoopboxElement } from "../../base/LoopboxElement.ts"
import { tokens } from "../../base/tokens.ts"
import { englishMedia, type MediaMessages } from "../../messages/english/media.ts"
import { germanMedia } from "../../messages/german/media.ts"
import { button } from "../../parts/button.ts"
import { controls } from "../../parts/controls.ts"
import { emptyState, errorLine, loadingState } from "../../parts/states.ts"
import { timeOf } from "../../parts/Time.ts"
import { fullTime } from "../../parts/times.ts"
import type { PageContext } from "../shell/ConsolePage.ts"
import { factsText, usedShare } from "./conversionFacts.ts"
import { MediaStore, type StoredFile, type Upload } from "./MediaStore.ts"
import { mediaStyles } from "./mediaStyles.ts"
import type { UploadOptions } from "./uploadFile.ts"

/** `<loopbox-console-media>`: GIFs on their way to videos, and those that are there. */
export class MediaView extends LoopboxElement {
  static override properties: PropertyDeclarations = { ...LoopboxElement.properties, context: { attribute: false } }
  static override styles = [tokens, controls, mediaStyles]

  declare context: PageContext | undefined

  #store: MediaStore | undefined
  #isOver = false
  #background = "#ffffff"
  #fault: string | undefined
  readonly #input = createRef<HTMLInputElement>()

  get #texts(): MediaMessages {
    return messagesFor({ english: englishMedia, german: germanMedia }, this.language, this.messages)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#store?.stop()
    this.#store = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { context } = this
    if (!changed.has("context") && this.#store !== undefined) return
    if (context === undefined || this.#store?.workspaceId === context.workspaceId) return
    this.#store?.stop()
    const { client, host, workspaceId } = context
    const onAnswer: UploadOptions["onAnswer"] = (sent) => host.noteSent(sent)
    const store = new MediaStore(client, { workspaceId, onAnswer }, () => this.requestUpdate())
    this.#store = store
    void store.load()
  }

  protected override render(): TemplateResult {
    const store = this.#store
    if (store === undefined) return loadingState(this.partMessages)
    return html`<div class="media">
      <div>
        <h1>${this.#texts.heading}</h1>
        <p class="lead">${this.#texts.lead}</p>
      </div>
      <div class="top">${this.#dropZone(store)} ${this.#options(store)}</div>
      <h2>${this.#texts.recent}</h2>
      ${
        store.uploads.length === 0
          ? nothing
          : html`<ul class="jobs">
              ${store.uploads.map((one) => this.#upload(store, one))}
            </ul>`
      }
      ${this.#list(store)}
    </div>`
  }

  #dropZone(store: MediaStore): TemplateResult {
    const take = (files: FileList | null): void => {
      const all = Array.from(files ?? [])
      const wrong = all.find(({ type }) => type !== "image/gif")
      this.#fault = wrong === undefined ? undefined : this.#texts.wrongType(wrong.name)
      for (const file of all) if (file.type === "image/gif") void store.convert(file, this.#background)
      this.requestUpdate()
    }
    const over = (isOver: boolean) => (event: DragEvent) => {
      event.preventDefault()
      this.#isOver = isOver
      this.requestUpdate()
    }
    return html`<div
      class="drop ${this.#isOver ? "is-over" : ""}"
      @dragover=${over(true)}
      @dragleave=${over(false)}
      @drop=${(event: DragEvent) => {
        over(false)(event)
        take(event.dataTransfer?.files ?? null)
      }}
    >
      <p>${this.#texts.drop}</p>
      ${button({ label: this.#texts.choose, icon: "plus", kind: "primary", onClick: () => this.#input.value?.click() })}
      <input
        ${ref(this.#input)}
        hidden
        type="file"
        accept="image/gif"
        multiple
        @change=${(event: Event) => {
          const { target } = event
          if (!(target instanceof HTMLInputElement)) return
          take(target.files)
          target.value = ""
        }}
      />
      ${this.#fault === undefined ? nothing : html`<p class="fault" role="alert">${this.#fault}</p>`}
    </div>`
  }

  #options(store: MediaStore): TemplateResult {
    const { usage } = store
    return html`<div class="box">
      <div class="colour">
        <input
          id="background"
          type="color"
          .value=${this.#background}
          aria-describedby="background-hint"
          @input=${(event: Event) => {
            if (event.target instanceof HTMLInputElement) this.#background = event.target.value
          }}
        />
        <div>
          <label for="background">${this.#texts.background}</label>
          <p class="hint" id="background-hint">${this.#texts.backgroundHint}</p>
        </div>
      </div>
      ${
        usage === undefined
          ? nothing
          : html`<div>
              <label for="quota">${this.#texts.quota}</label>
              <progress id="quota" max="1" value=${usedShare(usage.used, usage.limit)}></progress>
              <p class="hint">
                ${this.#texts.quotaUsed(usage.used, usage.limit)} ·
                ${usage.reset_at === null ? this.#texts.quotaRolls : this.#texts.quotaReset(fullTime(new Date(usage.reset_at), this.language))}
              </p>
            </div>`
      }
    </div>`
  }

  #upload(store: MediaStore, upload: Upload): TemplateResult {
    const { error, name, sent } = upload
    return html`<li class="job">
      <header>
        <h3>${name}</h3>
        <span class="status ${error === undefined ? "" : "failed"}"
          >${error === undefined ? this.#texts.uploading : this.#texts.failed}</span
        >
        ${button({
          label: error === undefined ? this.#texts.cancel : this.#texts.remove,
          icon: "close",
          iconOnly: true,
          kind: "quiet",
          onClick: () => store.drop(upload)
        })}
      </header>
      ${
        error === undefined
          ? html`<progress max="1" value=${sent} aria-label=${this.#texts.uploading}></progress>`
          : errorLine(error, this.partMessages, () => void store.retry(upload))
      }
    </li>`
  }

  #list(store: MediaStore): TemplateResult {
    const failed =
      store.failure === undefined ? nothing : errorLine(store.failure, this.partMessages, () => void store.load())
    if (store.jobs === undefined) return store.failure === undefined ? loadingState(this.partMessages) : html`${failed}`
    if (store.jobs.length === 0) {
      return html`${failed} ${emptyState({ heading: this.#texts.empty, text: this.#texts.emptyText, icon: "play" })}`
    }
    return html`${failed}
      <ul class="jobs">
        ${store.jobs.map((job) => this.#job(store, job))}
      </ul>
      ${store.hasMore ? button({ label: this.#texts.more, onClick: () => void store.loadMore() }) : nothing}`
  }

  #job(store: MediaStore, job: ConversionJob): TemplateResult {
    const failures: Readonly<Record<string, string>> = this.#texts.failures
    const isRunning = job.status === "queued" || job.status === "processing"
    const place = store.placeOf(job)
    const gif = store.files.get(job.gif_media_id)
    // The newest plays beside its GIF; older ones when they are asked to.
    const isPlaying =
      job === store.jobs?.find(({ output_media_id }) => output_media_id !== null) &&
      !matchMedia("(prefers-reduced-motion: reduce)").matches
    return html`<li class="job" data-status=${job.status}>
      <header>
        <span class="status ${job.status}">${this.#texts[job.status]}</span>
        <h3>${gif?.filename ?? job.id}</h3>
        ${timeOf(job.created_at, this.language, "long")}
        ${place === undefined ? nothing : html`<span class="hint">${this.#texts.place(place)}</span>`}
        ${
          isRunning
            ? button({ label: this.#texts.cancel, kind: "quiet", icon: "close", onClick: () => void store.cancel(job) })
            : nothing
        }
      </header>
      ${
        isRunning
          ? html`<progress
              max="1"
              value=${job.progress === null ? nothing : job.progress}
              aria-label=${this.#texts[job.status]}
            ></progress>`
          : nothing
      }
      ${
        job.error === null
          ? nothing
          : html`<p class="error-line">
              ${failures[job.error.code] ?? job.error.message} <code>${job.error.code}</code>
            </p>`
      }
      ${
        job.output_media_id === null
          ? nothing
          : html`<div class="pair">
              ${this.#figure(this.#texts.gif, job.gif_media_id, gif)}
              ${this.#figure(this.#texts.video, job.output_media_id, store.files.get(job.output_media_id), isPlaying)}
            </div>`
      }
    </li>`
  }

  #figure(label: string, id: string, file: StoredFile | undefined, isPlaying = false): TemplateResult {
    const { context } = this
    const source = context === undefined ? "" : context.host.contentOf(context.workspaceId, id)
    const isVideo = label === this.#texts.video
    return html`<figure>
      ${
        isVideo
          ? html`<video
              src=${source}
              controls
              loop
              muted
              playsinline
              preload="metadata"
              aria-label=${label}
              ?autoplay=${isPlaying}
            ></video>`
          : html`<img src=${source} alt=${file?.filename ?? label} loading="lazy" />`
      }
      <figcaption>
        <span><strong>${label}</strong> ${file === undefined ? "" : factsText(file, this.language)}</span>
        ${
          isVideo
            ? html`<a href=${source} download="${(file?.filename ?? id).replace(/\.[a-z0-9]+$/i, "")}.mp4"
                >${this.#texts.download}</a
              >`
            : nothing
        }
        ${
          file === undefined
            ? nothing
            : html`<span>${this.#texts.keptUntil(fullTime(new Date(file.keep_until), this.language))}</span>`
        }
      </figcaption>
    </figure>`
  }
}

if (customElements.get("loopbox-console-media") === undefined) customElements.define("loopbox-console-media", MediaView)
