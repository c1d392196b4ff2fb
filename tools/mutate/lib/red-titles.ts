import type { VitestResults } from '../../lib/vitest-results.ts'

/**
 * Titles of the failed tests. A file that failed before its tests has none: a module that cannot be loaded was not
 * noticed by a test.
 */
export function redTitles({ tests }: VitestResults): string[] {
  return tests.filter(({ status }) => status === 'failed').map(({ title }) => title)
}
