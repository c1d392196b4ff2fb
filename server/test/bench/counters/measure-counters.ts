import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type CountedKinds, counterNames } from './counters.ts'
import { judgeCounters, leastOf, medianOf, parseRecord, writeRecord } from './judge-counters.ts'

const program = fileURLToPath(new URL('count.ts', import.meta.url))
const recordFile = new URL('record.tsv', import.meta.url)

/** Whatever disturbs a process adds to its counters, so a growth must show in every one of so many. */
const processesMax = 4
const processesRecorded = 3

/**
 * Counts what requests create, and compares it with the record. Returns true if nothing has grown. With `isRecorded`
 * the result becomes the record.
 */
export async function runCounters(options: {
  readonly isJson: boolean
  readonly isRecorded: boolean
}): Promise<boolean> {
  if (options.isRecorded) return recordCounters(options)
  const recorded = parseRecord(readFileSync(recordFile, 'utf8'))
  let counted = await countInProcess()
  for (let processes = 1; processes < processesMax; processes += 1) {
    if (judgeCounters(counted, recorded).grown.length === 0) break
    counted = leastOf(counted, await countInProcess())
  }
  process.stdout.write(options.isJson ? `${JSON.stringify(counted)}\n` : `${writeCounters(counted)}\n`)
  const { grown, shrunk } = judgeCounters(counted, recorded)
  const lines = [
    ...grown.map((line) => `GROWN   ${line}`),
    ...shrunk.map((line) => `shrunk  ${line}; record it with npm run bench -- counters --record`),
  ]
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  return grown.length === 0
}

/** The compiler decides differently from process to process, so the record is a median. */
async function recordCounters({ isJson }: { readonly isJson: boolean }): Promise<boolean> {
  const all: CountedKinds[] = []
  for (let processes = 0; processes < processesRecorded; processes += 1) all.push(await countInProcess())
  const counted = medianOf(all)
  process.stdout.write(isJson ? `${JSON.stringify(counted)}\n` : `${writeCounters(counted)}\n`)
  writeFileSync(recordFile, writeRecord(counted))
  return true
}

async function countInProcess(): Promise<CountedKinds> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    // The young generation is larger than the allocations of a measured request, so no collection happens during one.
    ['--expose-gc', '--max-semi-space-size=512', program],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  )
  return JSON.parse(stdout) as CountedKinds
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
