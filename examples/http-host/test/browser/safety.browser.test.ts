import { assert } from "@effect/vitest"
import { createServer } from "node:http"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, describe, it } from "vitest"
import { assertAccessible, assertFits, keepPicture, openPage, startChromium, windows } from "../support/chromium.ts"
import { goTo, makeVisits, ofOurs, openConversation } from "../support/consoleVisit.ts"
import { startHost, until } from "../support/hostProcess.ts"
import { preparedFolder } from "../support/preparedFolder.ts"
import { runCli } from "../support/runCli.ts"
import { describeUnmoved } from "../support/unmoved.ts"

const places = await preparedFolder()
const host = await startHost(places.folder)
/** A name that no browser takes for its own machine. */
const elsewhere = "loopbox.test"
const browser: Browser = await startChromium([`--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`])
const { sandbox, signIn } = makeVisits(browser, places.folder)

/** Another port of the same machine is the same site to a browser, so that it sends the cookie along. */
const stranger = createServer((asked, answer) => {
  const attacks: Readonly<Record<string, string>> = {
    "/frame": `<iframe src="${host.url}/console" width="900" height="600"></iframe>`,
    "/form": `<form method="post" enctype="text/plain" action="${host.url}/console/sandbox/comment">
      <input name='{"network":"instagram","text":"Forged by a form","x":"' value='"}'></form>
      <script>document.forms[0].submit()</script>`,
    "/script": `<script>
      const send = (path, init) => fetch("${host.url}/console" + path, { credentials: "include", ...init })
      const socket = new Promise((done) => {
        const live = new WebSocket("${host.url.replace("http", "ws")}/console/v1/inbox/ws?inbox_scope=workspace&workspace_id=" + location.hash.slice(1))
        live.onmessage = () => done("message")
        live.onclose = () => done("closed")
      })
      const body = JSON.stringify({ network: "instagram", text: "Forged by a script" })
      Promise.allSettled([
        send("/session", { method: "DELETE" }),
        send("/session", { method: "POST", mode: "no-cors", body: JSON.stringify({ ticket: "a".repeat(43) }) }),
        send("/sandbox/comment", { method: "POST", mode: "no-cors", body }),
        send("/session").then((answer) => answer.text()),
        socket
      ]).then((all) => (document.title = JSON.stringify(all.map(({ status, value }) => [status, typeof value === "string" ? value : value?.type]))))
    </script>`
  }
  answer.writeHead(200, { "content-type": "text/html" }).end(attacks[asked.url ?? ""] ?? "")
})
await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve))
const strangerAddress = stranger.address()
const strangerUrl = `http://127.0.0.1:${typeof strangerAddress === "object" ? strangerAddress?.port : 0}`

afterAll(async () => {
  await browser.close()
  stranger.close()
  await host.stop()
  places.remove()
})

const isSignedIn = async (page: Page): Promise<boolean> => {
  await page.reload()
  await page.getByRole("navigation").or(page.getByLabel("Admin token")).first().waitFor()
  return (await page.getByRole("navigation").count()) > 0
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies(`${host.url}/console`)).find(({ name }) => name.startsWith("loopbox_console"))

describe("pages of strangers", () => {
  it("can't act as the operator who looks at them: by a form, a script, or a socket", async () => {
    const { context, page } = await signIn()
    const workspaces: unknown = await page.evaluate(async () => (await fetch("/console/session")).json())
    const workspace = /ws_[0-9a-z]{26}/.exec(JSON.stringify(workspaces))?.[0] ?? assert.fail()
    const visit = await context.newPage()
    await visit.goto(`${strangerUrl}/form`)
    await visit.waitForURL(/console\/sandbox\/comment/)
    await visit.goto(`${strangerUrl}/script#${workspace}`)
    const told = await until("the end of the attacks", async () => {
      const title = await visit.title()
      return title.startsWith("[") ? title : undefined
    })
    // Two could not be sent, two were answered behind a curtain, and the socket was closed before it opened.
    assert.deepStrictEqual(JSON.parse(told), [
      ["rejected", null],
      ["fulfilled", "opaque"],
      ["fulfilled", "opaque"],
      ["rejected", null],
      ["fulfilled", "closed"]
    ])
    assert.isTrue(await isSignedIn(page))
    const written = await page.evaluate(async () => (await fetch("/console/sandbox/items?network=instagram")).text())
    assert.match(written, /"data":\[/)
    assert.notInclude(written, "Forged")
    await context.close()
  })

  it("can't show the console in a frame", async () => {
    const { context, page } = await signIn()
    const visit = await context.newPage()
    await visit.goto(`${strangerUrl}/frame`)
    const frame = visit.frames().find((one) => one !== visit.mainFrame())
    await until("the refusal", () => (frame?.url().startsWith("chrome-error:") === true ? true : undefined))
    assert.isTrue(await isSignedIn(page))
    await context.close()
  })
})

describe("a session", () => {
  it("is another one than was planted before signing in, and the planted one has ended", async () => {
    const attacker = await signIn()
    const planted = (await sessionOf(attacker.page)) ?? assert.fail()
    const victim = await openPage(browser, { locale: "en-GB" })
    await victim.context.addCookies([planted])
    const { output } = await runCli(["console"], places.folder, { LOOPBOX_DATA: join(places.folder, ".loopbox") })
    await victim.page.goto(/http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output))
    await victim.page.getByRole("navigation").waitFor()
    assert.notStrictEqual((await sessionOf(victim.page))?.value, planted.value)
    assert.isFalse(await isSignedIn(attacker.page))
    await attacker.context.close()
    await victim.context.close()
  })

  it("leaves nothing in the browser once it has ended: not by going back, not offline", async () => {
    const { context, page } = await signIn()
    await sandbox("comment", "--network", "instagram", "Only for the operator")
    await openConversation(page, "Only for the operator")
    await goTo(page, "Accounts")
    await page.getByRole("button", { name: "Settings" }).first().click()
    await page.getByRole("button", { name: "Sign out" }).first().click()
    await page.getByLabel("Admin token").waitFor()
    assert.isUndefined(await sessionOf(page))
    const seen = async () => (await page.getByText("Only for the operator").count()) > 0
    await page.goBack()
    await page.getByLabel("Admin token").waitFor()
    assert.isFalse(await seen())
    await context.setOffline(true)
    await page.goBack().catch(() => undefined)
    assert.isFalse(await seen())
    const kept = await page.evaluate(async () => {
      const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
      for (const name of await caches.keys()) texts.push(name)
      return texts.join()
    })
    assert.notInclude(kept, "Only for the operator")
    await context.close()
  })

  it("is not begun by http from another machine: the page says what to do, and the link still counts", async () => {
    const { context, page } = await openPage(browser, { locale: "en-GB", viewport: windows.telephone })
    const { output } = await runCli(["console"], places.folder, { LOOPBOX_DATA: join(places.folder, ".loopbox") })
    const link = /http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output)
    await page.goto(link.replace("127.0.0.1", elsewhere))
    await page.getByRole("heading", { name: "This connection is not secure" }).waitFor()
    await page.getByText(`ssh -L 8080:127.0.0.1:${new URL(host.url).port} ${elsewhere}`).waitFor()
    await assertAccessible(page, "a connection that is not secure")
    await assertFits(page, "a connection that is not secure")
    await keepPicture(page, "insecure")
    await page.goto(link)
    await page.getByRole("navigation").waitFor()
    await context.close()
  })
})

describeUnmoved("those that are moved here are one installation")("hosts of two installations on one machine", () => {
  it("have sessions that stand side by side", async () => {
    const other = await preparedFolder()
    const second = await startHost(other.folder)
    try {
      const { context, page } = await signIn()
      const visit = await context.newPage()
      const { output } = await runCli(["console"], other.folder, { LOOPBOX_DATA: join(other.folder, ".loopbox") })
      await visit.goto(/http\S+#[\w-]+/.exec(output)?.[0] ?? assert.fail(output))
      await visit.getByRole("navigation").waitFor()
      assert.isTrue(await isSignedIn(page))
      assert.isTrue(await isSignedIn(visit))
      await context.close()
    } finally {
      await second.stop()
      other.remove()
    }
  })
})

describe("what a page may run", () => {
  it("is what the host serves: no page breaks the policy, and the policy stops what is put into one", async () => {
    const { complaints, context, page } = await signIn()
    await page.evaluate(() => {
      Reflect.set(window, "violations", [])
      document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
        Reflect.get(window, "violations").push(violatedDirective)
      )
    })
    const violations = (): Promise<ReadonlyArray<string>> => page.evaluate(() => Reflect.get(window, "violations"))
    for (const name of ["Accounts", "Posts", "Media", "Webhooks", "Activity", "Sandbox", "Inbox"]) {
      await goTo(page, name)
      await page.locator(".loading-state").first().waitFor({ state: "detached" })
    }
    assert.deepStrictEqual([await violations(), ofOurs(complaints)], [[], []])
    await page.evaluate(() => {
      const script = document.createElement("script")
      script.textContent = "window.taken = 1"
      document.body.append(script)
    })
    await until("the violation", async () => ((await violations()).length > 0 ? true : undefined))
    assert.match((await violations())[0] ?? "", /script-src/)
    assert.isFalse(await page.evaluate(() => "taken" in window))
    await context.close()
  })
})
