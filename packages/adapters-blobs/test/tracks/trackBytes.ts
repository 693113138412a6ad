/** Small files whose bytes say what a test says. */

const letters = (text: string): ReadonlyArray<number> => [...text].map((letter) => letter.charCodeAt(0))

const little = (value: number, bytes: number): ReadonlyArray<number> =>
  Array.from({ length: bytes }, (_, at) => (value >> (8 * at)) & 255)

const big = (value: number, bytes: number): ReadonlyArray<number> => little(value, bytes).toReversed()

/** Mono, 8,000 samples of 16 bits a second. */
export const wav = (milliseconds: number): Uint8Array => {
  const length = milliseconds * 16
  const format = [...little(1, 2), ...little(1, 2), ...little(8000, 4), ...little(16_000, 4), ...little(2, 2)]
  const head = [
    ...[...letters("RIFF"), ...little(36 + length, 4), ...letters("WAVE")],
    ...[...letters("fmt "), ...little(16, 4), ...format, ...little(16, 2)],
    ...[...letters("data"), ...little(length, 4)]
  ]
  const bytes = new Uint8Array(head.length + length)
  bytes.set(head)
  return bytes
}

const repeated = (one: ReadonlyArray<number>, length: number, times: number): Uint8Array => {
  const bytes = new Uint8Array(length * times)
  for (let at = 0; at < times; at++) bytes.set(one, at * length)
  return bytes
}

/** Frames of 1,024 samples, 44,100 a second, in stereo. */
export const adts = (frames: number, length = 200): Uint8Array =>
  repeated(
    [0xff, 0xf1, 0x50, 0x80 | (length >> 11), (length >> 3) & 255, ((length & 7) << 5) | 0x1f, 0xfc],
    length,
    frames
  )

/** Frames of layer III with 1,152 samples, 44,100 a second, at 128 kb/s, without a header that says how many. */
export const mp3 = (frames: number): Uint8Array => repeated([0xff, 0xfb, 0x90, 0x00], 417, frames)

const element = (id: ReadonlyArray<number>, payload: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...id,
  0x08,
  ...big(payload.length, 4),
  ...payload
]
const double = (value: number): ReadonlyArray<number> => {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return Array.from(new Uint8Array(view.buffer))
}
const track = (number: number, kind: number, codec: string, more: ReadonlyArray<number>) =>
  element(
    [0xae],
    [
      ...element([0xd7], [number]),
      ...element([0x73, 0xc5], [number]),
      ...element([0x83], [kind]),
      ...element([0x86], letters(codec)),
      ...more
    ]
  )

export const pictures = (codec: string, width: number, height: number) =>
  track(1, 1, codec, element([0xe0], [...element([0xb0], big(width, 2)), ...element([0xba], big(height, 2))]))
export const sound = (codec: string) => track(2, 2, codec, element([0xe1], element([0x9f], [1])))

/** A WebM with these tracks and no samples. */
export const webm = (milliseconds: number | undefined, ...tracks: ReadonlyArray<ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from([
    ...element(
      [0x1a, 0x45, 0xdf, 0xa3],
      [...element([0x42, 0x86], [1]), ...element([0x42, 0x82], letters("webm")), ...element([0x42, 0x87], [4])]
    ),
    ...element(
      [0x18, 0x53, 0x80, 0x67],
      [
        ...element(
          [0x15, 0x49, 0xa9, 0x66],
          [
            ...element([0x2a, 0xd7, 0xb1], big(1_000_000, 3)),
            ...(milliseconds === undefined ? [] : element([0x44, 0x89], double(milliseconds)))
          ]
        ),
        ...element([0x16, 0x54, 0xae, 0x6b], tracks.flat())
      ]
    )
  ])
