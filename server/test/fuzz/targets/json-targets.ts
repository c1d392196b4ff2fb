import { parseJsonBody } from '#http/parse-json-body.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { parseSpoolLine, spoolLine } from '#store/spool/spool-line.ts'
import { storableJson } from '#store/postgres/storable-json.ts'
import { ensure, ensureSame, unlessRefused } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import type { FuzzTarget } from '../target.ts'

const depthMax = 64

export const jsonTargets: readonly FuzzTarget[] = [
  {
    name: 'json-body',
    runs: 100_000,
    corpus: 'json',
    mutate: mutateJson,
    bytesMax: 262_144,
    run: (input) => {
      const body = unlessRefused(() => parseJsonBody(input))
      if (body !== undefined) ensure(!hasPoison(body), 'a parsed body has no member of the name __proto__')
      const plain = parsePlainly(input)
      if (isJsonObject(plain) && depthOf(plain) <= depthMax) ensure(body !== undefined, 'a flat object is taken')
      else ensure(body === undefined, 'only a flat object is taken')
    },
  },
  {
    name: 'json-depth',
    runs: 40_000,
    corpus: 'json',
    mutate: mutateJson,
    bytesMax: 262_144,
    run: (input) => {
      const plain = parsePlainly(input)
      const isDeep = isNestedDeeperThan(input, 8)
      if (plain !== undefined) ensureSame(isDeep, depthOf(plain) > 8, 'the scan sees the depth that the parser sees')
    },
  },
  {
    name: 'storable-json',
    runs: 15_000,
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
    runs: 15_000,
    mutate: mutateJson,
    run: (input) => {
      const entry = parseSpoolLine(input.toString('utf8'))
      if (entry === undefined) return
      ensureSame(parseSpoolLine(spoolLine(entry)), entry, 'an entry is read as it was written')
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

function depthOf(value: JsonValue | undefined): number {
  let depth = 0
  let level: (JsonValue | undefined)[] = [value]
  while (level.length > 0) {
    level = level.filter((each) => typeof each === 'object' && each !== null)
    if (level.length > 0) depth += 1
    level = level.flatMap((each) => Object.values(each ?? {}))
  }
  return depth
}

function hasPoison(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPoison)
}
