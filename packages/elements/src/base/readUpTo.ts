/** What a list has on all of its pages, up to so many: a list without an end would keep a page asking for ever. */
export const readUpTo = async <Item>(most: number, list: AsyncIterable<Item>): Promise<ReadonlyArray<Item>> => {
  const all: Array<Item> = []
  for await (const item of list) if (all.push(item) >= most) break
  return all
}
