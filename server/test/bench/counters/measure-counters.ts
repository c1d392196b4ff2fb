import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type CountedKinds, counterNames } from './counters.ts'
import { judgeCounters, parseRecord, writeRecord } from './judge-counters.ts'

const program = fileURLToPath(new URL('count.ts', import.meta.url))
const recordFile = new URL('record.tsv', import.meta.url)

/**
 * Counts what requests create, and compares it with the record. Returns true if nothing has grown. With `isRecorded`
 * the result becomes the record.
 */
export async function runCounters(options: {
  readonly isJson: boolean
  readonly isRecorded: boolean
}): Promise<boolean> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // The young generation is larger than the allocations of a measured request, so no collection happens during one.
    ['--expose-gc', '--max-semi-space-size=512', program],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  )
  const counted = JSON.parse(stdout) as CountedKinds
  process.stdout.write(options.isJson ? stdout : `${writeCounters(counted)}\n`)
  if (options.isRecorded) {
    writeFileSync(recordFile, writeRecord(counted))
    return true
  }
  const { grown, shrunk } = judgeCounters(counted, parseRecord(readFileSync(recordFile, 'utf8')))
  const lines = [
    ...grown.map((line) => `GROWN   ${line}`),
    ...shrunk.map((line) => `shrunk  ${line}; record it with npm run bench -- counters --record`),
  ]
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  return grown.length === 0
}

function writeCounters(counted: CountedKinds): string {
  const rows = Object.entries(counted).map(([kind, counters]) => [
    kind,
    ...counterNames.map((name) => counters[name].toFixed(2)),
  ])
  const table = [['per', ...counterNames], ...rows]
  return table
    .map((row) => row.map((cell, index) => cell[index === 0 ? 'padEnd' : 'padStart'](index === 0 ? 18 : 11)).join(''))
    .join('\n')
}
