import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alignColumns } from '../../../lib/align-columns.ts'
import { openSandbox, type Sandbox } from '../../lib/sandbox.ts'
import { redTitles } from '../../lib/red-titles.ts'
import { readVerdicts } from '../read-verdicts.ts'
import { type ChangeName, endpointChanges } from './change-endpoint.ts'
import { halvedLimits } from './halved-limits.ts'
import type { Planting } from './plant-in-server.ts'

const server = 'server/src/http/server.ts'
const tests = ['server/test/oracle/access.test.ts']
const halved = 'body limit halved'

/**
 * Plants each kind of change in all endpoints at once and checks for each endpoint whether a test that names it failed.
 * Uncaught changes are planted again alone. Returns true if all survivors have a verdict.
 */
export async function plantEndpoints({ kinds = [], print = console.log }: EndpointOptions = {}): Promise<boolean> {
  const sandbox = await openSandbox()
  const verdicts = readVerdicts()
  const rows: string[][] = []
  const open: string[] = []
  try {
    for (const kind of chosenKinds(kinds)) {
      const { planted, unnoticed: survivors } = await plantKind(sandbox, kind)
      rows.push([kind, String(planted.length), String(planted.length - survivors.length), String(survivors.length)])
      print(`${kind}: noticed ${planted.length - survivors.length}/${planted.length}`)
      for (const name of survivors) {
        const verdict = verdicts.find('endpoints', `${kind}: ${name}`)
        print(`survived  ${kind}: ${name}  ${verdict ?? 'NO VERDICT'}`)
        if (verdict === undefined) open.push(name)
      }
    }
  } finally {
    await sandbox.close()
  }
  for (const line of alignColumns([['change', 'planted', 'noticed', 'survived'], ...rows, sumOf(rows)])) print(line)
  return open.length === 0
}

type EndpointOptions = {
  readonly kinds?: readonly string[]
  readonly print?: (line: string) => void
}

type Kind = ChangeName | typeof halved

function chosenKinds(kinds: readonly string[]): Kind[] {
  const all: readonly Kind[] = [...Object.keys(endpointChanges).filter(isChangeName), halved]
  return all.filter((kind) => kinds.length === 0 || kinds.includes(kind))
}

function isChangeName(kind: string): kind is ChangeName {
  return Object.hasOwn(endpointChanges, kind)
}

/** Limits are defined outside the descriptors, in a few places, so each is halved alone. */
async function plantHalved(sandbox: Sandbox): Promise<Outcome> {
  const unnoticed: string[] = []
  for (const limit of halvedLimits) {
    const results = await sandbox.runWith([limit], { paths: limit.tests, untilFirst: true })
    if (redTitles(results).length === 0) unnoticed.push(limit.what)
  }
  return { planted: halvedLimits.map(({ what }) => what), unnoticed }
}

async function plantKind(sandbox: Sandbox, kind: Kind): Promise<Outcome> {
  if (kind === halved) return plantHalved(sandbox)
  const { planted, unnoticed } = await plantSome(sandbox, kind)
  const survivors: string[] = []
  for (const name of unnoticed) survivors.push(...(await runOnce(sandbox, kind, [name])).unnoticed)
  return { planted, unnoticed: survivors }
}

type Outcome = { readonly planted: readonly string[]; readonly unnoticed: readonly string[] }

/** If the changes together prevent the tests from starting, each half is planted separately. */
async function plantSome(sandbox: Sandbox, kind: ChangeName, only?: readonly string[]): Promise<Outcome> {
  const { isBroken, ...outcome } = await runOnce(sandbox, kind, only)
  const { planted } = outcome
  if (!isBroken || planted.length === 1) return outcome
  const middle = Math.ceil(planted.length / 2)
  const first = await plantSome(sandbox, kind, planted.slice(0, middle))
  const second = await plantSome(sandbox, kind, planted.slice(middle))
  return { planted, unnoticed: [...first.unnoticed, ...second.unnoticed] }
}

async function runOnce(
  sandbox: Sandbox,
  kind: ChangeName,
  only?: readonly string[],
): Promise<Outcome & { isBroken: boolean }> {
  const notePath = join(sandbox.root, '.weir', 'planted-endpoints.json')
  const planting: Planting = { kind, notePath, ...(only === undefined ? {} : { only }) }
  const results = await sandbox.runWith(editsFor(planting), { paths: tests })
  const noted: unknown = JSON.parse(readFileSync(notePath, 'utf8'))
  if (!Array.isArray(noted)) throw new Error(`${notePath} lists no endpoints`)
  const planted = noted.map(String)
  const titles = redTitles(results)
  const isBroken = results.brokenFiles.length > 0 && titles.length === 0
  // When planted alone, a change that breaks the hooks of the tests also counts as caught.
  const isNoticed = (name: string): boolean =>
    (isBroken && planted.length === 1) || titles.some((title) => `${title} `.includes(`${name} `))
  return { planted, unnoticed: planted.filter((name) => !isNoticed(name)), isBroken }
}

/** The server uses the changed descriptors instead of its own. */
function editsFor(planting: Planting) {
  return [
    {
      file: server,
      find: 'import Fastify, {',
      replace:
        "import { plantInServer } from '../../../tools/mutate/planted/endpoints/plant-in-server.ts'\nimport Fastify, {",
    },
    {
      file: server,
      find: 'export function createServer(deps: ServerDeps): FastifyInstance {\n',
      replace: `export function createServer(given: ServerDeps): FastifyInstance {\n  const deps = plantInServer(given, ${JSON.stringify(planting)})\n`,
    },
  ]
}

function sumOf(rows: readonly (readonly string[])[]): string[] {
  const sum = (column: number): string => String(rows.reduce((total, row) => total + Number(row[column]), 0))
  return ['all', sum(1), sum(2), sum(3)]
}
