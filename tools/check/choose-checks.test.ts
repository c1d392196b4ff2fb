import { describe, expect, it } from 'vitest'
import { type ChangedPath, chooseChecks } from './choose-checks.ts'
import { splitFindings } from './split-findings.ts'

const surroundings = { node: 'node', cores: 2, buildInfo: 'info' }
const typesCommand = 'tsc -p tsconfig.json --checkers 2 --incremental --tsBuildInfoFile info'
const present = (path: string): ChangedPath => ({ path, exists: true })

describe('a check', () => {
  it('of the whole tree asks everything of every file', () => {
    expect(commandsFor()).toEqual({
      format: 'biome format .',
      lint: 'oxlint --deny-warnings',
      markdown: 'markdownlint-cli2',
      types: typesCommand,
      console: 'tsc -p console/tsconfig.json',
      rules: 'node tools/check/rules.ts',
      api: 'node tools/api-types/check.ts',
    })
  })

  it('of a change formats and lints the changed files alone', () => {
    expect(commandsFor([present('server/src/a.ts'), present('docs/a.json'), present('README.md')])).toEqual({
      format: 'biome format --no-errors-on-unmatched server/src/a.ts docs/a.json',
      lint: 'oxlint --deny-warnings server/src/a.ts',
      markdown: 'markdownlint-cli2 --no-globs README.md',
      types: typesCommand,
      console: 'tsc -p console/tsconfig.json',
      rules: 'node tools/check/rules.ts server/src/a.ts docs/a.json README.md',
      api: 'node tools/api-types/check.ts',
    })
  })

  it('of a change leaves out what it does not concern, and files that are gone', () => {
    expect(commandsFor([{ path: 'server/test/a.ts', exists: false }, present('README.md')])).toEqual({
      format: undefined,
      lint: undefined,
      markdown: 'markdownlint-cli2 --no-globs README.md',
      types: typesCommand,
      console: 'tsc -p console/tsconfig.json',
      rules: 'node tools/check/rules.ts server/test/a.ts README.md',
      api: undefined,
    })
  })

  it.each(['biome.json', '.oxlintrc.json', '.markdownlint-cli2.jsonc', 'package.json', 'package-lock.json'])(
    'of a change to %s formats and lints every file',
    (path) => {
      const commands = commandsFor([present('server/src/a.ts'), present(path)])
      expect(commands).toMatchObject({
        format: 'biome format .',
        lint: 'oxlint --deny-warnings',
        markdown: 'markdownlint-cli2',
      })
    },
  )

  it('gives tsc a checker for each core, four at most', () => {
    const types = [1, 2, 16].map((cores) => chooseChecks({ ...surroundings, cores })[3])
    expect(types.map((check) => check?.command?.[4])).toEqual(['1', '2', '4'])
  })
})

it('tells findings about the changed files and their folders from others', () => {
  const places = ['server/src/a.ts', 'server/src/providers/two', 'server/src/', 'server/src/b.ts', 'src']
  const findings = places.map((path) => ({ rule: 'rule', path, message: '' }))
  const { asked, others } = splitFindings(findings, ['server/src/a.ts', 'server/src/providers/two/index.ts'])
  expect(asked.map(({ path }) => path)).toEqual(['server/src/a.ts', 'server/src/providers/two', 'server/src/'])
  expect(others.map(({ path }) => path)).toEqual(['server/src/b.ts', 'src'])
})

function commandsFor(changed?: readonly ChangedPath[]): Record<string, string | undefined> {
  const checks = chooseChecks(surroundings, changed)
  return Object.fromEntries(checks.map(({ name, command }) => [name, command?.join(' ')]))
}
