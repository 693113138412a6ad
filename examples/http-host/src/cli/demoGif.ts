import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { fileArgument } from "./fileInput.ts"
import { checkOutput, refuseStreams } from "./namedFiles.ts"
import { jsonFlag, print, printJson } from "./output.ts"

const width = 320
const height = 180
const frames = 24

/** A ball that runs along a bar on a transparent ground, back where it began after a cycle. */
export const makeDemoGif = Effect.promise(async () => {
  const { sampleGif } = await import("@loopbox/testing/fakes/gifSamples")
  const images = Array.from({ length: frames }, (_, frame) => {
    const x0 = width / 2 + 110 * Math.sin((2 * Math.PI * frame) / frames)
    return {
      delay_cs: 8,
      disposal: 2,
      transparentIndex: 0,
      pixel: (x: number, y: number) => {
        if (Math.hypot(x - x0, y - height / 2) < 30) return 2
        return Math.abs(y - height / 2) < 5 ? 1 : 0
      }
    }
  })
  return sampleGif({ width, height, palette: [0, 0, 0, 38, 70, 83, 231, 111, 81, 233, 196, 106], images })
})

export const demoGifCommand = Command.make(
  "demo-gif",
  { file: fileArgument("file").pipe(Argument.withDescription("Where to write it")), json: jsonFlag },
  Effect.fnUntraced(function* ({ file, json }) {
    yield* refuseStreams(file)
    yield* checkOutput(file)
    const fs = yield* FileSystem.FileSystem
    const gif = yield* makeDemoGif
    yield* fs
      .writeFile(file, gif)
      .pipe(Effect.mapError((error) => new CommandFailed({ message: `${file} cannot be written: ${error.message}` })))
    yield* json ? printJson({ file, size_bytes: gif.length }) : print(`${file}: ${gif.length} bytes`)
  })
).pipe(Command.withDescription("Write a small animated GIF to try a conversion with"))
