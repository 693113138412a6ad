import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { createServer } from "node:http"
import { jpegOf } from "../../packages/adapters-social/test/sandbox/publishing/files.ts"
import { box, fileType, movieHeader, toBytes, videoTrack } from "../../packages/core/test/media/mp4/movieBytes.ts"
import type { FileName } from "./kinds.ts"

interface File {
  readonly type: string
  readonly bytes: Uint8Array
}

/** An MP4 of six seconds, with 30 pictures a second. */
const movieOf = (width: number, height: number): File => {
  const video = videoTrack({ width, height, times: [[180, 512]] })
  return { type: "video/mp4", bytes: toBytes(fileType(), box("moov", movieHeader(6_000), video)) }
}

export const files: Record<FileName, File> = {
  photo: { type: "image/jpeg", bytes: jpegOf(1_080, 1_080) },
  gif: { type: "image/gif", bytes: Uint8Array.from(animatedGif([10, 10])) },
  clip: movieOf(640, 360),
  vertical: movieOf(720, 1_280)
}

/** Runs with a server that has the files under their names, for the networks that load them. */
export const withFiles = async <A>(use: (url: string) => Promise<A>): Promise<A> => {
  const server = createServer((request, response) => {
    const file = Object.entries(files).find(([name]) => request.url === `/${name}`)?.[1]
    if (file === undefined) return response.writeHead(404).end()
    return response
      .writeHead(200, { "content-type": file.type, "content-length": file.bytes.length })
      .end(request.method === "HEAD" ? undefined : file.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  try {
    return await use(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
