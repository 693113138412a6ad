import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlags } from "./connection.ts"
import { fileArgument } from "./fileInput.ts"
import { jsonFlag } from "./output.ts"

export const convertCommand = Command.make(
  "convert",
  {
    input: fileArgument("input").pipe(Argument.withDescription("The GIF")),
    output: fileArgument("output").pipe(
      Argument.optional,
      Argument.withDescription("Where the MP4 goes; beside the GIF if left out. A file that is there is replaced")
    ),
    background: Flag.String("background").pipe(
      Flag.filter(
        (color) => /^#?[0-9A-Fa-f]{6}$/.test(color),
        () => "a colour like FFCC00"
      ),
      Flag.optional,
      Flag.withDescription("What is seen through transparent pixels, as RRGGBB (FFFFFF)")
    ),
    ...connectionFlags,
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ apiKeyFile, background, input, json, output, url }) {
    const { convert } = yield* Effect.promise(() => import("./convertFile.ts"))
    // A shell takes what follows an unquoted # for a comment, so the mark may be left out.
    const color = Option.map(background, (given) => `#${given.replace("#", "")}`)
    yield* convert({ url, apiKeyFile }, { input, output, color, json })
  })
).pipe(
  Command.withDescription("Convert a GIF to an MP4: at the host that runs, else in this process, without a database"),
  Command.withExamples([
    { command: "loopbox convert cat.gif", description: "Writes cat.mp4" },
    { command: "loopbox convert cat.gif video.mp4 --background FFCC00", description: "On yellow" }
  ])
)
