import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { errorCodes } from "../../packages/adapters-http/src/api/errorCodes.ts"
import { root } from "../copyRepository.ts"
import { guideHtml } from "../docs/guideHtml.ts"
import { guidesModule, limitsFile, moduleFile, readGuides } from "../docs/guidesModule.ts"
import { fillLimitsPage } from "../docs/limitsPage.ts"

const stale = "is not what the code and docs/guides make now: run `npm run docs:guides`"

describe("npm run docs:guides", () => {
  it("has made the tables of limits and errors from the code as it is", () => {
    const page = readFileSync(join(root, limitsFile), "utf8")
    assert.isTrue(fillLimitsPage(page) === page, `${limitsFile} ${stale}`)
    for (const code of Object.keys(errorCodes)) assert.include(page, `### \`${code}\`\n`)
  })

  it("has made the pages that hosts show from the guides as they are, and every link leads somewhere", () => {
    const { problems, text } = guidesModule(readGuides(root))
    assert.deepStrictEqual(problems, [])
    assert.isTrue(readFileSync(join(root, moduleFile), "utf8") === text, `${moduleFile} ${stale}`)
  })
})

describe("a guide as HTML", () => {
  const names = new Set(["one", "two"])
  const made = (markdown: string) => guideHtml({ name: "one", markdown }, names)

  it("has its title, headings that links find, and none of the marks of examples", () => {
    const { html, problems, title } = made(
      "# One page\n\n## A `list`, and more\n\n### `NOT_FOUND`\n\n<!-- run: it -->\n"
    )
    assert.deepStrictEqual(problems, [])
    assert.strictEqual(title, "One page")
    assert.include(html, '<h2 id="a-list-and-more">A <code>list</code>, and more</h2>')
    assert.include(html, '<h3 id="NOT_FOUND"><code>NOT_FOUND</code></h3>')
    assert.notInclude(html, "run: it")
  })

  it("leads to other guides, to other hosts, and names files of the repository", () => {
    const { html, problems } = made(
      "# One\n\n[two](two.md#part) [here](#one) [far](https://example.com/a?b=1&c=2) [file](../operations/README.md)\n"
    )
    assert.deepStrictEqual(problems, [])
    assert.include(html, '<a href="two#part">two</a>')
    assert.include(html, '<a href="#one">here</a>')
    assert.include(html, '<a href="https://example.com/a?b=1&amp;c=2" rel="noopener">far</a>')
    assert.include(html, "file (<code>operations/README.md</code>)")
  })

  it("names a link that leads nowhere, and a page without title", () => {
    assert.deepStrictEqual(made("[no](three.md)\n").problems, [
      "one.md links to three.md, which is no guide",
      "one.md has no title"
    ])
  })
})
