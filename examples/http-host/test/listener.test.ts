import * as HttpServerError from "effect/http/HttpServerError"
import { assert, describe, it } from "vitest"
import { explainServeError } from "../src/listener.ts"

const wanted = {
  host: "0.0.0.0",
  hostGivenAs: "LOOPBOX_HOST",
  ports: [
    { port: 8080, givenAs: "--port" },
    { port: 9090, givenAs: "LOOPBOX_OPS_PORT" }
  ]
}
/** What is said of an error of Node's. */
const said = (code: string, more: { readonly port?: number } = {}) =>
  explainServeError(wanted)(new HttpServerError.ServeError({ cause: Object.assign(new Error(code), { code }, more) }))
    .message

describe("a port that can't be opened", () => {
  it("is named with what it was given as", () => {
    assert.strictEqual(
      said("EADDRINUSE", { port: 9090 }),
      "Cannot listen on 0.0.0.0:9090: it is taken by another program. Choose another with LOOPBOX_OPS_PORT, or 0 for any free one."
    )
    assert.strictEqual(
      said("EACCES", { port: 8080 }),
      "Cannot listen on 0.0.0.0:8080: this account may not listen there. Choose a port from 1024 on with --port."
    )
    assert.strictEqual(
      said("EADDRNOTAVAIL", { port: 8080 }),
      "Cannot listen on 0.0.0.0:8080: this machine has no such address. LOOPBOX_HOST names it."
    )
    assert.strictEqual(
      said("ENOTFOUND"),
      "Cannot listen on 0.0.0.0:8080 or 9090: this machine knows no such name. LOOPBOX_HOST names it."
    )
  })
})
