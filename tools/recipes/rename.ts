import type { Recipe } from './follow-recipes.ts'

/** The same recipe with another name, as a newcomer follows it: every added line and every new file uses that name. */
export function rename({ name, blocks, commands }: Recipe): Recipe {
  return {
    name,
    commands,
    blocks: blocks.map(({ kind, path, text }) =>
      kind === 'diff'
        ? { kind, path, text: text.replace(/^\+(?=.*\S).*$/gm, (line) => `${line} // other`) }
        : { kind, path: `${path}.other`, text },
    ),
  }
}
