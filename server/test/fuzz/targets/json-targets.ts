import { parseJsonBody } from '#http/parse-json-body.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { parseSpoolLine, spoolLine } from '#store/spool/spool-line.ts'
import { storableJson } from '#store/postgres/storable-json.ts'
import { ensure, ensureSame, unlessRefused } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import type { FuzzTarget } from '../target.ts'
import { measureJson } from './measure-json.ts'

const depthMax = 64
const nodesMax = 100_000
const namesMax = 10_000

export const jsonTargets: readonly FuzzTarget[] = [
  {
    name: 'json-body',
    runs: 80_000,
    corpus: 'json',
    mutate: mutateJson,
    bytesMax: 262_144,
    run: (input) => {
      const body = unlessRefused(() => parseJsonBody(input))
      if (body !== undefined) ensure(!hasPoison(body), 'a parsed body has no member of the name __proto__')
      if (!isJsonObject(parsePlainly(input))) return ensure(body === undefined, 'only an object is taken')
      const { depth, names, namesInOne, marks } = measureJson(input.toString('utf8'))
      const isRefused = depth > depthMax || namesInOne > namesMax || marks > 2 * nodesMax || names.has('__proto__')
      if (isRefused) ensure(body === undefined, 'what is deep, large or poisonous is refused')
      else if (marks <= nodesMax) ensure(body !== undefined, 'a flat, small and harmless object is taken')
    },
  },
  {
    name: 'json-depth',
    runs: 80_000,
    corpus: 'json',
    mutate: mutateJson,
    bytesMax: 262_144,
    run: (input) => {
      const isDeep = isNestedDeeperThan(input, 8)
      if (parsePlainly(input) === undefined) return
      const { depth } = measureJson(input.toString('utf8'))
      ensureSame(isDeep, depth > 8, 'the scan sees the depth that the parser sees')
    },
  },
  {
    name: 'storable-json',
    runs: 60_000,
    corpus: 'json',
    mutate: mutateJson,
    run: (input) => {
      const value = parsePlainly(input)
      if (value === undefined) return
      const stored = storableJson(value)
      ensure(!/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(stored), 'nothing is written that Postgres refuses')
    },
  },
  {
    name: 'spool-line',
    runs: 60_000,
    mutate: mutateJson,
    run: (input) => {
      const entry = parseSpoolLine(input.toString('utf8'))
      if (entry === undefined) return
      const plain: unknown = JSON.parse(input.toString('utf8'), (_, value) => amountOf(value) ?? value)
      ensureSame(entry, plain, 'amounts are read to the last digit')
      ensureSame(parseSpoolLine(spoolLine(entry)), asWritten(entry), 'an entry is read as it was written')
    },
  },
]

function parsePlainly(input: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}

function hasPoison(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPoison)
}

function amountOf(value: unknown): bigint | undefined {
  if (typeof value !== 'object' || value === null || !('$nano' in value)) return undefined
  return typeof value.$nano === 'string' ? BigInt(value.$nano) : undefined
}

/** JSON can be parsed to -0 and infinity, but is never written with them. */
function asWritten(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (Array.isArray(value)) return value.map(asWritten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asWritten(each)]))
}
