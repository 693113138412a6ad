import type { Page, Route } from "playwright-core"

/** A record of the API as it came, or as a test makes it. */
export type WireRecord = Readonly<Record<string, unknown>>

/** Asks the host what the page asked, as the page does: of its own origin. */
export const askHost = (page: Page, route: Route): ReturnType<Route["fetch"]> =>
  route.fetch({ headers: { ...route.request().headers(), origin: new URL(page.url()).origin } })

/** Changes what a list of the API says before the page hears it: the first record that is there is what others are made of. */
export const rewriteList = (
  page: Page,
  path: RegExp,
  change: (records: ReadonlyArray<WireRecord>) => ReadonlyArray<WireRecord>
): Promise<unknown> =>
  page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() !== "GET") return route.fallback()
      const answer = await askHost(page, route)
      // What a test made up, the host does not know: it says so, and has no records.
      const { data = [], ...body }: { readonly data?: ReadonlyArray<WireRecord> } = JSON.parse(await answer.text())
      await route.fulfill({ json: { next_cursor: null, ...body, data: change(data) } })
    }
  )

/** Changes what the API says of one record before the page hears it. */
export const rewriteOne = (page: Page, path: RegExp, change: WireRecord): Promise<unknown> =>
  page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() !== "GET") return route.fallback()
      const answer = await askHost(page, route)
      const body: { readonly data?: WireRecord } = JSON.parse(await answer.text())
      await route.fulfill({ json: { ...body, data: { ...body.data, ...change } } })
    }
  )

/** Answers a request with a refusal. */
export const refuseWith = (page: Page, path: RegExp, status: number, code: string, method = "POST"): Promise<unknown> =>
  page.route(
    ({ pathname }) => path.test(pathname),
    (route) =>
      route.request().method() === method
        ? route.fulfill({
            status,
            headers: { "x-request-id": "req_of_the_test" },
            json: { error: { code, message: "As the test says.", details: {} }, request_id: "req_of_the_test" }
          })
        : route.fallback()
  )
