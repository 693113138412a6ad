import { assert, describe, layer } from "@effect/vitest"
import { ConnectFailureCode } from "@loopbox/core/connecting/ConnectSession"
import { ConnectLinkExpired, ConnectLinkUnknown, StateInvalid } from "@loopbox/core/connecting/ConnectErrors"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { createHash } from "node:crypto"
import { accountView } from "../accounts/accountFixtures.ts"
import { AccountNotFound } from "@loopbox/core/accounts/AccountErrors"
import { type Answer, call, serverWith, services } from "../support.ts"
import {
  accountId,
  choosePath,
  choosing,
  failed,
  linkToken,
  otherAccountId,
  Script,
  secrets,
  sessionId,
  sessionWith
} from "./scriptedConnecting.ts"

const server = serverWith({ publicUrl: "https://loopbox.example/base/" }).pipe(Layer.provideMerge(services))

const languages = { en: "en-GB,en;q=0.9", de: "de-DE,de;q=0.9" } as const

const read = (path: string, language: string, init: RequestInit = {}) =>
  call("GET", path, { ...init, headers: { "accept-language": language, ...init.headers } })

/** What every page is: readable without a script, and closed to everything that is not its own. */
const judgePage = ({ headers, text }: Answer, language: string) => {
  assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
  assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${language}">`))
  assert.match(text, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
  assert.notMatch(text, /<script|javascript:|\son\w+=|style="|http:\/\//i)
  assert.strictEqual(headers.get("content-language"), language)
  assert.include(headers.get("vary") ?? "", "Accept-Language")
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
  const policy = headers.get("content-security-policy") ?? ""
  const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? ""
  assert.include(policy, "default-src 'none'")
  assert.include(policy, "frame-ancestors 'none'")
  assert.include(policy, `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`)
  assert.notInclude(policy, "unsafe")
  assert.notInclude(text, "detail-of-mine")
  return text
}

const away = new StoreUnavailable({ operation: "test", committed: "no", cause: "as scripted" })

describe("the pages of connecting (api-2.md §11)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    for (const [language, accepted] of Object.entries(languages)) {
      const isGerman = language === "de"
      it.effect(`let a person choose, in ${language}`, () =>
        Effect.gen(function* () {
          const script = yield* Script
          script.sessions = { choices: () => Effect.succeed(choosing()) }
          const answer = yield* read(choosePath, accepted)
          assert.strictEqual(answer.status, 200)
          const text = judgePage(answer, language)
          assert.match(text, isGerman ? /Sie verbinden Konten von Facebook mit Acme/ : /accounts of Facebook with Acme/)
          assert.match(text, isGerman ? /Beiträge veröffentlichen/ : /publish posts/)
          assert.notMatch(text, isGerman ? /Kommentare verbergen/ : /hide and delete/)
          assert.match(text, /<form method="post" action="\/base\/connect\/choose\/0123456789abcdef">/)
          assert.match(text, /<input type="hidden" name="form_token" value="form-of-mine">/)
          assert.match(text, /<input type="checkbox" name="account" value="k1" checked>/)
          assert.match(text, /<input type="checkbox" name="account" value="k2" disabled>/)
          assert.match(text, /Corner Bakery<small>@corner<\/small>/)
          assert.match(text, /<img src="https:\/\/pictures\.example\/1\.jpg" alt=""/)
          assert.match(text, isGerman ? /Ihre Rolle auf dieser Seite/ : /Your role on this Page/)
          assert.include(answer.headers.get("content-security-policy") ?? "", "img-src https:")
          const drawn = choosing().choices.map((one) => ({
            ...one,
            avatarUrl: Option.some("http://127.0.0.1:4711/facebook/pictures/1.svg")
          }))
          script.sessions = { choices: () => Effect.succeed(choosing({ single: true, choices: drawn })) }
          const simulated = (yield* read(choosePath, accepted)).headers.get("content-security-policy") ?? ""
          assert.include(simulated, "img-src https: http://127.0.0.1:4711;")
          assert.match((yield* read(choosePath, accepted)).text, /<input type="radio" name="account" value="k1"/)
        })
      )
      it.effect(`say how a session ended, in ${language}`, () =>
        Effect.gen(function* () {
          const script = yield* Script
          const find = () => Effect.succeed({ session: sessionWith("failed"), linkToken })
          script.sessions = {
            find,
            choices: () =>
              Effect.succeed({
                _tag: "Ended",
                session: sessionWith("completed", { accountIds: [accountId, otherAccountId] })
              })
          }
          const asked: Array<string> = []
          script.accounts = {
            find: (scope, id) => {
              asked.push(`${scope._tag} ${id}`)
              return id === accountId
                ? Effect.succeed(accountView({ name: "Corner <Bakery>" }))
                : Effect.fail(new AccountNotFound({ workspaceId: scope.workspaceId, accountId: id }))
            }
          }
          const done = judgePage(yield* read(choosePath, accepted), language)
          assert.match(
            done,
            isGerman ? /Ihr Konto bei Facebook ist verbunden/ : /Your account at Facebook is connected/
          )
          assert.include(done, "<ul><li>Corner &lt;Bakery&gt;</li></ul>")
          assert.deepEqual(asked, [`WorkspaceScope ${accountId}`, `WorkspaceScope ${otherAccountId}`])
          const titles = new Set<string>()
          for (const code of ConnectFailureCode.literals) {
            const status = code === "denied" ? "denied" : code === "missing_scopes" ? "completed" : "failed"
            const session = sessionWith(status, { failure: failed(code) })
            script.sessions = { find, choices: () => Effect.succeed({ _tag: "Ended", session }) }
            const answer = yield* read(choosePath, accepted)
            assert.strictEqual(answer.status, 200)
            const text = judgePage(answer, language)
            titles.add(/<p>([^]*)<\/p>/.exec(text)?.[1] ?? "")
            assert.include(text, sessionId)
            const again = `<a class="button" href="https://loopbox.example/base/connect/${secrets.link}">`
            if (status === "completed") assert.notInclude(text, secrets.link)
            else assert.include(text, again)
          }
          assert.strictEqual(titles.size, ConnectFailureCode.literals.length)
          const session = sessionWith("failed", {
            failure: failed("provider_error"),
            expiresAt: DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
          })
          script.sessions = { find, choices: () => Effect.succeed({ _tag: "Ended", session }) }
          assert.notInclude((yield* read(choosePath, accepted)).text, secrets.link)
        })
      )
      it.effect(`say why they cannot go on, in ${language}`, () =>
        Effect.gen(function* () {
          const script = yield* Script
          const open = (failure: ConnectLinkUnknown | ConnectLinkExpired | StoreUnavailable) => {
            script.sessions = { begin: () => Effect.fail(failure) }
            return read(`/connect/${secrets.link}`, accepted, { headers: { "x-request-id": "asked.1" } })
          }
          const unknown = yield* open(new ConnectLinkUnknown())
          const expired = yield* open(new ConnectLinkExpired())
          const down = yield* open(away)
          script.sessions = { callback: () => Effect.fail(new StateInvalid()) }
          const back = `/connect/callback/facebook?state=${secrets.state}&code=${secrets.code}`
          const invalid = yield* read(back, accepted, { headers: { "x-request-id": "asked.1" } })
          script.callbacks = { findDeletion: () => Effect.succeedNone }
          const deletion = yield* read("/connect/deletion/abc", accepted, { headers: { "x-request-id": "asked.1" } })
          const all = [unknown, expired, down, invalid, deletion]
          assert.deepEqual(
            all.map(({ status }) => status),
            [404, 410, 503, 400, 404]
          )
          assert.strictEqual(down.headers.get("retry-after"), "5")
          const texts = all.map((answer) => judgePage(answer, language))
          assert.strictEqual(new Set(texts.map((text) => /<title>(.*)<\/title>/.exec(text)?.[1])).size, 5)
          for (const text of texts) {
            assert.include(text, "asked.1")
            assert.notInclude(text, "of-mine")
          }
        })
      )
      it.effect(`tell a person whether their data is deleted, in ${language}`, () =>
        Effect.gen(function* () {
          const script = yield* Script
          const createdAt = DateTime.makeUnsafe("2026-11-21T07:00:00.000Z")
          const ask = (completedAt: Option.Option<DateTime.Utc>) => {
            script.callbacks = { findDeletion: (code) => Effect.succeedSome({ code, createdAt, completedAt }) }
            return read("/connect/deletion/abc123", accepted)
          }
          const underWay = judgePage(yield* ask(Option.none()), language)
          assert.match(underWay, isGerman ? /wird bearbeitet/ : /being worked on/)
          assert.include(underWay, "abc123")
          const done = judgePage(yield* ask(Option.some(DateTime.add(createdAt, { days: 1 }))), language)
          assert.match(done, isGerman ? /22\. November 2026/ : /22 November 2026/)
          assert.match(done, isGerman ? /ist gelöscht/ : /is deleted/)
        })
      )
    }
    it.effect("ask for patience, and for the same again by themselves", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const waiting = () => Effect.succeed({ _tag: "Waiting" } as const)
        script.sessions = { callback: waiting, choices: waiting, choose: waiting }
        for (const path of ["/connect/callback/facebook?state=s&code=c", choosePath]) {
          const answer = yield* read(path, "de")
          assert.strictEqual(answer.status, 202)
          assert.match(judgePage(answer, "de"), /<meta http-equiv="refresh" content="2">/)
        }
        const sent = yield* call("POST", choosePath, {
          body: `form_token=${secrets.form}&account=k1`,
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
        assert.deepEqual([sent.status, sent.headers.get("location")], [303, `/base${choosePath}`])
      })
    )
    it.effect("show what strangers called themselves, and nothing that they wrote runs", () =>
      Effect.gen(function* () {
        const script = yield* Script
        const evil = `"><script>alert(1)</script><a href='javascript:alert(2)'>`
        const session = sessionWith("choosing")
        const choices = choosing().choices.map((choice) => ({
          ...choice,
          key: evil,
          name: evil,
          username: Option.some(evil),
          avatarUrl: Option.some(`https://x.example/${evil}`)
        }))
        const page = choosing({ session, workspaceName: evil, formToken: Redacted.make(evil), choices })
        script.sessions = { choices: () => Effect.succeed(page) }
        const { text } = yield* read(choosePath, "en")
        assert.notMatch(text, /<script|<a /)
        assert.include(text, "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
        const plain = choices.map((choice) => ({ ...choice, avatarUrl: Option.some("javascript:alert(1)") }))
        script.sessions = { choices: () => Effect.succeed({ ...page, choices: plain }) }
        assert.notInclude((yield* read(choosePath, "en")).text, "<img")
      })
    )
  })
})
