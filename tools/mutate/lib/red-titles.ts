import type { VitestResults } from '../../lib/vitest-results.ts'

/**
 * Titles of the failed tests. A file that failed before its tests has none: if a module cannot be loaded, no test has
 * caught the mutant.
 */
export function redTitles({ tests }: VitestResults): string[] {
  return tests.filter(({ status }) => status === 'failed').map(({ title }) => title)
}
