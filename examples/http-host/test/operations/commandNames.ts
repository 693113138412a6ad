import { loopbox } from "../../src/commandLine.ts"

interface Named {
  readonly name: string
  readonly alias?: string | undefined
  readonly subcommands: ReadonlyArray<{ readonly commands: ReadonlyArray<Named> }>
}

/** The commands of the program that a text names: each as its words, until the first that is no word of a command. */
export const commandsIn = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(text.matchAll(/(?:^|\s)loopbox((?: +[\w./:-]+)+)/gm), ([, rest = ""]) => rest.trim().split(/ +/))

const isKnown = (command: Named, [word, ...rest]: ReadonlyArray<string>): boolean => {
  const below = command.subcommands.flatMap(({ commands }) => commands)
  if (below.length === 0 || word === "--version") return true
  const next = below.find(({ alias, name }) => name === word || alias === word)
  return next !== undefined && isKnown(next, rest)
}

/** Those of them that the program does not have. */
export const unknownCommands = (commands: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  commands.filter((words) => !isKnown(loopbox, words)).map((words) => words.join(" "))
