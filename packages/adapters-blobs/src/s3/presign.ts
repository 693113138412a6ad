import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

const encoder = new TextEncoder()

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** As AWS wants it: more is escaped than by `encodeURIComponent`. */
const escape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = async (key: Uint8Array<ArrayBuffer>, text: string) => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)))
}

const sha256 = async (text: string) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))))

/** What opens the bucket, as the library found it. */
export interface PresignCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** A `GET` that is to be signed. */
export interface PresignRequest {
  /** Scheme and host, with the bucket in it where the path does not name it. */
  readonly origin: string
  /** Not escaped. */
  readonly path: string
  readonly region: string
  readonly query: Readonly<Record<string, string>>
  readonly at: DateTime.Utc
  readonly expiresIn: Duration.Duration
}

/** An address by which whoever has it may get one object until it expires (AWS' Signature Version 4, in the query). */
export const presign = async (credentials: PresignCredentials, request: PresignRequest): Promise<string> => {
  const { origin, path, query, region } = request
  const stamp = DateTime.formatIso(request.at).replace(/[-:]|\.\d{3}/g, "")
  const day = stamp.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const { sessionToken } = credentials
  const signed: Readonly<Record<string, string>> = {
    ...query,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${credentials.accessKeyId}/${scope}`,
    "X-Amz-Date": stamp,
    "X-Amz-Expires": String(Math.floor(Duration.toSeconds(request.expiresIn))),
    ...(sessionToken === undefined ? {} : { "X-Amz-Security-Token": sessionToken }),
    "X-Amz-SignedHeaders": "host"
  }
  const canonicalQuery = Object.entries(signed)
    .map(([name, value]) => [escape(name), escape(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")
  const canonicalPath = path.split("/").map(escape).join("/")
  const host = new URL(origin).host
  const canonical = ["GET", canonicalPath, canonicalQuery, `host:${host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n")
  const text = ["AWS4-HMAC-SHA256", stamp, scope, await sha256(canonical)].join("\n")
  let key: Uint8Array<ArrayBuffer> = encoder.encode(`AWS4${credentials.secretAccessKey}`)
  for (const part of [day, region, "s3", "aws4_request"]) key = await hmac(key, part)
  return `${origin}${canonicalPath}?${canonicalQuery}&X-Amz-Signature=${hex(await hmac(key, text))}`
}
