/** One box of an ISO base media file (ISO/IEC 14496-12), as offsets. */
export interface Box {
  /** Four letters. */
  readonly type: string
  /** Start of the payload. */
  readonly start: number
  /** End of the payload by the box's own size; it may lie behind the available bytes. */
  readonly end: number
}

/** How many boxes are listed on one level. */
export const maxBoxes = 256

export const u32 = (view: DataView, at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at) : 0)
export const u64 = (view: DataView, at: number): number => u32(view, at) * 4_294_967_296 + u32(view, at + 4)

/** A box type or codec as text. */
export const letters = (view: DataView, at: number): string =>
  String.fromCharCode(...[24, 16, 8, 0].map((shift) => (u32(view, at) >>> shift) & 255))

/** The boxes between two offsets. A box that continues behind the available bytes is listed with its real end. */
export const boxesIn = (view: DataView, start: number, end: number): ReadonlyArray<Box> => {
  const boxes: Array<Box> = []
  let at = start
  while (at + 8 <= Math.min(end, view.byteLength) && boxes.length < maxBoxes) {
    const short = u32(view, at)
    const header = short === 1 ? 16 : 8
    const size = short === 0 ? end - at : short === 1 ? u64(view, at + 8) : short
    if (size < header) break
    boxes.push({ type: letters(view, at + 4), start: at + header, end: at + size })
    at += size
  }
  return boxes
}

/** The box at a path of types below `box`, of several the first. */
export const within = (view: DataView, box: Box | undefined, path: ReadonlyArray<string>): Box | undefined =>
  path.reduce<Box | undefined>(
    (parent, type) => parent && boxesIn(view, parent.start, parent.end).find((child) => child.type === type),
    box
  )

/** Time scale in ticks per second, and duration in ticks, of an `mvhd` or `mdhd` in either version. */
export const clockOf = (view: DataView, box: Box): { readonly scale: number; readonly duration: number } =>
  u32(view, box.start) >>> 24 === 1
    ? { scale: u32(view, box.start + 20), duration: u64(view, box.start + 24) }
    : { scale: u32(view, box.start + 12), duration: u32(view, box.start + 16) }

/** The entries of an `stts`: how many samples have which duration in ticks. */
export const sampleTimes = function* (
  view: DataView,
  box: Box
): Generator<{ readonly samples: number; readonly ticks: number }> {
  const available = Math.floor((Math.min(box.end, view.byteLength) - box.start - 8) / 8)
  const entries = Math.min(u32(view, box.start + 4), available)
  for (let entry = 0; entry < entries; entry++) {
    yield { samples: u32(view, box.start + 8 + entry * 8), ticks: u32(view, box.start + 12 + entry * 8) }
  }
}
