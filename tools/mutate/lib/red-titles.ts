import type { VitestResults } from '../../lib/vitest-results.ts'

/**
 * Titles of the tests that failed. A file that broke before its tests has none: what cannot even be loaded was not
 * noticed by a test.
 */
export function redTitles({ tests }: VitestResults): string[] {
  return tests.filter(({ status }) => status === 'failed').map(({ title }) => title)
}
