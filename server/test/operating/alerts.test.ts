import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { wireWorker } from '#bin/wiring/wire-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const rulesFile = join(root, 'ops/prometheus/rules.yaml')

let gateway: TestGateway
let folder: string
let rules: readonly JsonObject[]
let boards: readonly { name: string; board: JsonObject }[]

beforeAll(async () => {
  gateway = await startTestGateway()
  folder = await mkdtemp(join(tmpdir(), 'weir-alerts-'))
  const document: unknown = parse(await readFile(rulesFile, 'utf8'))
  rules = isJsonObject(document) ? objectsIn(objectsIn(document['groups'])[0]?.['rules']) : []
  const names = await readdir(join(root, 'ops/grafana'))
  boards = await Promise.all(
    names.map(async (name) => ({
      name,
      board: parseJsonObject(await readFile(join(root, 'ops/grafana', name), 'utf8')) ?? {},
    })),
  )
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function queriesOfBoards(): string[] {
  const panels = boards.flatMap(({ board }) => objectsIn(board['panels']))
  return panels.flatMap((panel) => objectsIn(panel['targets']).map(({ expr }) => String(expr)))
}

/** The names of all metrics of a gateway and a worker, including those still at zero. */
async function namesShown(): Promise<Set<string>> {
  const env = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: gateway.databaseUrl, WEIR_WORKER_PORT: '0' }
  const worker = wireWorker(parseConfig({ env: { ...env, WEIR_DATA_DIR: folder } }), pino({ level: 'silent' }))
  const url = await worker.start()
  const workerText = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()
  await worker.close()
  const texts = [await gateway.readMetrics(), workerText].join('\n')
  return new Set([...texts.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
}

it('every query of an alert and of a dashboard names figures that a process shows', async () => {
  const shown = await namesShown()
  const queries = [...rules.map(({ expr }) => String(expr)), ...queriesOfBoards()]
  expect(queries.length).toBeGreaterThan(50)
  const named = new Set(queries.flatMap((query) => query.match(/\b(?:weir|nodejs|process)_[a-z0-9_]+/g) ?? []))
  const isShown = (name: string): boolean => shown.has(name) || shown.has(name.replace(/_(?:bucket|sum|count)$/, ''))
  expect([...named].filter((name) => !isShown(name))).toEqual([])
})

it('promtool takes every query, and sees each alert fire for its fault and none while all is well', async () => {
  const records = queriesOfBoards().map((expr, index) => ({ record: `panel:${index}`, expr }))
  const file = join(folder, 'panels.yaml')
  await writeFile(file, stringify({ groups: [{ name: 'panels', rules: records }] }))
  await run('promtool', ['check', 'rules', rulesFile, file])
  await run('promtool', ['test', 'rules', join(root, 'ops/prometheus/rules.test.yaml')])
})

it('every alert has a test, a severity and a page that says what to do', async () => {
  const tests = await readFile(join(root, 'ops/prometheus/rules.test.yaml'), 'utf8')
  const index = await readFile(join(root, 'docs/runbooks/README.md'), 'utf8')
  const pages = new Set<string>()
  for (const { alert, labels, annotations } of rules) {
    expect(tests).toContain(`- name: ${String(alert)}\n`)
    expect(['page', 'ticket']).toContain(isJsonObject(labels) ? labels['severity'] : null)
    const page = isJsonObject(annotations) ? String(annotations['runbook']) : ''
    const text = await readFile(join(root, page), 'utf8')
    expect(text).toMatch(new RegExp(`^# ${String(alert)}: [^\n]+\n[^]+\n## Check\n\n- [^]+\n## Fix\n\n1\\. `))
    pages.add(page.replace('docs/runbooks/', ''))
  }
  expect([...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page).toSorted()).toEqual([...pages].toSorted())
  const kept = (await readdir(join(root, 'docs/runbooks'))).filter((name) => name !== 'README.md')
  expect(kept.toSorted()).toEqual([...pages].toSorted())
})

it('there are the five dashboards, and each panel has a title and a query', () => {
  expect(boards.map(({ name }) => name).toSorted()).toEqual([
    'engines.json',
    'money.json',
    'overview.json',
    'providers.json',
    'workers.json',
  ])
  for (const { board } of boards) {
    for (const panel of objectsIn(board['panels'])) {
      expect([panel['title'], objectsIn(panel['targets']).length > 0]).toEqual([expect.any(String), true])
    }
  }
})
