import type { Pool } from 'pg'
import { noUsage } from '#domain/inference/usage.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { createUsageWorld } from './usage-world.ts'

/** Organizations with settled and rolled up requests, and their reports. */
export interface ReportWorld extends OrganizationWorld {
  /** Settles requests that the organization pays for, and rolls them up. */
  spend(home: Pick<TestHome, 'walletId'>, requests: readonly SpentRequest[]): Promise<void>
  /** The path of an organization's report. */
  reportOf(home: Pick<TestHome, 'id'>, report: string): string
  /** The session of a new member. */
  newMember(home: Pick<TestHome, 'id'>, role: 'org_admin' | 'billing_viewer' | 'team_admin' | 'member'): Promise<string>
}

interface SpentRequest {
  /** ISO 8601. */
  at: string
  usd: string
  model?: string
  memberId?: string
  teamId?: string
  prompt?: number
  completion?: number
  /** Such as `team=search`. */
  tags?: readonly string[]
}

export async function startReportWorld(): Promise<ReportWorld> {
  const world = await startOrganizationWorld({ WEIR_LIMITS_ACCOUNT: '1000000' })
  const usage = await createUsageWorld({ url: world.databaseUrl, pool: world.pool, drop: world.close })
  return {
    ...world,
    spend: async ({ walletId }, requests) => {
      const tagIdOf = await createTags(
        world.pool,
        walletId,
        requests.flatMap(({ tags = [] }) => tags),
      )
      await usage.settle(
        requests.map(({ at, usd, prompt = 0, completion = 0, tags = [], ...others }) => ({
          ...others,
          ...(tags.length === 0 ? {} : { tagIds: tags.map((tag) => tagIdOf.get(tag) ?? '') }),
          walletId,
          keyId: newUuid(Date.now()),
          startedAtMs: Date.parse(at),
          cost: parseUsd(usd),
          usage: { ...noUsage, uncachedInput: prompt, textOutput: completion },
        })),
      )
      await usage.rollUpAll()
    },
    reportOf: ({ id }, report) => `/api/orgs/${id}/reports/${report}`,
    newMember: async ({ id }, role) => {
      const { teamId } = await world.addTeam(id)
      const { userId } = await world.addMember(id, { role, teamId })
      return world.signIn(userId)
    },
  }
}

async function createTags(pool: Pool, walletId: string, texts: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const text of new Set(texts)) {
    const [name = '', value = ''] = text.split('=')
    const { rows } = await pool.query<{ id: string }>('SELECT find_or_create_tag($1, $2, $3, $4, 1000) AS id', [
      newUuid(Date.now()),
      walletId,
      name,
      value,
    ])
    ids.set(text, rows[0]?.id ?? '')
  }
  return ids
}
