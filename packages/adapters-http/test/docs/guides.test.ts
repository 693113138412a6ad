import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { partsOf, searchParts } from "../../src/server/docs/Guide.ts"
import { guides } from "../../src/server/docs/guidePages.ts"
import { call, server } from "../support.ts"

const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link)

describe("the guides that a host shows", () => {
  layer(server, { excludeTestServices: true })((it) => {
    const load = (path: string) => call("GET", path)

    it.effect("are listed, and each is there, with nothing from elsewhere and without script", () =>
      Effect.gen(function* () {
        const list = yield* load("/docs/guides")
        assert.strictEqual(list.status, 200)
        for (const { name, title } of guides) {
          assert.include(list.text, `<a href="guides/${name}">${title}</a>`)
          const page = yield* load(`/docs/guides/${name}`)
          assert.strictEqual(page.status, 200)
          assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
          assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src/)
          assert.notMatch(page.text, /<script|<link|<img|src=/)
        }
      })
    )

    it.effect("link to one another and to the reference, also where all of it lies below a prefix", () =>
      Effect.gen(function* () {
        for (const { name } of guides) {
          const page = yield* load(`/docs/guides/${name}`)
          for (const link of linksIn(page.text).filter((one) => !/^https?:/.test(one))) {
            const to = new URL(link, `http://host/social/docs/guides/${name}`)
            assert.match(to.pathname, /^\/social\/docs/, link)
            const answer = yield* load(to.pathname.slice("/social".length))
            assert.strictEqual(answer.status, 200, link)
            if (to.hash !== "") assert.include(answer.text, `id="${to.hash.slice(1)}"`, link)
          }
        }
      })
    )

    it.effect("are searched together with the reference, and what was asked is text", () =>
      Effect.gen(function* () {
        const found = yield* load("/docs/search?q=idempotency_key_conf")
        assert.include(found.text, 'href="guides/limits-and-errors#IDEMPOTENCY_KEY_CONFLICT"')
        const calls = yield* load("/docs/search?q=gif-conversions%20cancel")
        assert.match(
          calls.text,
          /href="\.\.\/docs#\/conversions\/[^"]+"><code>DELETE \/v1\/media\/gif-conversions\/\{id\}</
        )
        const none = yield* load(`/docs/search?q=${encodeURIComponent('"><script>zzz')}`)
        assert.include(none.text, "Nothing was found.")
        assert.include(none.text, "&quot;&gt;&lt;script&gt;zzz")
        assert.strictEqual((yield* load("/docs/search")).status, 200)
      })
    )

    it.effect("are linked from every error of the reference, which says its cause and remedy there", () =>
      Effect.gen(function* () {
        const { text } = yield* load("/openapi.json")
        const { text: page } = yield* load("/docs/guides/limits-and-errors")
        const links = [...text.matchAll(/\]\(docs\/guides\/limits-and-errors#(\w+)\)/g)].map(([, code = ""]) => code)
        assert.isAbove(new Set(links).size, 50)
        for (const code of new Set(links)) assert.include(page, `<h3 id="${code}">`)
      })
    )

    it.effect("answer a page with the list where there is no such guide", () =>
      Effect.gen(function* () {
        const page = yield* load("/docs/guides/nothing")
        assert.strictEqual(page.status, 404)
        assert.include(page.text, '<a href="../guides/quickstart">')
      })
    )

    it.effect("take less than 1 MB together with the reference", () =>
      Effect.gen(function* () {
        const reference = yield* call("GET", "/docs", { headers: { "accept-encoding": "gzip" } })
        const all = guides.reduce((sum, { html }) => sum + html.length, 0)
        const length = Number(reference.headers.get("content-length"))
        assert.isAbove(length, 100_000)
        assert.isBelow(length + all, 1_000_000)
      })
    )
  })
})

describe("the search in guides", () => {
  const parts = partsOf({
    name: "one",
    title: "One",
    html: '<h1 id="one">One</h1><p>A word &amp; more</p><h2 id="two">Words of two</h2><p>Other</p>'
  })

  it("knows the parts of a guide by their headings, as plain text", () => {
    assert.deepStrictEqual(
      parts.map(({ heading, id, text }) => [id, heading, text]),
      [
        ["one", "One", "One A word & more"],
        ["two", "Words of two", "Words of two Other"]
      ]
    )
  })

  it("finds parts that have the beginning of every word, headings first", () => {
    const found = (query: string) => searchParts(parts, query).map(({ id }) => id)
    assert.deepStrictEqual(found("WORD"), ["two", "one"])
    assert.deepStrictEqual(found("word mo"), ["one"])
    assert.deepStrictEqual(found("ord"), [])
    assert.deepStrictEqual(found(" ?! "), [])
  })
})
