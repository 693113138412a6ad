import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import type { GivenFlags } from "../environment.ts"
import { fileFlag } from "./fileInput.ts"

/** Which host, and in which workspace's name: for commands that a customer may run. */
export const connectionFlags = {
  url: Flag.String("url").pipe(
    Flag.optional,
    Flag.withDescription("The host (LOOPBOX_URL; else the one that serves the data folder)")
  ),
  apiKeyFile: fileFlag("api-key-file").pipe(
    Flag.optional,
    Flag.withDescription("A file that holds the workspace's API key (LOOPBOX_API_KEY; else the Demo's)")
  )
}

export interface Connection {
  readonly url: Option.Option<string>
  readonly apiKeyFile: Option.Option<string>
  /** Of the command line itself, where it takes one. */
  readonly apiKey?: Option.Option<Redacted.Redacted<string>>
}

/** The same as variables, which win over the environment. */
export const toVariables = ({ url }: Connection): GivenFlags => ({
  LOOPBOX_URL: { flag: "--url", text: Option.getOrUndefined(url) }
})
