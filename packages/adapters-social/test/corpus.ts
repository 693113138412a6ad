/** The samples as networks send them lie outside the repository; tests that need them say so where they are absent. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"

export const corpus = process.env["LOOPBOX_CORPUS"]

const ExpectedItem = Schema.Struct({
  source: Schema.String,
  external_id: Schema.String,
  thread_key: Schema.String,
  parent_external_id: Schema.NullOr(Schema.String),
  author_id: Schema.NullOr(Schema.String),
  author_name: Schema.NullOr(Schema.String),
  body: Schema.String,
  is_own: Schema.Boolean,
  received_at: Schema.String,
  attachments: Schema.optionalKey(Schema.Array(Schema.String)),
  unsupported: Schema.optionalKey(Schema.Boolean),
  eligible: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String])),
  metadata: Schema.optionalKey(Schema.String),
  standby: Schema.optionalKey(Schema.Boolean),
  story_id: Schema.optionalKey(Schema.String)
})
export type ExpectedItem = typeof ExpectedItem.Type

const ExpectedChange = Schema.Struct({
  op: Schema.Literals(["edit", "delete", "hide", "unhide"]),
  external_id: Schema.String,
  body: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.Number)
})
export type ExpectedChange = typeof ExpectedChange.Type

const Manifest = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      file: Schema.String,
      kind: Schema.String,
      connected_account: Schema.Struct({ account_id: Schema.String, username: Schema.optionalKey(Schema.String) }),
      expect: Schema.Unknown
    })
  )
})

export const Expectation = Schema.Struct({
  items: Schema.Array(ExpectedItem),
  changes: Schema.optionalKey(Schema.Array(ExpectedChange)),
  ignored: Schema.optionalKey(Schema.Number),
  next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** A file of the corpus as bytes. */
export const sampleBytes = (network: string, file: string): Uint8Array =>
  readFileSync(join(corpus ?? "", "payloads", network, file))

export const sampleJson = (network: string, file: string): unknown =>
  JSON.parse(new TextDecoder().decode(sampleBytes(network, file)))

/** What the manifest of a network says about samples of these kinds: its webhooks and stream lines, or its polls. */
export const samplesOf = (network: string, kinds: ReadonlyArray<string> = ["webhook", "stream"]) =>
  Schema.decodeUnknownSync(Manifest)(sampleJson(network, "manifest.json"))
    .files.filter(({ kind }) => kinds.includes(kind))
    .map(({ expect, ...sample }) => ({ ...sample, expect: Schema.decodeUnknownSync(Expectation)(expect) }))
