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

it('finds operations of a person and of an organization without a call', () => {
  const own = "dataOf(api.GET('/v1/orgs/{orgId}', { params }))"
  expect(findUnreached(sample, ["dataOf(api.GET('/v1/credits'))"])).toEqual([
    'POST /v1/credits',
    'GET /v1/orgs/{orgId}',
  ])
  expect(findUnreached(sample, ['api.GET(\n  "/v1/credits")', "api.POST(\n    '/v1/credits', {})", own])).toEqual([
    'GET /v1/credits',
  ])
  expect(findUnreached(sample, ["linkTo('/v1/credits')", own])).toEqual(['POST /v1/credits'])
})

/** Aliases of endpoints that a page already calls, and endpoints that no page shows yet. */
const exceptions: readonly string[] = [
  // The first video paths; both respond like `/v1/videos/{jobId}`.
  'GET /v1/video/generations/{jobId}',
  'GET /v1/video/generations/{jobId}/content',
  // Two of the totals of `/api/wallets/{walletId}`, under the names that clients of other gateways use.
  'GET /v1/credits',
]

it('the console calls every operation of a person and of an organization', async () => {
  const document = parseJsonObject(await readDocument())
  const folder = join(repositoryRoot, 'console/src')
  const paths = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((path) => !path.endsWith('.d.ts'))
  const sources = paths.map((path) => readFileSync(join(folder, path), 'utf8'))
  expect(findUnreached(document ?? {}, sources)).toEqual(exceptions)
})
