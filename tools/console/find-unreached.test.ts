import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseJsonObject } from '../../server/src/lib/json.ts'
import { readDocument } from '../api-types/read-document.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { findUnreached } from './find-unreached.ts'

const session = [{ key: [] }, { session: [] }]
const sample = {
  paths: {
    '/v1/credits': { get: { security: session }, post: { security: session } },
    '/v1/chat/completions': { post: { security: [{ key: [] }] } },
    '/v1/orgs/{orgId}': { get: { security: session } },
    '/v1/models': { get: {} },
    '/api/admin/brake': { get: { security: session } },
  },
}

it('finds operations of a person, of an organization and of an operator without a call', () => {
  const own = "dataOf(api.GET('/v1/orgs/{orgId}', { params }))"
  const brake = "dataOf(operators.GET('/api/admin/brake'))"
  expect(findUnreached(sample, ["dataOf(api.GET('/v1/credits'))"])).toEqual([
    'POST /v1/credits',
    'GET /v1/orgs/{orgId}',
    'GET /api/admin/brake',
  ])
  expect(
    findUnreached(sample, ['api.GET(\n  "/v1/credits")', "api.POST(\n    '/v1/credits', {})", own, brake]),
  ).toEqual(['GET /v1/credits'])
  expect(findUnreached(sample, ["linkTo('/v1/credits')", own, brake])).toEqual(['POST /v1/credits'])
})

/** Endpoints that repeat what a page shows by another endpoint. */
const exceptions: readonly string[] = [
  // The first video paths; both respond like `/v1/videos/{jobId}`.
  'GET /v1/video/generations/{jobId}',
  'GET /v1/video/generations/{jobId}/content',
  // Two of the totals of `/api/wallets/{walletId}`, under the names that clients of other gateways use.
  'GET /v1/credits',
  // A person's agent names a run, which creates it.
  'POST /v1/runs',
  // Tokens of customers are for the program that hands them out.
  'POST /v1/customers/{customerId}/tokens',
  // Sums of any days, for programs. Revenue shows those of a month, in one reading with its ledger.
  'GET /api/admin/earnings',
  // Invoices opens the PDF. The page is the same document for programs that cannot read one.
  'GET /api/admin/invoices/{number}/html',
]

it('the console calls every operation of a person, of an organization and of an operator', async () => {
  const document = parseJsonObject(await readDocument())
  const folder = join(repositoryRoot, 'console/src')
  const paths = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((path) => !path.endsWith('.d.ts'))
  const sources = paths.map((path) => readFileSync(join(folder, path), 'utf8'))
  expect(findUnreached(document ?? {}, sources)).toEqual(exceptions)
})
