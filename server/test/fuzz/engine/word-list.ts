import { readFileSync } from 'node:fs'
import { nastyWords } from './nasty-words.ts'

/**
 * The words for mutations: words that break parsers, the target's own words, and the literals of the source that the
 * seeds reach.
 */
export function wordsFor(files: Iterable<string>, own: readonly string[], seeds: readonly Buffer[]): readonly string[] {
  const literals = new Set<string>()
  for (const file of files) {
    for (const [, word = ''] of readFileSync(file, 'utf8').matchAll(/'([^'\n\\$]{1,40})'/g)) {
      if (!word.startsWith('#') && !word.startsWith('./') && !word.includes('.ts')) literals.add(word)
    }
  }
  for (const seed of seeds) {
    for (const [, word = ''] of seed.toString('utf8').matchAll(/"([^"\n\\]{1,40})"/g)) literals.add(word)
  }
  return [...nastyWords, ...own, ...own, ...literals]
}
