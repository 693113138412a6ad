/** Rules of this house that oxlint does not have, on its own syntax tree; .oxlintrc.json says where each holds. */
import { relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { judgeImport, judgeName } from "./arrows.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The few members of a syntax node that the rules read. */
interface Node {
  readonly type: string
  readonly source?: { readonly type: string; readonly value?: unknown } | null
}

interface RuleContext {
  readonly filename: string
  readonly report: (problem: { readonly message: string; readonly node: Node }) => void
}

const pathOf = (context: RuleContext): string => relative(root, context.filename).split(sep).join("/")

const arrows = {
  create: (context: RuleContext) => {
    const file = pathOf(context)
    const check = (node: Node) => {
      const specifier = node.source?.value
      if (typeof specifier !== "string") return
      const message = judgeImport(file, specifier)
      if (message !== undefined) context.report({ message, node })
    }
    return {
      Program: (node: Node) => {
        const message = judgeName(file)
        if (message !== undefined) context.report({ message, node })
      },
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check
    }
  }
}

/** A rule that refuses every node of these kinds with one sentence. */
const refuse = (message: string, ...types: ReadonlyArray<string>) => ({
  create: (context: RuleContext) =>
    Object.fromEntries(types.map((type) => [type, (node: Node) => context.report({ message, node })]))
})

export default {
  meta: { name: "loopbox" },
  rules: {
    arrows,
    "events-in-core": refuse(
      "The pure function that decides a change builds its events, in core; a store writes what it is given.",
      'ObjectExpression > Property[key.name="_tag"][value.value=/^(NewItem|Item(Updated|Deleted)|ThreadUpdated|ItemsRead|ReplyUpdated|SyncCompleted|AccountMoved)$/]'
    ),
    "no-try": refuse("Failures are values here: Effect.try, Effect.tryPromise, Effect.catchTag.", "TryStatement"),
    // A namespace (`export * as X`) is one public name; only the nameless form hides what it exports.
    "no-export-all": refuse("The index lists the public names by hand.", "ExportAllDeclaration[exported=null]")
  }
}
