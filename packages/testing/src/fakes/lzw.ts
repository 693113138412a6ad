/** Packs colour indexes as GIF image data: code size, sub-blocks, terminator. */
export const lzwData = (indexes: Uint8Array, codeSize: number): Uint8Array =>
  Uint8Array.from([codeSize, ...subBlocks(lzwCodes(indexes, codeSize))])

const maxCode = 4096

/** LZW with a dictionary that is cleared when it is full. */
const lzwCodes = (indexes: Uint8Array, codeSize: number): Array<number> => {
  const clear = 1 << codeSize
  const out: Array<number> = []
  const words = new Map<number, number>()
  let bits = 0
  let held = 0
  let width = codeSize + 1
  let next = clear + 2
  const emit = (code: number) => {
    bits |= code << held
    held += width
    for (; held >= 8; held -= 8, bits >>>= 8) out.push(bits & 255)
  }
  emit(clear)
  let word = indexes[0] ?? 0
  for (const index of indexes.subarray(1)) {
    const key = word * 256 + index
    const longer = words.get(key)
    if (longer !== undefined) {
      word = longer
      continue
    }
    emit(word)
    word = index
    if (next < maxCode) {
      words.set(key, next)
      next += 1
      if (next > 1 << width && width < 12) width += 1
    } else {
      emit(clear)
      words.clear()
      width = codeSize + 1
      next = clear + 2
    }
  }
  emit(word)
  // The reader has added an entry for that last word, so its codes may have grown before the end code.
  if (next === 1 << width && width < 12) width += 1
  emit(clear + 1)
  if (held > 0) out.push(bits & 255)
  return out
}

function* subBlocks(data: ReadonlyArray<number>): Generator<number> {
  for (let at = 0; at < data.length; at += 255) {
    const block = data.slice(at, at + 255)
    yield block.length
    yield* block
  }
  yield 0
}
