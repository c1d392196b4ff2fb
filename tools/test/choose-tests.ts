import { isTest } from '../lib/source-file.ts'

/** A change that reaches one of these can concern any test: what is installed, how tests are run, on which engines. */
const concernAll = new Set([
  'package.json',
  'package-lock.json',
  '.npmrc',
  'tsconfig.json',
  'server/package.json',
  'server/vitest.config.ts',
  'server/test/setup/engines.ts',
])

/** Enough to be sure of a change while it is made. */
const nearMin = 10

/**
 * The test files that a change concerns: those that changed, and those that reach a changed file by imports or by
 * reading or starting it. `references` has what each module needs, as `readReferences` tells it.
 *
 * Whatever the gateway is made of is reached by every test that starts one, which is nearly half of them. `isNear`
 * keeps to the tests that are the fewest references away from each changed file, at least ten where there are as many.
 */
export function chooseTests(references: References, changed: readonly string[], isNear = false): ChosenTests {
  const needers = invert(references)
  const reached = walkNeeders(needers, changed).flat()
  const because = reached.find((path) => concernAll.has(path))
  if (because !== undefined) return { kind: 'all', because }
  const testsOf = (paths: readonly string[]) => paths.filter((path) => isTest(path) && references.has(path))
  const concerned = testsOf(reached).sort()
  if (!isNear) return { kind: 'some', tests: concerned, leftOut: 0 }

  const near = new Set<string>()
  for (const path of changed) {
    const nearest = new Set<string>()
    // A test that reads the whole repository is not near to any file of it.
    for (const level of walkNeeders(withoutRoot(needers), [path])) {
      if (nearest.size < nearMin) for (const test of testsOf(level)) nearest.add(test)
    }
    for (const test of nearest) near.add(test)
  }
  return { kind: 'some', tests: [...near].sort(), leftOut: concerned.length - near.size }
}

export type References = ReadonlyMap<string, readonly string[]>
type ChosenTests =
  | { readonly kind: 'all'; readonly because: string }
  | { readonly kind: 'some'; readonly tests: readonly string[]; readonly leftOut: number }

/** From a path to the modules that refer to it. */
type Needers = ReadonlyMap<string, readonly string[]>

function invert(references: References): Needers {
  const needers = new Map<string, string[]>()
  for (const [path, targets] of references) {
    for (const target of targets) {
      const known = needers.get(target)
      if (known === undefined) needers.set(target, [path])
      else known.push(path)
    }
  }
  return needers
}

function withoutRoot(needers: Needers): Needers {
  return new Map([...needers].filter(([target]) => target !== ''))
}

/** Level by level: the paths themselves, then those that need one of them or a folder that it stands in, and so on. */
function walkNeeders(needers: Needers, paths: readonly string[]): string[][] {
  const known = new Set(paths)
  const levels = [[...known]]
  for (const level of levels) {
    const next: string[] = []
    for (const place of level.flatMap((path) => [path, ...foldersOf(path)])) {
      for (const needer of needers.get(place) ?? []) {
        if (known.has(needer)) continue
        known.add(needer)
        next.push(needer)
      }
    }
    if (next.length > 0) levels.push(next)
  }
  return levels
}

/** Every folder that a path stands in, up to the repository's root, which is the empty path. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return [...names.map((_, depth) => names.slice(0, depth + 1).join('/')), '']
}
