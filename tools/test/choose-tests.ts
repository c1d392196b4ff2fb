import { isTest } from '../lib/source-file.ts'

/** A change to these can affect any test: installed packages, how tests run, and engines. */
const concernAll = new Set([
  'package.json',
  'package-lock.json',
  '.npmrc',
  'tsconfig.json',
  'server/package.json',
  'server/vitest.config.ts',
  'server/test/setup/engines.ts',
])

/** Enough to trust a change while working on it. */
const nearMin = 10

/**
 * The test files that a change affects: those that changed, and those that reach a changed file by importing, reading
 * or starting it. `references` lists what each module needs, as `readReferences` returns it.
 *
 * Every test that starts a gateway reaches all of its code, which is nearly half of the tests. `isNear` keeps the tests
 * with the fewest references to each changed file, at least ten if there are as many.
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
    // A test that reads the whole repository is not near any file.
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

/** From a path to the modules that reference it. */
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

/**
 * Level by level: the paths themselves, then the modules that need one of them or a folder that contains it, and so on.
 */
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

/** Every folder that contains a path, up to the repository's root, which is the empty path. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return [...names.map((_, depth) => names.slice(0, depth + 1).join('/')), '']
}
