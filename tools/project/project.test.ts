import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { isRecord } from '../lib/is-record.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'

/** Files that code hosts and editors read. They fail silently, or only after a push. */
const files = listFiles(repositoryRoot)
const texts = new Map(files.map(({ path, text }) => [path, text]))
const read = (path: string): string => {
  const text = texts.get(path)
  if (text === undefined) throw new Error(`${path} is missing`)
  return text
}
const readJson = (path: string): unknown => JSON.parse(read(path))
const readYaml = (path: string): unknown => {
  const document = parseDocument(read(path), { strict: true, uniqueKeys: true })
  expect(
    [...document.errors, ...document.warnings].map(({ message }) => message),
    path,
  ).toEqual([])
  return document.toJS()
}
const yamlPaths = [...texts.keys()].filter((path) => /^\.(?:github|devcontainer)\/.*\.ya?ml$/.test(path))

describe('the project', () => {
  it.each(yamlPaths)('has YAML that parses in %s', (path) => {
    expect(isRecord(readYaml(path))).toBe(true)
  })

  it('runs .ci/run for every change, with Postgres and Redis beside it', () => {
    expect(readYaml('.github/workflows/ci.yml')).toMatchObject({
      jobs: {
        run: {
          services: { postgres: { ports: ['5432:5432'] }, redis: { ports: ['6379:6379'] } },
          steps: expect.arrayContaining([
            expect.objectContaining({ with: expect.objectContaining({ 'node-version-file': '.nvmrc' }) }),
            { run: '.ci/run' },
          ]),
        },
      },
    })
  })

  it.each(yamlPaths.filter((path) => /ISSUE_TEMPLATE\/(?!config)/.test(path)))(
    'has an issue form in %s with a label and an id for every question',
    (path) => {
      const form = readYaml(path)
      expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
      const questions: unknown[] = isRecord(form) && Array.isArray(form['body']) ? form['body'] : []
      expect(questions.length).toBeGreaterThan(0)
      const ids = questions.map((question) => (isRecord(question) ? question['id'] : undefined))
      expect(new Set(ids).size).toBe(questions.length)
      for (const question of questions) {
        expect(question).toMatchObject({ id: expect.any(String), attributes: { label: expect.any(String) } })
      }
    },
  )

  it('names one version of Node and one of Weir', () => {
    const root = readJson('package.json')
    const server = readJson('server/package.json')
    const node = read('.nvmrc').trim()
    expect(root).toMatchObject({ engines: { node: `>=${node}.0.0` } })
    expect(read('.devcontainer/Dockerfile')).toContain(`FROM node:${node}-`)
    const version = isRecord(root) ? root['version'] : undefined
    expect(server).toMatchObject({ version })
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## \\[${String(version).replaceAll('.', '\\.')}\\] - `, 'm'))
    expect(read('CHANGELOG.md')).toMatch(/^## \[Unreleased\]$/m)
  })

  it('names one licence for every file', () => {
    for (const path of ['package.json', 'server/package.json', 'console/package.json']) {
      expect(readJson(path)).toMatchObject({ license: 'Apache-2.0' })
    }
    expect(read('LICENSE')).toContain('Version 2.0, January 2004')
    expect(read('NOTICE')).toMatch(/^Weir\nCopyright /)
  })

  it('names owners of paths that exist', () => {
    const owned = read('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(/\s+/)[0] ?? '')
    const missing = owned
      .filter((pattern) => pattern !== '*')
      .filter((pattern) => ![...texts.keys()].some((path) => `/${path}`.startsWith(pattern)))
    expect(missing).toEqual([])
  })
})
