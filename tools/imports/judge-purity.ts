import type { Finding } from '../lib/finding.ts'
import { hasSequence } from '../lib/has-sequence.ts'
import type { Module } from './read-modules.ts'

const pureFolders = new Set(['domain', 'dialects', 'providers', 'errors'])
const environmentFolders = ['config', 'bin']

const impureCalls = [
  { name: 'Date.now', sequence: ['Date', '.', 'now'] },
  { name: 'Math.random', sequence: ['Math', '.', 'random'] },
  { name: 'performance.now', sequence: ['performance', '.', 'now'] },
  { name: 'new Date()', sequence: ['new', 'Date', '(', ')'] },
  { name: 'setTimeout', sequence: ['setTimeout'] },
]

/** Rules take clock, randomness and environment as arguments, and only one file reads the environment. */
export function judgePurity(modules: readonly Module[]): Finding[] {
  return modules.flatMap(({ path, folder, tokens }) =>
    tokens.flatMap((token, at) => {
      const line = token.line
      if (!environmentFolders.includes(folder) && hasSequence(tokens, at, ['process', '.', 'env'])) {
        const message = `process.env is for ${environmentFolders.join(' and ')} alone`
        return [{ rule: 'environment', path, line, message }]
      }
      if (!pureFolders.has(folder)) return []
      return impureCalls
        .filter(({ sequence }) => hasSequence(tokens, at, sequence))
        .map(({ name }) => ({ rule: 'purity', path, line, message: `${name} in the pure folder ${folder}` }))
    }),
  )
}
