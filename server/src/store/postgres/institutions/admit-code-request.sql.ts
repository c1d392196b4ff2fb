import type { Pool } from 'pg'
import { codeRules } from '#domain/institutions/code-rules.ts'
import type { CodeRequestDigests, PaceVerdict } from '#ports/institution-door.ts'

const text = `SELECT verdict, wait_s FROM admit_code_request($1, decode($2, 'hex'), $3,
  $4, make_interval(secs => $5), $6, make_interval(secs => $7), make_interval(secs => $8))`

interface Row {
  verdict: 'admitted' | 'rate_limited' | 'cooldown'
  wait_s: number
}

export async function admitCodeRequest(pool: Pool, request: CodeRequestDigests): Promise<PaceVerdict> {
  const { perClient, perKey, cooldownS } = codeRules
  const paces = [perClient.max, perClient.windowS, perKey.max, perKey.windowS, cooldownS]
  const { rows } = await pool.query<Row>({
    name: 'admit-code-request',
    text,
    values: [request.client, request.keyHash, request.subject, ...paces],
  })
  const [row] = rows
  if (row === undefined) throw new Error('admit_code_request gave no verdict')
  return row.verdict === 'admitted'
    ? { admitted: true }
    : { admitted: false, reason: row.verdict, waitS: Math.max(1, row.wait_s) }
}
