import { contentTypes } from "@loopbox/core/media/ContentType"
import * as Predicate from "effect/Predicate"

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json => Predicate.isObject(value)
const bytes = { schema: { type: "string", format: "binary" } }
const stringHeader = (description: string) => ({ description, schema: { type: "string" } })

const contentHeaders = {
  ETag: stringHeader("The SHA-256 of the bytes, in quotes: a strong validator."),
  "Accept-Ranges": stringHeader("`bytes`."),
  "Content-Disposition": stringHeader("The file's name."),
  "Content-Length": { description: "Bytes of this answer.", schema: { type: "integer" } }
}
const contentRange = { "Content-Range": stringHeader("`bytes first-last/size`.") }
const binary = Object.fromEntries(contentTypes.map((type) => [type, bytes]))

const parameter = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
  example
})

/** Bytes, ranges and conditions of a download, which the generator cannot know. */
export const describeContent = (operation: Json): Json => {
  const responses = isJson(operation["responses"]) ? operation["responses"] : {}
  const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const unsatisfiable = isJson(responses["416"]) ? responses["416"] : {}
  return {
    ...operation,
    // Signed links need no key.
    security: [...(Array.isArray(operation["security"]) ? operation["security"] : []), {}],
    parameters: [
      ...parameters,
      parameter("Range", "One range of bytes; of several the whole file is sent.", "bytes=0-1023"),
      parameter("If-Range", "Takes the range only if the file is still this one.", '"9f86d0…"'),
      parameter("If-None-Match", "304 if the file is this one.", '"9f86d0…"'),
      parameter("If-Match", "412 unless the file is this one.", '"9f86d0…"')
    ],
    responses: {
      ...responses,
      "200": { description: "The file.", headers: contentHeaders, content: binary },
      "206": { description: "The range.", headers: { ...contentHeaders, ...contentRange }, content: binary },
      "302": {
        description:
          "The bytes are at this address of the host's store, for five minutes; to be asked for without the key. Only from hosts " +
          "that let their store be reached, only with an API key, and never with `If-Range` or `If-Match`.",
        headers: { Location: stringHeader("A signed address of the store.") }
      },
      "304": { description: "Not modified.", headers: { ETag: contentHeaders.ETag } },
      "416": {
        ...unsatisfiable,
        headers: { "Content-Range": stringHeader("`bytes */size`: the range is past the end.") }
      }
    }
  }
}

/** The three kinds of body that an upload takes. */
export const describeUpload = (operation: Json): Json => {
  const body = isJson(operation["requestBody"]) ? operation["requestBody"] : {}
  const content = isJson(body["content"]) ? body["content"] : {}
  const form = {
    schema: {
      type: "object",
      required: ["file"],
      additionalProperties: false,
      properties: { file: { type: "string", format: "binary" } }
    }
  }
  return {
    ...operation,
    requestBody: { ...body, required: true, content: { ...content, ...binary, "multipart/form-data": form } }
  }
}
