/** Where the page is that this runs in, of which relative addresses are; undefined where there is none. */
export const pageAddress = (): string | undefined => {
  const page: unknown = Reflect.get(globalThis, "location")
  return page instanceof Object && "href" in page ? String(page.href) : undefined
}
