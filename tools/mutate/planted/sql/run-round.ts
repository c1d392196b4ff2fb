import type { VitestResults } from '../../../lib/vitest-results.ts'
import type { Sandbox } from '../../lib/sandbox.ts'
import type { PlantedSql } from './list-changes.ts'
import { databaseEdit, nameInRound, writeRound } from './write-round.ts'

const clean = 'clean'

/**
 * Shows every change to one test file, and answers those that turned it red, each with the reason. Without a change it
 * must be green.
 */
export async function runRound(
  sandbox: Sandbox,
  test: string,
  changes: readonly PlantedSql[],
): Promise<ReadonlyMap<PlantedSql, string>> {
  const byName = new Map(changes.map((change, at) => [`c${at}`, change]))
  const files = [
    writeRound(clean, { test, sql: '' }),
    ...[...byName].map(([name, { definition }]) => writeRound(name, { test, sql: definition })),
  ]
  const results = await sandbox.runWith([databaseEdit], {
    paths: ['server/test/planted/'],
    files,
    timeoutMs: 120_000,
  })
  const red = redOf(results)
  if (red.has(clean)) throw new Error(`${test} is red without any change: ${red.get(clean)}`)
  return new Map(
    [...byName].flatMap(([name, change]) => {
      const message = red.get(name)
      return message === undefined ? [] : [[change, message] as const]
    }),
  )
}

/**
 * What each file of the round that turned red says first. A hook that fails is red as well: without the change it does
 * not.
 */
function redOf({ tests, brokenFiles }: VitestResults): Map<string, string> {
  const red = new Map<string, string>()
  for (const { path, message } of brokenFiles) red.set(nameInRound(path), firstLine(message))
  for (const { path, status, message = '' } of tests) {
    if (status === 'failed') red.set(nameInRound(path), firstLine(message))
  }
  return red
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}
