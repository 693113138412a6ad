import * as Result from "effect/Result"
import { canonicalCanvas } from "./canonicalCanvas.ts"
import { exceededLimit, gifLimits } from "./GifLimits.ts"
import { closestColours } from "./closestColours.ts"
import { CodeCounter } from "./codeCounter.ts"
import { GifVerdict } from "./GifFacts.ts"
import type { GifFacts, GifImage } from "./GifFacts.ts"
import { coloursOf, controlOf, noControl, u16, versionOf } from "./gifFields.ts"
import { isCodeSize } from "./lzw.ts"

/** Scans a GIF once, in chunks of any size, and keeps only facts about each image, never pixels. */
export interface GifScan {
  /** Reads the next bytes of the file. The chunk is not kept. */
  readonly push: (chunk: Uint8Array) => void
  /** Whether the result is already final. */
  readonly isDone: () => boolean
  /** Canvas and number of complete images so far, also of a file that is refused. */
  readonly soFar: () => Pick<GifFacts, "width" | "height"> & { readonly frames: number }
  /** The result, at the end of the file. */
  readonly finish: () => Result.Result<GifFacts, GifVerdict>
}

export interface GifScanOptions {
  /**
   * Whether image data is followed to its end, to know where it becomes invalid. The verdict is the same without it, and
   * takes a fraction of the time.
   */
  readonly followsData: boolean
}

/** The kind of the next field. The length of a field is known before it is read. */
type Field =
  | "header"
  | "globalPalette"
  | "block"
  | "label"
  | "subBlock"
  | "control"
  | "descriptor"
  | "localPalette"
  | "codeSize"
  | "data"
  | "end"

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

class Scanner implements GifScan {
  private field: Field = "header"
  /** Bytes of the current field; a palette is the longest, with 768. */
  private readonly held = new Uint8Array(768)
  private filled = 0
  private wanted = 13
  /** Bytes to skip before the current field. */
  private skip = 0
  /** Offset in the file of the next byte. */
  private offset = 0

  private version: GifFacts["version"] = "89a"
  private width = 0
  private height = 0
  private globalPalette = new Uint8Array(0)
  private isGif = false

  private label = 0
  private isFirstSubBlock = false
  private control = noControl

  private readonly images: Array<GifImage> = []
  /** The image whose data is being read. */
  private open: Mutable<GifImage> | undefined
  /** Its own palette; empty when it has none. */
  private localPalette = new Uint8Array(0)
  private readonly followsData: boolean
  private readonly codes = new CodeCounter()
  /** Bytes left of the present sub-block of image data. */
  private block = 0
  private hasStartedImage = false
  private hasTooManyImages = false

  private longestSide_px = 0
  private decoded_px = 0
  private cycle_cs = 0

  constructor({ followsData }: GifScanOptions) {
    this.followsData = followsData
  }

  readonly isDone = (): boolean => this.field === "end"

  readonly soFar = () => ({
    width: this.width,
    height: this.height,
    frames: this.images.length + (this.hasTooManyImages ? 1 : 0)
  })

  readonly push = (chunk: Uint8Array): void => {
    const start = this.offset
    let at = 0
    while (at < chunk.length && this.field !== "end") {
      if (this.skip > 0) {
        const passed = Math.min(this.skip, chunk.length - at)
        this.skip -= passed
        at += passed
        continue
      }
      if (this.field === "data") {
        at = this.readData(chunk, at, start)
        continue
      }
      if (this.wanted === 1) {
        this.held[0] = chunk[at] ?? 0
        at += 1
      } else {
        const taken = Math.min(this.wanted - this.filled, chunk.length - at)
        this.held.set(chunk.subarray(at, at + taken), this.filled)
        this.filled += taken
        at += taken
        if (this.filled < this.wanted) continue
        this.filled = 0
      }
      this.offset = start + at
      this.read()
    }
    this.offset = start + chunk.length
  }

  /** Reads whole sub-blocks of image data, which is most of a file. Returns the next position in the chunk. */
  private readData(chunk: Uint8Array, from: number, start: number): number {
    let at = from
    while (at < chunk.length) {
      if (this.block > 0) {
        const end = Math.min(at + this.block, chunk.length)
        if (!this.codes.isDone()) this.codes.push(chunk, at, end)
        this.block -= end - at
        at = end
        continue
      }
      this.block = chunk[at] ?? 0
      at += 1
      if (this.block > 0) continue
      this.offset = start + at
      this.closeImage()
      return at
    }
    return at
  }

  readonly finish = (): Result.Result<GifFacts, GifVerdict> => {
    if (!this.isGif || !this.hasStartedImage) return refuse("gif_probe_failed")
    // A truncated image is ignored, but if it is the first one the file is refused, for its size first.
    const cut = this.images.length === 0 && this.open !== undefined ? this.open : { width: 0, height: 0 }
    const exceeded = exceededLimit({
      longestSide_px: Math.max(this.longestSide_px, this.width, this.height, cut.width, cut.height),
      frames: this.images.length + (this.hasTooManyImages ? 1 : 0),
      decoded_px: Math.max(this.decoded_px, this.canonical_px()),
      cycle_cs: this.cycle_cs
    })
    if (exceeded !== undefined) return refuse(exceeded)
    if (!this.images.some((image) => image.isUsable)) return refuse("gif_decode_failed")
    const { cycle_cs, globalPalette, height, images, version, width } = this
    return Result.succeed({ version, width, height, globalPalette, images, cycle_cs })
  }

  /** Pixels that the encoder decodes, on a canvas that may be larger than the file's. */
  private canonical_px(): number {
    const { images } = this
    const { height, width } = canonicalCanvas({ width: this.width, height: this.height, images })
    return width * height * images.length
  }

  private next(field: Field, wanted: number): void {
    this.field = field
    this.wanted = wanted
  }

  /** Parses the complete field in `held`. */
  private read(): void {
    const byte = this.held[0] ?? 0
    switch (this.field) {
      case "header":
        return this.readHeader()
      case "globalPalette":
        this.globalPalette = this.held.slice(0, this.wanted)
        this.isGif = true
        return this.next("block", 1)
      case "block":
        return this.readBlock(byte)
      case "label":
        this.label = byte
        this.isFirstSubBlock = true
        return this.next("subBlock", 1)
      case "subBlock":
        return this.readSubBlock(byte)
      case "control":
        return this.readControl()
      case "descriptor":
        return this.readDescriptor()
      case "localPalette":
        this.localPalette = this.held.slice(0, this.wanted)
        return this.next("codeSize", 1)
      case "codeSize":
        return this.readCodeSize(byte)
      case "data":
      case "end":
        return
    }
  }

  private readHeader(): void {
    const version = versionOf(this.held)
    this.width = u16(this.held, 6)
    this.height = u16(this.held, 8)
    if (version === undefined || this.width === 0 || this.height === 0) return this.next("end", 1)
    this.version = version
    const colours = coloursOf(this.held[10] ?? 0)
    if (colours > 0) return this.next("globalPalette", colours * 3)
    this.isGif = true
    return this.next("block", 1)
  }

  private readBlock(byte: number): void {
    // Some writers leave a stray terminator between blocks; decoders skip it.
    if (byte === 0) return
    if (byte === 0x21) return this.next("label", 1)
    if (byte !== 0x2c) return this.next("end", 1)
    this.hasStartedImage = true
    if (this.images.length < gifLimits.frames) return this.next("descriptor", 9)
    this.hasTooManyImages = true
    return this.next("end", 1)
  }

  private readSubBlock(size: number): void {
    if (size === 0) return this.next("block", 1)
    const isControl = this.label === 0xf9 && this.isFirstSubBlock && size >= 4
    this.isFirstSubBlock = false
    if (!isControl) {
      this.skip = size
      return
    }
    this.next("control", size)
  }

  private readControl(): void {
    this.control = controlOf(this.held)
    this.next("subBlock", 1)
  }

  private readDescriptor(): void {
    const packed = this.held[8] ?? 0
    const localColours = coloursOf(packed)
    this.open = {
      left: u16(this.held, 0),
      top: u16(this.held, 2),
      width: u16(this.held, 4),
      height: u16(this.held, 6),
      isInterlaced: (packed & 0x40) !== 0,
      ...this.control,
      localColours,
      paletteOffset: this.offset,
      dataOffset: this.offset + localColours * 3,
      dataLength: 0,
      codeSize: 0,
      dataEnd: undefined,
      closestColours: undefined,
      isUsable: false
    }
    this.control = noControl
    this.localPalette = new Uint8Array(0)
    if (localColours > 0) return this.next("localPalette", localColours * 3)
    return this.next("codeSize", 1)
  }

  private readCodeSize(codeSize: number): void {
    const image = this.open
    if (image === undefined) return
    image.codeSize = codeSize
    image.isUsable =
      image.width > 0 && image.height > 0 && image.left < this.width && image.top < this.height && isCodeSize(codeSize)
    const pixels = this.followsData ? image.width * image.height : 1
    this.codes.start(codeSize, image.isUsable ? pixels : 0)
    this.next("data", 1)
  }

  private closeImage(): void {
    const image = this.open
    if (image === undefined) return
    image.dataLength = this.offset - image.dataOffset
    image.isUsable = image.isUsable && this.codes.hasPixels()
    image.dataEnd = image.isUsable ? this.codes.end() : undefined
    if (image.dataEnd !== undefined && image.dataEnd.unusedIndex === undefined) {
      const palette = image.localColours > 0 ? this.localPalette : this.globalPalette
      image.closestColours = closestColours(palette, Math.min(256, 1 << image.codeSize))
    }
    this.measure(image)
    this.images.push(image)
    this.open = undefined
    this.next("block", 1)
  }

  private measure(image: GifImage): void {
    this.longestSide_px = Math.max(this.longestSide_px, image.width, image.height)
    this.decoded_px += Math.max(this.width * this.height, image.width * image.height)
    this.cycle_cs += image.delay_cs
  }
}

const refuse = (code: GifVerdict["code"]): Result.Result<never, GifVerdict> => Result.fail(new GifVerdict({ code }))

/** A scanner for one file. Accepts any bytes without throwing, in linear time. */
export const makeGifScan = (options: GifScanOptions = { followsData: false }): GifScan => new Scanner(options)

/** Scans a file that is in memory already, and follows its data. */
export const scanGif = (bytes: Uint8Array): Result.Result<GifFacts, GifVerdict> => {
  const scan = makeGifScan({ followsData: true })
  scan.push(bytes)
  return scan.finish()
}
