/** A WAV of 48 kHz with one channel: a tone, as loud as `amplitude` says of 1. */
export const toneWav = (seconds: number, amplitude = 0.5): Uint8Array<ArrayBuffer> => {
  const rate = 48_000
  const samples = Math.round(seconds * rate)
  const view = new DataView(new ArrayBuffer(44 + samples * 2))
  const text = (at: number, letters: string) => {
    for (let i = 0; i < letters.length; i++) view.setUint8(at + i, letters.charCodeAt(i))
  }
  text(0, "RIFF")
  view.setUint32(4, 36 + samples * 2, true)
  text(8, "WAVEfmt ")
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, "data")
  view.setUint32(40, samples * 2, true)
  for (let i = 0; i < samples; i++) {
    view.setInt16(44 + i * 2, Math.round(Math.sin((i * 2 * Math.PI * 440) / rate) * amplitude * 32_767), true)
  }
  return new Uint8Array(view.buffer)
}
