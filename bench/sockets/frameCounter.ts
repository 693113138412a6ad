/** A control frame's codes (RFC 6455 §5.2). */
export const closeFrame = 8
export const pingFrame = 9

/** A text of less than 126 bytes as a client's frame, with a mask that changes nothing. */
export const shortText = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes])
}

/**
 * Counts the frames of one WebSocket without looking at what they say.
 *
 * A real client's work for each frame would hide what the server does: both run on the same few cores.
 */
export class FrameCounter {
  #head = Buffer.alloc(0)
  #left_bytes = 0
  #opcode = 0
  readonly #onControl: (opcode: number) => void

  constructor(onControl: (opcode: number) => void) {
    this.#onControl = onControl
  }

  /** Takes bytes as they come; answers how many text frames ended in them. */
  push(chunk: Buffer): number {
    let rest = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    this.#head = Buffer.alloc(0)
    let ended = 0
    while (rest.length > 0) {
      if (this.#left_bytes === 0) {
        const size_bytes = headSize(rest)
        if (rest.length < size_bytes) {
          this.#head = Buffer.from(rest)
          return ended
        }
        this.#opcode = rest.readUInt8(0) & 0x0f
        this.#left_bytes = payloadSize(rest)
        rest = rest.subarray(size_bytes)
      }
      const taken = Math.min(this.#left_bytes, rest.length)
      this.#left_bytes -= taken
      rest = rest.subarray(taken)
      if (this.#left_bytes > 0) break
      if (this.#opcode >= closeFrame) this.#onControl(this.#opcode)
      else ended++
    }
    return ended
  }
}

const lengthCode = (bytes: Buffer): number => (bytes.length < 2 ? 0 : bytes.readUInt8(1) & 0x7f)

const headSize = (bytes: Buffer): number => ({ 126: 4, 127: 10 })[lengthCode(bytes)] ?? 2

const payloadSize = (bytes: Buffer): number => {
  const code = lengthCode(bytes)
  if (code === 126) return bytes.readUInt16BE(2)
  return code === 127 ? bytes.readUIntBE(4, 6) : code
}
