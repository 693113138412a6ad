import * as Option from "effect/Option"

/** A picture that a page of ours may show. */
export const secureLink = (link: Option.Option<string>): Option.Option<string> =>
  Option.filter(link, (url) => url.startsWith("https://"))
