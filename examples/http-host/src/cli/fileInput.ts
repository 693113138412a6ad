import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as path from "node:path"

/** As people name a file: from the working folder, where it lies in that. */
const asNamed = (absolute: string): string => {
  const relative = path.relative("", absolute)
  return relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative) ? absolute : relative
}

/** A file as an argument, whose name shells complete. Whether it is there is for the command to say. */
export const fileArgument = (name: string) => Argument.Path(name).pipe(Argument.map(asNamed))

/** Likewise as a flag. */
export const fileFlag = (name: string) => Flag.Path(name).pipe(Flag.map(asNamed))
