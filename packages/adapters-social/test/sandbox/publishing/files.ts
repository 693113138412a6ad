/** Files whose first bytes say what a network looks at, and a host that has them. */
const bytes = (...parts: ReadonlyArray<ReadonlyArray<number> | string>): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : [...part])))

const u16 = (value: number): ReadonlyArray<number> => [value >> 8, value & 0xff]
const u32 = (value: number): ReadonlyArray<number> => [...u16(Math.floor(value / 65_536)), ...u16(value % 65_536)]
const zeros = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)

export const jpegOf = (width: number, height: number) =>
  bytes([0xff, 0xd8, 0xff, 0xe0], u16(4), [0, 0, 0xff, 0xc0], u16(17), [8], u16(height), u16(width), zeros(10))

export const pngOf = (width: number, height: number) =>
  bytes([0x89], "PNG\r\n\x1a\n", u32(13), "IHDR", u32(width), u32(height), zeros(9))

export const gifOf = (width: number, height: number) =>
  bytes("GIF89a", [width & 0xff, width >> 8, height & 0xff, height >> 8], zeros(20))

const box = (name: string, content: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes(u32(content.length + 8), name, [...content])

export const mp4Of = (width: number, height: number, duration_s: number) => {
  const header = box("mvhd", bytes(zeros(12), u32(1_000), u32(duration_s * 1_000), zeros(80)))
  const track = box("tkhd", bytes(zeros(76), u16(width), u16(0), u16(height), u16(0)))
  const moov = box("moov", bytes([...header], [...box("trak", track)]))
  return bytes([...box("ftyp", bytes("isom", zeros(4)))], [...moov], zeros(32))
}

export interface HostedFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export const hosted = {
  "photo.jpg": { type: "image/jpeg", bytes: jpegOf(1_080, 1_080) },
  "panorama.jpg": { type: "image/jpeg", bytes: jpegOf(1_080, 300) },
  "picture.png": { type: "image/png", bytes: pngOf(1_080, 1_080) },
  "clip.mp4": { type: "video/mp4", bytes: mp4Of(1_280, 720, 6) },
  "reel.mp4": { type: "video/mp4", bytes: mp4Of(720, 1_280, 6) },
  "short.mp4": { type: "video/mp4", bytes: mp4Of(720, 1_280, 2) },
  "page.jpg": { type: "text/html", bytes: bytes("<!DOCTYPE html><title>Sign in</title>") }
} satisfies Record<string, HostedFile>

/** The address of one of them, at the product that the sandbox knows. */
export const addressOf = (name: keyof typeof hosted): string => `http://product.example/files/${name}`

/** What the product answers to those who load its files; `seen` gets a line for each request. */
export const fileHost =
  (seen: Array<string> = []) =>
  (request: Request): Response | undefined => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith("/files/")) return undefined
    seen.push(`${request.method} ${pathname} ${request.headers.get("user-agent") ?? ""}`)
    const file: HostedFile | undefined = Object.entries(hosted).find(([name]) => pathname === `/files/${name}`)?.[1]
    if (file === undefined) return new Response(null, { status: 404 })
    const headers = { "content-type": file.type, "content-length": String(file.bytes.length) }
    return new Response(request.method === "HEAD" ? null : file.bytes, { headers })
  }
