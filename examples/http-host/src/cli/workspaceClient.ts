import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import { CommandFailed } from "../CommandFailed.ts"
import { placesIn, readPrivateFile } from "../dataFolder.ts"
import { loadHostConfig } from "../hostConfig.ts"
import { apiKey } from "../settings.ts"
import { findServing, readAddresses } from "../serving.ts"
import { isSilent, isSomebodyElse, isUnreachable, Refusal, sentenceOf } from "./answers.ts"
import { type Connection, toVariables } from "./connection.ts"
import { readText } from "./namedFiles.ts"

/** A host, and the key of a workspace there. */
export interface Workspace {
  readonly url: string
  readonly key: Redacted.Redacted<string>
}

const readKeyFile = Effect.fnUntraced(function* (file: string) {
  const text = yield* readText(file)
  // What is none would be refused as if it were somebody's, or could not be sent at all.
  if (Option.isNone(apiKey(text.trim()))) {
    return yield* new CommandFailed({ message: `${file} holds no API key of a workspace: lbx_live_… or lbx_test_….` })
  }
  return Redacted.make(text.trim())
})

/**
 * What flags say, else the variables, else the data folder. The Demo's key goes only to the host that serves its data
 * folder: another one is a stranger to it.
 */
export const findWorkspace = Effect.fnUntraced(function* (connection: Connection) {
  const config = yield* loadHostConfig(toVariables(connection))
  const serving = Option.map(yield* readAddresses(config.dataFolder), ({ url }) => url)
  const url = Option.orElse(config.url, () => serving)
  if (Option.isNone(url)) {
    return yield* new CommandFailed({
      message: `No host serves ${config.dataFolder}. Start one with \`loopbox serve\`, or name one with --url or LOOPBOX_URL.`
    })
  }
  const fromFile = Option.isSome(connection.apiKeyFile)
    ? Option.some(yield* readKeyFile(connection.apiKeyFile.value))
    : config.apiKey
  const given = Option.orElse(connection.apiKey ?? Option.none(), () => fromFile)
  const isOurs = Option.contains(serving, url.value)
  const demo = isOurs ? yield* readPrivateFile(placesIn(config.dataFolder).demoKey) : Option.none()
  const key = Option.orElse(given, () => Option.map(demo, Redacted.make))
  if (Option.isNone(key)) {
    return yield* new CommandFailed({
      message: `There is no API key for ${url.value}. Set LOOPBOX_API_KEY, or give --api-key-file; \`loopbox key create\` makes one.`
    })
  }
  const found: Workspace = { url: url.value, key: key.value }
  return found
})

/** Whether a host or a key is named, or a host serves the data folder: then what is asked for is asked there. */
export const hasHost = Effect.fnUntraced(function* (connection: Connection) {
  const config = yield* loadHostConfig(toVariables(connection))
  if (Option.isSome(config.url) || Option.isSome(connection.apiKeyFile)) return true
  return Option.isSome(yield* findServing(config.dataFolder))
})

const decodeRefusal = Schema.decodeUnknownOption(Schema.Struct({ error: Refusal }))

/** The code of a refusal by the host; absent where something else failed. */
export const codeOf = (error: unknown): string | undefined =>
  Option.getOrUndefined(Option.map(decodeRefusal(error), (refused) => refused.error.code))

const findIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** What the typed client finds wrong with a request before it is sent, as the host would say it. */
const refusedHere = ({ issue }: Schema.SchemaError): string => {
  const issues = findIssues(issue).issues.map(({ message, path }) => ({
    path: (path ?? []).map(String).join("."),
    message
  }))
  return sentenceOf({ code: "VALIDATION_ERROR", message: "The request is not valid.", details: { issues } })
}

/** @param answered status of the last answer that came; a request that was refused here has none */
const sentence = (url: string, error: unknown, answered: number | undefined): string => {
  const refused = decodeRefusal(error)
  if (Option.isSome(refused)) return sentenceOf(refused.value.error)
  if (!HttpClientError.isHttpClientError(error)) {
    return Schema.isSchemaError(error) && answered === undefined
      ? refusedHere(error)
      : isSomebodyElse(url, answered ?? 0)
  }
  return Predicate.hasProperty(error.reason, "response") && error.response !== undefined
    ? isSomebodyElse(url, error.response.status)
    : isUnreachable(url)
}

/** Whatever keeps the host from answering becomes a sentence; nor is it waited for without an end. */
export const asking =
  (url: string, within: Duration.Input & string = "30 seconds") =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, CommandFailed, R> =>
    Effect.gen(function* () {
      const send = yield* FetchHttpClient.Fetch
      let answered: number | undefined
      const noted: typeof send = async (...request) => {
        const response = await send(...request)
        answered = response.status
        return response
      }
      return yield* call.pipe(
        Effect.provideService(FetchHttpClient.Fetch, noted),
        Effect.mapError((error) => new CommandFailed({ message: sentence(url, error, answered) })),
        Effect.timeoutOrElse({
          duration: within,
          orElse: () => Effect.fail(new CommandFailed({ message: isSilent(url, within) }))
        })
      )
    })
