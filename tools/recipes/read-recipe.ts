/**
 * The code of a recipe, in its order. A fenced block belongs to the file that its info string names after the language:
 * a block of `diff` changes that file, any other block is the whole of it. Blocks without a file are for reading.
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
