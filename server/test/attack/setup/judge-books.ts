import { judgeInvariants } from '#test/drills/setup/invariants.ts'
import type { Attack } from '../area.ts'

/** Compares the ledger with the view of every client, once nothing is held or queued. */
export async function judgeBooks({ world, report }: Attack): Promise<void> {
  await world.settleDown()
  for (const { invariant, what, rows } of await judgeInvariants(world)) {
    const got = JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    report.find({ label: `books: ${invariant}`, expected: what, got: got.slice(0, 600) })
  }
}
