import { randomKey } from "../../base/randomKey.ts"
import { emptyPost, type PostDraft } from "./PostDraft.ts"

/** A post that is being written, and the key under which it is sent: it makes one post, however often it is sent. */
export interface WrittenPost {
  readonly draft: PostDraft
  readonly key: string
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string")

/** What this version wrote; what another one did is dropped. */
const isWritten = (value: unknown): value is WrittenPost => {
  if (typeof value !== "object" || value === null || !("draft" in value) || !("key" in value)) return false
  const { draft, key } = value
  if (typeof key !== "string" || typeof draft !== "object" || draft === null) return false
  return (
    "text" in draft &&
    typeof draft.text === "string" &&
    "at" in draft &&
    typeof draft.at === "string" &&
    "when" in draft &&
    "own" in draft &&
    typeof draft.own === "object" &&
    draft.own !== null &&
    "accountIds" in draft &&
    isTexts(draft.accountIds) &&
    "mediaIds" in draft &&
    isTexts(draft.mediaIds)
  )
}

const isEmpty = ({ accountIds, changes, mediaIds, text }: PostDraft): boolean =>
  text === "" && accountIds.length === 0 && mediaIds.length === 0 && changes === undefined

/** Keeps the post that is being written in a workspace over reloads; in a browser that keeps nothing it is lost with the page. */
export class PostKeeper {
  readonly #storage: Storage | undefined
  readonly #name: string

  constructor(storage: Storage | undefined, workspaceId: string) {
    this.#storage = storage
    this.#name = `loopbox-console-post:${workspaceId}`
  }

  read(): WrittenPost {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(this.#name) ?? "null")
      if (isWritten(kept)) return kept
    } catch {
      // What is not readable is not kept.
    }
    return { draft: emptyPost, key: randomKey() }
  }

  write(written: WrittenPost): void {
    try {
      if (isEmpty(written.draft)) this.#storage?.removeItem(this.#name)
      else this.#storage?.setItem(this.#name, JSON.stringify(written))
    } catch {
      // The page itself has it still.
      return
    }
  }
}
