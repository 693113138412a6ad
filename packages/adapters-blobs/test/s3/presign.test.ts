import { assert, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import { presign } from "../../src/s3/presign.ts"

// AWS' own example, in "Authenticating Requests: Using Query Parameters" of its manual.
it("signs as AWS' manual does", async () => {
  const url = await presign(
    { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
    {
      origin: "https://examplebucket.s3.amazonaws.com",
      path: "/test.txt",
      region: "us-east-1",
      query: {},
      at: DateTime.makeUnsafe("2013-05-24T00:00:00Z"),
      expiresIn: Duration.hours(24)
    }
  )
  assert.strictEqual(
    url,
    "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256" +
      "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z" +
      "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
      "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
  )
})
