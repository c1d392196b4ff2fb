import type { VitestResults } from '../../../lib/vitest-results.ts'
import type { Sandbox } from '../../lib/sandbox.ts'
import type { PlantedSql } from './list-changes.ts'
import { databaseEdit, nameInRound, writeRound } from './write-round.ts'

const clean = 'clean'

/**
 * Runs one test file against every change and returns the changes that made it fail, each with the reason. Without a
 * change it must pass.
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
 * The first message of each failed file of the round. A failed hook counts too, because it passes without the change.
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
