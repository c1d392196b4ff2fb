import { expect, it } from 'vitest'
import { linkTo } from './link-to.ts'

it('fills a path in and adds what is asked', () => {
  expect(linkTo('/api/account/export')).toBe('/api/account/export')
  const parts = { path: { jobId: 'vjob_a/b' }, query: { organization: 'o 1', index: '0' } }
  expect(linkTo('/v1/videos/{jobId}/content', parts)).toBe('/v1/videos/vjob_a%2Fb/content?organization=o+1&index=0')
})
