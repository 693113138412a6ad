import type { BlobRange } from "@loopbox/core/media/BlobStore"
import { AbstractTokenizer, EndOfStreamError, type IReadChunkOptions } from "strtok3"
import { budget_bytes } from "./budget.ts"

/** How much is read at a time. */
const window_bytes = 64 * 1024

/** In how many pieces a file may be read. */
const maxPieces = 250_000

/** Gives a library any part of a stored file, until the budget is used up. */
export class BoundedTokenizer extends AbstractTokenizer {
  override readonly fileInfo: { readonly size: number; readonly mimeType: string }
  readonly #read: (range: BlobRange) => Promise<Uint8Array>
  #window: Uint8Array = new Uint8Array()
  #offset = 0
  #left_bytes = budget_bytes
  #pieces = 0

  constructor(
    file: { readonly size: number; readonly mimeType: string },
    read: (range: BlobRange) => Promise<Uint8Array>,
    abortSignal: AbortSignal
  ) {
    super({ abortSignal, maxBufferSize: budget_bytes })
    this.fileInfo = file
    this.#read = read
  }

  override supportsRandomAccess(): boolean {
    return true
  }

  setPosition(position: number): void {
    this.position = position
  }

  override async readBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    if (options?.position !== undefined) this.position = options.position
    const length = await this.peekBuffer(buffer, options)
    this.position += length
    return length
  }

  override async peekBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, mayBeLess, position } = this.normalizeOptions(buffer, options)
    const wanted = Math.max(0, Math.min(length, this.fileInfo.size - position))
    if (wanted < length && !mayBeLess) throw new EndOfStreamError()
    buffer.set(await this.#part(position, wanted))
    return wanted
  }

  async #part(offset: number, length: number): Promise<Uint8Array> {
    this.#pieces += 1
    if (this.#pieces > maxPieces) throw new Error("the file is in too many pieces")
    const isInWindow = offset >= this.#offset && offset + length <= this.#offset + this.#window.length
    if (!isInWindow) {
      const asked = Math.min(Math.max(length, window_bytes), this.fileInfo.size - offset)
      this.#left_bytes -= asked
      if (this.#left_bytes < 0) throw new Error("too much of the file had to be read")
      this.#window = await this.#read({ offset, length: asked })
      this.#offset = offset
      if (this.#window.length < length) throw new EndOfStreamError()
    }
    return this.#window.subarray(offset - this.#offset, offset - this.#offset + length)
  }
}
