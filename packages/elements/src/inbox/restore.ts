/** Puts what was typed back into its field where it was refused and nothing else stands there. */
export const restore = (form: HTMLFormElement, name: string, isDone: boolean, typed: string): void => {
  const field = form.elements.namedItem(name)
  if (!isDone && field instanceof HTMLInputElement && field.value === "") field.value = typed
}
