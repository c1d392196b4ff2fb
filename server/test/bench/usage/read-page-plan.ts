import type { Pool } from 'pg'
import { expectRollupsOnly, type ReadPlan, readPlan } from './read-plan.ts'
import { recordStatements } from './recording-pool.ts'
import type { UsagePage } from './usage-pages.ts'

/** Reads the plans of all statements of a page. Fails if one of them reads requests. */
export async function readPagePlan(pool: Pool, page: UsagePage): Promise<ReadPlan & { statements: number }> {
  const recording = recordStatements(pool)
  await page.read(recording.pool)
  const plans: ReadPlan[] = []
  for (const statement of recording.statements) plans.push(await readPlan(pool, statement))
  for (const plan of plans) expectRollupsOnly(plan, page.name)
  return {
    statements: plans.length,
    relations: [...new Set(plans.flatMap(({ relations }) => relations))].sort(),
    rowsRead: plans.reduce((sum, plan) => sum + plan.rowsRead, 0),
    blocks: plans.reduce((sum, plan) => sum + plan.blocks, 0),
  }
}
