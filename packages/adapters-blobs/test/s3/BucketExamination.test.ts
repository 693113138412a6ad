import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Redacted } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { examineBucket } from "../../src/s3/BucketExamination.ts"
import { misbehaving, refuse } from "./misbehaving.ts"

const at = (endpoint: string) => ({
  bucket: "loopbox",
  prefix: "one/",
  region: "us-east-1",
  endpoint,
  pathStyle: true,
  credentials: { accessKeyId: "test:tester", secretAccessKey: Redacted.make("testing") }
})

const xml = (response: ServerResponse, text: string) =>
  response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${text}`)

const isLifecycle = ({ url = "" }: IncomingMessage) => url.includes("lifecycle")

/** A bucket that takes everything. */
const wellBucket = (request: IncomingMessage, response: ServerResponse) => {
  if (request.method === "PUT") return response.writeHead(200, { etag: '"x"' }).end()
  if (request.method === "DELETE") return response.writeHead(204).end()
  return request.url?.includes("list-type") === true
    ? xml(response, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
    : response.writeHead(200, { "content-length": 1 }).end(new Uint8Array([100]))
}

const rule = (prefix: string) =>
  `<LifecycleConfiguration><Rule><ID>theirs</ID><Status>Enabled</Status><Filter><Prefix>${prefix}</Prefix></Filter>` +
  "<AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation></AbortIncompleteMultipartUpload>" +
  "</Rule></LifecycleConfiguration>"

const examine = (answer: (request: IncomingMessage, response: ServerResponse) => unknown, mend = false) =>
  Effect.gen(function* () {
    const server = yield* misbehaving((request, response) => void answer(request, response))
    const findings = yield* examineBucket(at(server.address), { mend })
    return { findings: findings.map(({ isWell, message, name }) => [name, isWell, message] as const), ...server }
  })

const dateOff = (minutes: number) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    DateTime.toDateUtc(DateTime.makeUnsafe(now + minutes * 60_000)).toUTCString()
  )

describe("examineBucket", () => {
  it.live("says what cannot be done with a bucket, and what to do", () =>
    Effect.gen(function* () {
      for (const [status, code, sentence] of [
        [404, "NoSuchBucket", "the bucket does not exist"],
        [400, "ExpiredToken", "the credentials have expired"],
        [403, "AccessDenied", "may not do this"]
      ] as const) {
        const { findings } = yield* examine((_, response) => refuse(response, status, code))
        assert.deepStrictEqual(
          findings.map(([name, isWell]) => [name, isWell]),
          [
            ["bucket", false],
            ["bucket clock", true]
          ]
        )
        assert.include(
          findings[0]?.[2] ?? "",
          `s3://loopbox/one/ cannot write: The bucket loopbox cannot be used (${code})`
        )
        assert.include(findings[0]?.[2] ?? "", sentence)
      }
      const { findings } = yield* examine((request, response) =>
        request.method === "DELETE" ? refuse(response, 403, "AccessDenied") : wellBucket(request, response)
      )
      assert.include(findings[0]?.[2] ?? "", "cannot delete")
    }).pipe(Effect.scoped)
  )

  it.live("says by how much the clocks differ, also where the store refuses because of it", () =>
    Effect.gen(function* () {
      const early = yield* dateOff(-20)
      const skewed = yield* examine((_, response) => {
        response.setHeader("date", early)
        refuse(response, 403, "RequestTimeTooSkewed")
      })
      assert.include(skewed.findings[0]?.[2] ?? "", "clock is wrong")
      assert.strictEqual(skewed.findings[1]?.[1], false)
      assert.match(skewed.findings[1]?.[2] ?? "", /clock is 1[12]\d\d s ahead of the store's/)
      const late = yield* dateOff(1)
      const { findings } = yield* examine((request, response) => {
        response.setHeader("date", late)
        return isLifecycle(request) ? xml(response, rule("")) : wellBucket(request, response)
      })
      assert.strictEqual(findings[1]?.[1], true)
      assert.match(findings[1]?.[2] ?? "", /clock is (59|60|61) s behind the store's/)
    }).pipe(Effect.scoped)
  )

  it.live(
    "looks for the rule for unfinished uploads, and adds it beside those that are there where that is wanted",
    () =>
      Effect.gen(function* () {
        const uploads = (found: { readonly findings: ReadonlyArray<readonly [string, boolean, string]> }) =>
          found.findings.find(([name]) => name === "bucket uploads")?.[2] ?? ""
        const withRules = (text: string) => (request: IncomingMessage, response: ServerResponse) =>
          isLifecycle(request) && request.method === "GET" ? xml(response, text) : wellBucket(request, response)
        assert.include(uploads(yield* examine(withRules(rule("")))), "removes unfinished uploads")
        assert.include(uploads(yield* examine(withRules(rule("one/")))), "a rule of the bucket removes")
        assert.include(uploads(yield* examine(withRules(rule("other/")))), "no rule of the bucket removes")
        const mended = yield* examine(withRules(rule("other/")), true)
        assert.include(uploads(mended), "a rule was added")
        const body = mended.bodies.find((one) => one.includes("LifecycleConfiguration")) ?? ""
        for (const part of ["<ID>theirs</ID>", "<Prefix>other/</Prefix>", "<Prefix>one/</Prefix>"])
          assert.include(body, part)
        const absent = yield* examine((request, response) =>
          isLifecycle(request) ? refuse(response, 404, "NoSuchLifecycleConfiguration") : wellBucket(request, response)
        )
        assert.include(uploads(absent), "no rule of the bucket removes")
        const unable = yield* examine((request, response) =>
          isLifecycle(request) ? refuse(response, 501, "NotImplemented") : wellBucket(request, response)
        )
        assert.include(uploads(unable), "knows no rules")
        const denied = yield* examine((request, response) =>
          isLifecycle(request) ? refuse(response, 403, "AccessDenied") : wellBucket(request, response)
        )
        assert.include(uploads(denied), "s3:GetLifecycleConfiguration")
      }).pipe(Effect.scoped)
  )
})
