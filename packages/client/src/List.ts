/** One page. `nextCursor` is null on the last one, and only there: a short page is not the end. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

/**
 * A list that was asked for: `await` gives one page, `for await` every item of all pages. Nothing is sent before one of
 * the two, and a second `await` asks again.
 */
export interface List<Item> extends PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly catch: Promise<Page<Item>>["catch"]
  readonly finally: Promise<Page<Item>>["finally"]
}

/** `read` gives the page after a cursor, and the list begins after the one that the caller's members say. */
export const makeList = <Item>(first: unknown, read: (cursor: unknown) => Promise<Page<Item>>): List<Item> => ({
  // A list is awaited, and iterated: both are what it is for.
  // oxlint-disable-next-line unicorn/no-thenable
  then: (onPage, onFailure) => read(first).then(onPage, onFailure),
  catch: (onFailure) => read(first).catch(onFailure),
  finally: (onEnd) => read(first).finally(onEnd),
  async *[Symbol.asyncIterator]() {
    for (let cursor = first; ;) {
      const page = await read(cursor)
      yield* page.data
      if (page.nextCursor === null) return
      cursor = page.nextCursor
    }
  }
})
