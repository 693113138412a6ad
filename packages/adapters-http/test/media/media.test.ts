import { assert, describe, layer } from "@effect/vitest"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Answer, call, codeOf, gif, makeWorkspace, pathsOf, server, uploadGif } from "../support.ts"

const bytes = new Uint8Array(gif)
const gifHeaders = { "content-type": "image/gif" }
const sha256 = async (data: Uint8Array<ArrayBuffer>) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", data)).toString("hex")
const dataOf = ({ body }: Answer) => ({ ...body["data"] })

const countMedia = (workspaceId: Parameters<MediaLibrary["Service"]["list"]>[0]) =>
  Effect.gen(function* () {
    const library = yield* MediaLibrary
    return (yield* library.list(workspaceId, { limit: 100, after: Option.none() })).items.length
  })

describe("POST /v1/media (api.md §5)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const upload = (key: string, headers: Record<string, string> = {}, body: BodyInit = bytes) =>
      call("POST", "/v1/media", { key, body, headers: { ...gifHeaders, ...headers } })

    it.effect("stores the bytes of a raw upload and shows its record", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const answer = yield* upload(key, { "x-filename": "dir%2Fc%C3%A4t.gif" })
        assert.strictEqual(answer.status, 201)
        const { created_at, download_url, id, keep_until, sha256: hash, ...record } = dataOf(answer)
        assert.deepEqual<unknown>(record, {
          status: "ready",
          content_type: "image/gif",
          size_bytes: bytes.length,
          filename: "cät.gif",
          width: 32,
          height: 32,
          duration_ms: null,
          source: "upload"
        })
        assert.match(String(id), /^med_[0-9a-z]{26}$/)
        assert.strictEqual(String(hash), yield* Effect.promise(() => sha256(bytes)))
        assert.isBelow(Date.parse(String(created_at)), Date.parse(String(keep_until)))
        assert.match(String(download_url), /^http:\/\/127\.0\.0\.1:\d+\/v1\/media\/med_/)
      })
    )
    it.effect("takes the last part of a file name, and refuses names that cannot be kept", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const names: ReadonlyArray<readonly [string, string | null]> = [
          ["a/b\\c.gif", "c.gif"],
          ["%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"],
          ["a b.gif", "a b.gif"],
          ["dir/", null],
          ["x".repeat(255), "x".repeat(255)]
        ]
        for (const [given, kept] of names) {
          assert.deepInclude<unknown>(dataOf(yield* upload(key, { "x-filename": given })), { filename: kept })
        }
        for (const bad of ["%00", "a%0Ab", "%C3", "%", "%7F", "%E2%82%AC".repeat(86), "x".repeat(256), "caf\u00e9"]) {
          const answer = yield* upload(key, { "x-filename": bad })
          assert.strictEqual(codeOf(answer), "422 validation_error", bad)
          assert.deepEqual(pathsOf(answer), ["X-Filename"])
        }
      })
    )
    it.effect("decides the type by the bytes", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const unsupported = "415 UNSUPPORTED_MEDIA_TYPE"
        assert.strictEqual(codeOf(yield* upload(key, { "content-type": "image/png" })), unsupported)
        assert.strictEqual(codeOf(yield* upload(key, { "content-type": "text/html" })), unsupported)
        assert.strictEqual(codeOf(yield* upload(key, {}, "<html>")), unsupported)
        assert.strictEqual(codeOf(yield* upload(key, {}, "x".repeat(100_000))), unsupported)
        const empty = yield* upload(key, {}, "")
        assert.strictEqual(codeOf(empty), "422 validation_error")
        assert.strictEqual(yield* countMedia(workspace.id), 0)
      })
    )
    it.effect("takes a form with one file", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const form = new FormData()
        form.append("file", new Blob([bytes], { type: "image/gif" }), "../c\u00e4t.gif")
        const answer = yield* call("POST", "/v1/media", { key, body: form })
        assert.strictEqual(answer.status, 201)
        assert.deepInclude<unknown>(dataOf(answer), { filename: "cät.gif", size_bytes: bytes.length })
      }).pipe(Effect.orDie)
    )
    it.effect("takes the name in a form as its sender wrote it, who escapes quotes and line breaks alone", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const send = (name: string) => {
          const form = new FormData()
          form.append("file", new Blob([bytes], { type: "image/gif" }), name)
          return call("POST", "/v1/media", { key, body: form })
        }
        for (const name of ['my "cat".gif', "100%25 %2F.gif", "%22%.gif"]) {
          const answer = yield* send(name)
          // One that is written so from the start can't be told from a quote.
          assert.deepInclude<unknown>(dataOf(answer), { filename: name.replace("%22", '"') })
        }
        const kept = yield* countMedia(workspace.id)
        for (const name of ["a\r\nSet-Cookie: b.gif", "a\nb.gif", "a\rb.gif"]) {
          const answer = yield* send(name)
          assert.strictEqual(codeOf(answer), "422 validation_error", name)
          assert.include(answer.text, "file must be without control characters")
        }
        assert.strictEqual(yield* countMedia(workspace.id), kept)
      }).pipe(Effect.orDie)
    )
    it.effect("refuses a form with more or none, by name, and keeps nothing of it", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const file = new Blob([bytes], { type: "image/gif" })
        const forms: ReadonlyArray<readonly [ReadonlyArray<readonly [string, Blob | string]>, string]> = [
          [[], "file"],
          [[["file", "text"]], "file"],
          [
            [
              ["file", file],
              ["file", file]
            ],
            "file"
          ],
          [
            [
              ["file", file],
              ["title", "x"]
            ],
            "title"
          ],
          [
            [
              ["title", "x"],
              ["file", file]
            ],
            "title"
          ],
          [[["image", file]], "image"]
        ]
        for (const [parts, name] of forms) {
          const form = new FormData()
          for (const [key, value] of parts) {
            if (typeof value === "string") form.append(key, value)
            else form.append(key, value, "a.gif")
          }
          const answer = yield* call("POST", "/v1/media", { key, body: form })
          assert.strictEqual(codeOf(answer), "422 validation_error", name)
          assert.deepEqual(pathsOf(answer), [name])
        }
        const headers = { "content-type": "multipart/form-data" }
        assert.strictEqual(
          codeOf(yield* call("POST", "/v1/media", { key, body: "x", headers })),
          "422 validation_error"
        )
        const cut = { "content-type": "multipart/form-data; boundary=b" }
        const half = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.gif"\r\nContent-Type: image/gif\r\n\r\nGIF89a`
        assert.strictEqual(
          codeOf(yield* call("POST", "/v1/media", { key, body: half, headers: cut })),
          "422 validation_error"
        )
        assert.strictEqual(yield* countMedia(workspace.id), 0)
      })
    )
    it.effect("says of a form that cannot be read to its end why, and what else is wrong with it", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const refusalOf = Effect.fnUntraced(function* (parts: ReadonlyArray<readonly [string, string]>) {
          const form = new FormData()
          for (const [name, text] of parts) form.append(name, text)
          const answer = yield* call("POST", "/v1/media", { key, body: form })
          assert.strictEqual(codeOf(answer), "422 validation_error")
          return String(answer.body["error"]?.["message"])
        })
        const must = "body must be a form with one file, and has"
        const long = yield* refusalOf([
          ["title", "x"],
          ["text", "x".repeat(70_000)]
        ])
        assert.include(long, `title is not known here; ${must} a text of more than 64 KiB`)
        const many = yield* refusalOf(Array.from({ length: 11 }, () => ["title", "x"] as const))
        assert.include(many, `title is not known here; ${must} more than 10 parts`)
      })
    )
    it.effect("refuses a form whose file is no type of ours", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const form = new FormData()
        form.append("file", new Blob(["<html>".repeat(100_000)], { type: "text/html" }), "a.html")
        assert.strictEqual(codeOf(yield* call("POST", "/v1/media", { key, body: form })), "415 UNSUPPORTED_MEDIA_TYPE")
      })
    )
    it.effect("reserves an upload", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const answer = yield* call("POST", "/v1/media", {
          key,
          json: { content_type: "image/gif", filename: "a/b.gif", size_bytes: 5 }
        })
        assert.strictEqual(answer.status, 201)
        const record = dataOf(answer)
        assert.deepInclude<unknown>(record, {
          status: "pending",
          filename: "b.gif",
          size_bytes: 5,
          sha256: null,
          download_url: null,
          width: null
        })
        assert.match(String(record["upload_url"]), /^http.*\/content\?/)
        const wait = Date.parse(String(record["upload_expires_at"])) - Date.parse(String(record["created_at"]))
        assert.isTrue(Math.abs(wait - 15 * 60_000) < 5_000)
      })
    )
    it.effect("refuses a reservation that cannot be kept", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const reserve = (json: unknown) => call("POST", "/v1/media", { key, json })
        assert.strictEqual(codeOf(yield* reserve({ content_type: "image/bmp" })), "415 UNSUPPORTED_MEDIA_TYPE")
        assert.strictEqual(
          codeOf(yield* reserve({ content_type: "image/gif", size_bytes: 4 * 1024 ** 3 + 1 })),
          "413 PAYLOAD_TOO_LARGE"
        )
        const bad: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
          [{}, ["content_type"]],
          [{ content_type: 5, size_bytes: "5", name: "x" }, ["content_type", "size_bytes", "name"]],
          [{ content_type: "image/gif", size_bytes: 0 }, ["size_bytes"]],
          [{ content_type: "image/gif", size_bytes: 1.5 }, ["size_bytes"]],
          [{ content_type: "image/gif", filename: "a\u0000b" }, ["filename"]],
          [[], ["body"]]
        ]
        for (const [json, paths] of bad) {
          const answer = yield* reserve(json)
          assert.strictEqual(codeOf(answer), "422 validation_error")
          assert.sameMembers([...pathsOf(answer)], [...paths])
        }
      })
    )
  })
})

describe("PUT upload_url (api.md §5)", () => {
  layer(server)((it) => {
    const reserve = Effect.fnUntraced(function* (json: object = {}) {
      const { key } = yield* makeWorkspace()
      const { id, upload_url } = dataOf(
        yield* call("POST", "/v1/media", { key, json: { content_type: "image/gif", ...json } })
      )
      return { key, id: String(id), url: String(upload_url) }
    })

    it.effect("gives a reserved record its bytes, once, without Authorization", () =>
      Effect.gen(function* () {
        const { id, key, url } = yield* reserve({ size_bytes: bytes.length })
        const done = yield* call("PUT", url, { body: bytes })
        assert.strictEqual(done.status, 200)
        assert.deepInclude<unknown>(dataOf(done), { id, status: "ready", size_bytes: bytes.length })
        assert.notProperty(dataOf(done), "upload_url")
        assert.strictEqual(codeOf(yield* call("PUT", url, { body: bytes })), "409 upload_already_finished")
        assert.strictEqual(String(dataOf(yield* call("GET", `/v1/media/${id}`, { key }))["status"]), "ready")
      })
    )
    it.effect("stays pending after wrong bytes, and can be tried again", () =>
      Effect.gen(function* () {
        const { id, key, url } = yield* reserve({ size_bytes: bytes.length })
        assert.strictEqual(
          codeOf(yield* call("PUT", url, { body: "x".repeat(bytes.length) })),
          "415 UNSUPPORTED_MEDIA_TYPE"
        )
        assert.strictEqual(codeOf(yield* call("PUT", url, { body: bytes.subarray(0, 50) })), "422 validation_error")
        const streamed = { body: new Blob([bytes, bytes]).stream(), duplex: "half" } as const
        assert.strictEqual(codeOf(yield* call("PUT", url, streamed)), "422 validation_error")
        const record = dataOf(yield* call("GET", `/v1/media/${id}`, { key }))
        assert.strictEqual(String(record["status"]), "pending")
        assert.strictEqual(codeOf(yield* call("GET", `/v1/media/${id}/content`, { key })), "409 media_not_ready")
        assert.strictEqual((yield* call("PUT", String(record["upload_url"]), { body: bytes })).status, 200)
      })
    )
    it.effect("answers 401 for an address that was altered, and 410 after its time", () =>
      Effect.gen(function* () {
        const { id, key, url } = yield* reserve()
        const other = yield* reserve()
        const address = new URL(url)
        const later = url.replace(/expires=(\d+)/, (_, time) => `expires=${Number(time) + 1}`)
        const altered = [
          later,
          url.replace(id, other.id),
          `${url}A`,
          url.slice(0, -1),
          address.origin + address.pathname,
          `${url}&sig=x`,
          url.replace(/sig=.*/, "sig=")
        ]
        for (const wrong of altered) {
          const answer = yield* call("PUT", wrong, { body: bytes })
          assert.strictEqual(codeOf(answer), "401 UNAUTHORIZED", wrong)
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        }
        assert.strictEqual(
          codeOf(yield* call("PUT", address.origin + address.pathname, { key, body: bytes })),
          "401 UNAUTHORIZED"
        )
        assert.strictEqual(codeOf(yield* call("GET", url)), "401 UNAUTHORIZED")
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual(codeOf(yield* call("PUT", url, { body: bytes })), "410 upload_expired")
        const anew = String(dataOf(yield* call("GET", `/v1/media/${id}`, { key }))["upload_url"])
        assert.strictEqual((yield* call("PUT", anew, { body: bytes })).status, 200)
      })
    )
    it.effect("ends no later than the record itself", () =>
      Effect.gen(function* () {
        const { id, key } = yield* reserve()
        yield* TestClock.adjust("10075 minutes")
        const { keep_until, upload_expires_at } = dataOf(yield* call("GET", `/v1/media/${id}`, { key }))
        assert.strictEqual(String(upload_expires_at), String(keep_until))
      })
    )
    it.effect("answers 404 for a record that was deleted", () =>
      Effect.gen(function* () {
        const { id, key, url } = yield* reserve()
        assert.strictEqual((yield* call("DELETE", `/v1/media/${id}`, { key })).status, 200)
        assert.strictEqual(codeOf(yield* call("PUT", url, { body: bytes })), "404 media_not_found")
      })
    )
    it.effect("lets a download_url serve for one hour", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const id = yield* uploadGif(key)
        const url = String(dataOf(yield* call("GET", `/v1/media/${id}`, { key }))["download_url"])
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual((yield* call("GET", url)).status, 200)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(codeOf(yield* call("GET", url)), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* call("PUT", url, { body: bytes })), "401 UNAUTHORIZED")
      })
    )
  })
})

describe("GET, LIST and DELETE /v1/media (api.md §5)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("reads and lists the records of the workspace alone", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const other = yield* makeWorkspace()
        const ids = [yield* uploadGif(key), yield* uploadGif(key)].reverse()
        const list = yield* call("GET", "/v1/media?limit=1", { key })
        assert.strictEqual(String(list.body["data"]?.["0"]?.["id"]), ids[0])
        const next = yield* call("GET", `/v1/media?limit=1&cursor=${String(list.body["next_cursor"])}`, { key })
        assert.strictEqual(String(next.body["data"]?.["0"]?.["id"]), ids[1])
        assert.isNull(next.body["next_cursor"])
        assert.deepEqual<unknown>((yield* call("GET", "/v1/media", { key: other.key })).body["data"], [])
        for (const id of [ids[0], "x", "med_%00", "x".repeat(1000)]) {
          assert.strictEqual(codeOf(yield* call("GET", `/v1/media/${id}`, { key: other.key })), "404 media_not_found")
        }
        assert.strictEqual(codeOf(yield* call("GET", "/v1/media/x")), "401 UNAUTHORIZED")
        assert.deepEqual(pathsOf(yield* call("GET", "/v1/media?status=ready", { key })), ["status"])
      })
    )
    it.effect("deletes a file, but not while a conversion reads it", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const id = yield* uploadGif(key)
        const conversions = yield* Conversions
        const job = yield* conversions.submit({
          workspaceId: workspace.id,
          gifMediaId: Option.some(id),
          backgroundColor: Option.none(),
          idempotencyKey: Option.none()
        })
        assert.strictEqual(codeOf(yield* call("DELETE", `/v1/media/${id}`, { key })), "409 media_in_use")
        yield* conversions.cancel(workspace.id, job.id)
        const deleted = yield* call("DELETE", `/v1/media/${id}`, { key })
        assert.strictEqual(deleted.status, 200)
        assert.deepEqual<unknown>(deleted.body["data"], { id, deleted: true })
        assert.strictEqual(codeOf(yield* call("DELETE", `/v1/media/${id}`, { key })), "404 media_not_found")
        assert.strictEqual(codeOf(yield* call("GET", `/v1/media/${id}/content`, { key })), "404 media_not_found")
      })
    )
  })
})
