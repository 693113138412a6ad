import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlags } from "./connection.ts"
import { jsonFlag } from "./output.ts"
import { textFlag } from "./sandboxInputs.ts"

/** Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.replace(/^whsec_/, ""), "base64")
  return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes.length >= 24 && bytes.length <= 64
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? "")

export const keyFlag = Flag.Redacted("key").pipe(
  Flag.optional,
  Flag.withDescription("The workspace's API key; other users of this machine see it in the list of processes")
)

export const listenCommand = Command.make(
  "listen",
  {
    forwardTo: Flag.String("forward-to").pipe(
      Flag.filter(isWebAddress, () => "an address that begins with http:// or https://"),
      Flag.withDescription("Where each event is posted, as http://localhost:3000/hook")
    ),
    events: textFlag("events", "Only these: types or `inbox.*`, separated by commas; all if left out"),
    secret: Flag.Redacted("secret").pipe(
      Flag.filter(
        (secret) => isSecret(Redacted.value(secret)),
        () => "whsec_ and 24 to 64 bytes in base64"
      ),
      Flag.optional,
      Flag.withDescription("What signs: whsec_…; one is made if left out")
    ),
    key: keyFlag,
    ...connectionFlags,
    json: jsonFlag.pipe(Flag.withDescription("A line of JSON for the secret, and one for each event"))
  },
  Effect.fnUntraced(function* ({ apiKeyFile, events, forwardTo, json, key, secret, url }) {
    const { listenAndForward } = yield* Effect.promise(() => import("./listenCalls.ts"))
    yield* listenAndForward({ url, apiKeyFile, apiKey: key }, { forwardTo, events, secret, json })
  })
).pipe(
  Command.withDescription(
    "Post each change of the workspace to your machine, signed as webhooks are, until Ctrl-C; no endpoint is made"
  )
)
