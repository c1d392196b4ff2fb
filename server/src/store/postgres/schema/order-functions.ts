/**
 * Called functions come before the functions that call them, others by name. Postgres resolves calls in SQL bodies when
 * it creates a function.
 */
export function orderFunctions<File extends { readonly name: string; readonly text: string }>(
  functions: readonly File[],
): File[] {
  return functionsCalledBy(functions.map(({ name }) => `${name}()`).join('\n'), functions)
}

/**
 * The functions that a text calls, directly or indirectly, in the order in which they can be created. Two functions
 * that call each other have no such order; the first one found comes last, which PL/pgSQL accepts.
 */
export function functionsCalledBy<File extends { readonly name: string; readonly text: string }>(
  text: string,
  functions: readonly File[],
): File[] {
  const met = new Set<File>()
  const ordered: File[] = []
  const visit = (caller: string): void => {
    const called = namesCalledIn(caller)
    for (const file of functions) {
      if (met.has(file) || !called.has(file.name)) continue
      met.add(file)
      visit(file.text)
      ordered.push(file)
    }
  }
  visit(text)
  return ordered
}

/** Every word before a parenthesis outside comments. An extra word only changes an order that does not matter. */
function namesCalledIn(text: string): ReadonlySet<string> {
  const withoutComments = text.replace(/--[^\n]*/g, '')
  return new Set([...withoutComments.matchAll(/\b([a-z][a-z0-9_]*)\s*\(/g)].map(([, name = '']) => name))
}
