import * as Effect from "effect/Effect"
import { Digest, sha256 } from "effect/crypto/Digest"
import * as Base64 from "effect/encoding/Base64"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Markup, markup, noMarkup } from "./markup.ts"
import type { Language } from "./language.ts"

const style =
  ":root{color-scheme:light dark}*{box-sizing:border-box}body{margin:0;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:#1b1f24;background:#f4f5f7}" +
  "main{max-width:32rem;margin:2rem auto;padding:1.25rem;background:#fff;border:1px solid #d5d9de;border-radius:.5rem;" +
  "overflow-wrap:anywhere}h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.25}fieldset{margin:1rem 0;padding:0;border:0}" +
  "legend{padding:0;font-weight:600}label{display:flex;gap:.75rem;align-items:center;margin:.5rem 0;padding:.6rem;" +
  "border:1px solid #d5d9de;border-radius:.4rem}label small{display:block;color:#57606a}" +
  "input{flex:none;width:1.2rem;height:1.2rem;margin:0}img{flex:none;width:3rem;height:3rem;border-radius:50%;object-fit:cover;position:relative}" +
  // Shown only over a picture that can't be loaded: those of networks expire. The counter stands for a text without quotes.
  "img::after{content:counter(n);font-size:0;position:absolute;inset:0;border-radius:50%;background:#dde1e6}" +
  "button,a.button{display:inline-block;padding:.6rem 1.2rem;font:inherit;font-weight:600;color:#fff;background:#1f5fbf;" +
  "border:0;border-radius:.4rem;text-decoration:none;cursor:pointer}button:focus-visible,a:focus-visible,input:focus-visible" +
  "{outline:3px solid #f0a020;outline-offset:2px}.fault{padding:.6rem;border-left:.3rem solid #b3261e;background:#fdecea}" +
  ".quiet{color:#57606a;font-size:.875rem}@media(prefers-color-scheme:dark){body{color:#e6e8eb;background:#15181c}" +
  "main{background:#1e2328;border-color:#3a4149}label{border-color:#3a4149}label small,.quiet{color:#a4adb7}" +
  ".fault{background:#3b1f1d}button,a.button{background:#2f6fd0}}"

/** One page: plain HTML and CSS, no script. */
export interface PageContent {
  readonly language: Language
  readonly status: number
  readonly title: string
  readonly body: Markup
  /**
   * Where its forms may lead, redirects included: browsers judge every address on the way, that of the customer's app
   * and those to which the app sends the browser on.
   */
  readonly formAction?: string
  /** After how many seconds the browser loads the page again by itself. */
  readonly reloadAfter?: number
  /** Pictures of accounts that it shows, which lie at the networks; those of a simulator are not at https. */
  readonly pictures?: ReadonlyArray<string>
}

const sourcesOf = (pictures: ReadonlyArray<string>): string =>
  [
    ...new Set([
      "https:",
      ...pictures.filter((url) => /^http:/i.test(url) && URL.canParse(url)).map((url) => new URL(url).origin)
    ])
  ].join(" ")

/** Puts a page together with the headers that every page has. */
export const makeFrame = Effect.gen(function* () {
  const digest = yield* Digest
  const styleHash = Base64.encode(yield* digest.digest(sha256, new TextEncoder().encode(style)))
  // It has no character that is escaped, or its hash would be another's.
  const styleTag = markup`<style>${style}</style>`
  return ({ body, formAction = "'none'", pictures, language, reloadAfter, status, title }: PageContent) => {
    const reload =
      reloadAfter === undefined ? noMarkup : markup`<meta http-equiv="refresh" content="${String(reloadAfter)}">`
    const page = markup`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${reload}<title>${title}</title>${styleTag}</head><body><main><h1>${title}</h1>
${body}
</main></body></html>
`
    const policy = [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      `img-src ${pictures === undefined ? "'none'" : sourcesOf(pictures)}`,
      `form-action ${formAction}`,
      "base-uri 'none'",
      "frame-ancestors 'none'"
    ]
    return HttpServerResponse.text(page.text, {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": policy.join("; "),
        "content-language": language,
        vary: "Accept-Language, Cookie"
      }
    })
  }
})
