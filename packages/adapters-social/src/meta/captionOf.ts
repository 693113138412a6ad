import * as Option from "effect/Option"
import { bodyText } from "@loopbox/core/networks/networkText"

/** The text of a post, if it has any. */
export const captionOf = (text: Option.Option<string>): Option.Option<string> =>
  Option.filter(Option.map(text, bodyText), (caption) => caption !== "")
