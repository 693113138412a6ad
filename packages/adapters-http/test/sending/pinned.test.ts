import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { destinationOf } from "../../src/node/sending/destination.ts"
import { makePost } from "../../src/node/sending/post.ts"
import { NameUnresolved, type ResolveName } from "../../src/node/sending/resolveNames.ts"
import { publicAddresses, refusedAddresses, refusedHosts } from "./addresses.ts"
import { certificate, certificateKey, certifiedName } from "./certificate.ts"
import { lineOf, listening, postTo } from "./receiver.ts"

/** Answers each look-up with the next list of addresses, and says how many it was asked. */
const answering = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const asked: Array<string> = []
  const resolve: ResolveName = (name) =>
    Effect.suspend(() => {
      const addresses = answers[asked.length]
      asked.push(name)
      return addresses === undefined
        ? Effect.fail(new NameUnresolved({ cause: "no such name" }))
        : Effect.succeed(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })))
    })
  return { asked, resolve }
}

const outcomeOf = (url: string, resolve: ResolveName, allowsPrivate = false) =>
  destinationOf(new URL(url), { allowsPrivate, resolve }).pipe(
    Effect.match({
      onFailure: ({ reason }): string => reason,
      onSuccess: (found) => found.map(({ address }) => address).join()
    })
  )

describe("where a webhook may go", () => {
  it.effect("is no address that is not public, however it is written", () =>
    Effect.gen(function* () {
      const { asked, resolve } = answering()
      for (const host of refusedHosts) {
        assert.strictEqual(yield* outcomeOf(`https://${host}/hook`, resolve), "address_refused", host)
      }
      assert.deepEqual(asked, [], "none of them is asked for")
    })
  )
  it.effect("is no name with an address that is not public, alone or among others", () =>
    Effect.gen(function* () {
      for (const address of refusedAddresses.flatMap(([kind, addresses]) => (kind === "no address" ? [] : addresses))) {
        const names = answering([address], ["8.8.8.8", address], [address, "2606:4700:4700::1111"])
        for (let n = 0; n < 3; n += 1) {
          assert.strictEqual(yield* outcomeOf("https://example.com", names.resolve), "address_refused", address)
        }
      }
    })
  )
  it.effect("is every public address of a name", () =>
    Effect.gen(function* () {
      const { resolve } = answering(publicAddresses)
      assert.strictEqual(yield* outcomeOf("https://example.com", resolve), publicAddresses.join())
      assert.strictEqual(yield* outcomeOf("https://[2606:4700:4700::1111]:8443/", resolve), "2606:4700:4700::1111")
    })
  )
  it.effect("is nowhere for a name without an address", () =>
    Effect.gen(function* () {
      const { resolve } = answering([])
      assert.strictEqual(yield* outcomeOf("https://example.com", resolve), "address_unresolved")
      assert.strictEqual(yield* outcomeOf("https://example.com", resolve), "address_unresolved")
    })
  )
  it.effect("is not http, and anything only where private addresses are allowed", () =>
    Effect.gen(function* () {
      const { asked, resolve } = answering(["8.8.8.8"], ["10.0.0.1", "8.8.8.8"])
      assert.strictEqual(yield* outcomeOf("http://example.com", resolve), "address_refused")
      assert.strictEqual(yield* outcomeOf("http://example.com", resolve, true), "8.8.8.8")
      assert.strictEqual(yield* outcomeOf("https://example.com", resolve, true), "10.0.0.1,8.8.8.8")
      for (const local of ["localhost", "localhost.", "a.localhost"]) {
        assert.strictEqual(yield* outcomeOf(`http://${local}:3000`, resolve, true), "127.0.0.1,::1")
      }
      assert.strictEqual(asked.length, 2, "localhost is asked of nobody")
      assert.strictEqual(yield* outcomeOf("ftp://example.com", resolve, true), "address_refused")
    })
  )
})

/** A receiver behind TLS that only this test trusts, and only while it runs. */
const secured = Effect.gen(function* () {
  const before = getCACertificates("default")
  yield* Effect.acquireRelease(
    Effect.sync(() => setDefaultCACertificates([...before, certificate])),
    () => Effect.sync(() => setDefaultCACertificates(before))
  )
  return yield* untrusted
})

const untrusted = Effect.suspend(() => {
  const names: Array<string | false | null> = []
  const server = createServer({ key: certificateKey, cert: certificate }, (request, response) => {
    names.push("servername" in request.socket ? String(request.socket.servername) : null, request.headers.host ?? null)
    response.writeHead(204).end()
  })
  return Effect.map(listening(server), (receiver) => ({ ...receiver, names }))
})

const isPublic = (address: string) => address === "127.0.0.1"

describe("a connection", () => {
  it.effect("goes to the judged address, by the name in TLS and Host", () =>
    Effect.gen(function* () {
      const receiver = yield* secured
      const { asked, resolve } = answering(["127.0.0.1"], ["127.0.0.1"])
      const post = yield* makePost({ allowsPrivate: false, resolve, isPublic })
      const url = `https://${certifiedName}:${receiver.port}/`
      assert.strictEqual(lineOf(yield* post(postTo(url))), "204")
      assert.deepEqual(receiver.names, [certifiedName, `${certifiedName}:${receiver.port}`])
      assert.deepEqual(asked, [certifiedName], "asked once: who connects does not ask again")
    })
  )
  it.effect("is not made when the name leads elsewhere the second time, by an open connection neither", () =>
    Effect.gen(function* () {
      const receiver = yield* secured
      // 127.0.0.2 is this machine as well, but was not judged fit.
      const { resolve } = answering(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1", "127.0.0.2"], ["127.0.0.1"])
      const post = yield* makePost({ allowsPrivate: false, resolve, isPublic })
      const url = `https://${certifiedName}:${receiver.port}/`
      const said: Array<string> = []
      for (let n = 0; n < 4; n += 1) said.push(lineOf(yield* post(postTo(url))))
      assert.deepEqual(said, ["204", "address_refused", "address_refused", "204"])
      assert.strictEqual(receiver.names.length, 4)
    })
  )
  it.effect("asks no resolver between judging and connecting", () =>
    Effect.gen(function* () {
      const receiver = yield* secured
      // Judged as public, and nobody is there; the second answer would reach the receiver.
      const { asked, resolve } = answering(["127.0.0.3"], ["127.0.0.1"])
      const post = yield* makePost({ allowsPrivate: false, resolve, isPublic: (address) => address === "127.0.0.3" })
      const posted = yield* post(postTo(`https://${certifiedName}:${receiver.port}/`))
      assert.deepEqual([lineOf(posted), asked.length, receiver.connections()], ["connection_refused", 1, 0])
    })
  )
  it.effect("is not made to loopback, private and metadata addresses, nor by a redirect to them", () =>
    Effect.gen(function* () {
      const receiver = yield* secured
      const { resolve } = answering(["127.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"])
      const post = yield* makePost({ allowsPrivate: false, resolve })
      for (const host of [
        certifiedName,
        certifiedName,
        certifiedName,
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "localhost"
      ]) {
        assert.strictEqual(lineOf(yield* post(postTo(`https://${host}:${receiver.port}/`))), "address_refused", host)
      }
      assert.strictEqual(receiver.connections(), 0)
    })
  )
  it.effect("ends where the certificate is not trusted, or is of another name", () =>
    Effect.gen(function* () {
      const strange = yield* untrusted
      const { resolve } = answering(["127.0.0.1"], ["127.0.0.1"])
      const post = yield* makePost({ allowsPrivate: false, resolve, isPublic })
      assert.strictEqual(lineOf(yield* post(postTo(`https://${certifiedName}:${strange.port}/`))), "tls_failed")
      const receiver = yield* secured
      assert.strictEqual(lineOf(yield* post(postTo(`https://other.loopbox.test:${receiver.port}/`))), "tls_failed")
      assert.deepEqual([...strange.names, ...receiver.names], [])
    })
  )
})
