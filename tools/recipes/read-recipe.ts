/**
 * The code blocks of a recipe, in order. A fenced block belongs to the file that its info string names after the
 * language: a `diff` block changes that file, any other block is its whole content. Blocks without a file are only for
 * reading.
 */
export function readRecipe(document: string): RecipeBlock[] {
  return [...document.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', path = '', text = '']) => ({
      kind: language === 'diff' ? 'diff' : 'file',
      path,
      text,
    }),
  )
}

export type RecipeBlock = { readonly kind: 'diff' | 'file'; readonly path: string; readonly text: string }

/** The commands of a recipe's shell blocks, one by one. */
export function readCommands(document: string): string[] {
  return [...document.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, script = '']) => script.split(/\n| && /))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((command) => command !== '')
}
