import { expect, it } from 'vitest'
import { readImports } from './read-imports.ts'
import { tokenize } from './tokenize.ts'

const specifiersOf = (text: string) => readImports(tokenize(text)).map(({ specifier }) => specifier)

it('finds every form of import, types included', () => {
  const text = `
    import 'effect'
    import whole from "whole"
    import * as star from 'star'
    import type { Only } from './only.ts'
    import first, { type Second, third as 'odd name' } from './named.ts'
    export { fourth } from './fourth.ts'
    export * from './fifth.ts'
    export type * as sixth from './sixth.ts'
    const lazy = await import('./lazy.ts')
    const plain = await import(\`./plain.ts\`)
    type Seventh = import('./seventh.ts').Seventh
    new Worker(new URL('./worker.ts', import.meta.url))
    import data from './data.json' with { type: 'json' }`
  expect(specifiersOf(text)).toEqual([
    'effect',
    'whole',
    'star',
    './only.ts',
    './named.ts',
    './fourth.ts',
    './fifth.ts',
    './sixth.ts',
    './lazy.ts',
    './plain.ts',
    './seventh.ts',
    './worker.ts',
    './data.json',
  ])
})

it('sees no import in comments, strings, templates and regular expressions', () => {
  const text = `
    // import 'a'
    /* import 'b'
       export * from 'c' */
    const quoted = "import 'd'"
    const nested = \`import 'e' \${[\`import 'f'\`, '}'].join("\`")} import 'g'\`
    const pattern = /import 'h["'/.test(quoted) ? 1 / 2 : /[/']/
    const property = loader.import('i')
    export { local }
    export const from = 'j'
    const meta = import.meta.url
    export default from`
  expect(specifiersOf(text)).toEqual([])
})

it('goes on after a template, an apostrophe in a comment and a division', () => {
  const text = `const a = \`\${b}\` // don't\nconst c = (d / e) / f\nimport 'seen'`
  expect(specifiersOf(text)).toEqual(['seen'])
  expect(tokenize(text).at(-1)?.line).toBe(3)
})
