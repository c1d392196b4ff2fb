import { describe, expect, it } from 'vitest'
import type { JobCandidate } from '#ports/videos.ts'
import { vendors } from '#providers/registry.ts'
import { jobHostOf } from './host-of.ts'

const account = {
  id: 'one',
  name: 'first',
  vendor: 'luma',
  baseUrl: null,
  credential: 'secret',
  keepsPrompts: false,
  weight: 1,
}
const candidate: JobCandidate = {
  accountId: 'one',
  vendor: 'luma',
  upstreamModel: 'ray',
  billing: 'charged',
  price: { id: 'p', units: { per_second_output: '0.1' }, tiers: [] },
  details: { resolutions: ['720p'] },
}

describe('the host of a job', () => {
  it('is the vendor of its account, at the vendor’s address', () => {
    expect(jobHostOf({ accounts: [account] }, candidate, 'acme/film', 0)).toEqual({
      name: account.name,
      codec: vendors.luma.media.video,
      target: {
        baseUrl: vendors.luma.baseUrl,
        authentication: vendors.luma.authentication,
        credential: 'secret',
        upstreamModel: 'ray',
        model: 'acme/film',
        details: { resolutions: ['720p'] },
      },
      credential: 'secret',
    })
  })

  it('keeps the credential out of requests that are authorized once they are built, behind its path for media', () => {
    const vertex = { ...account, vendor: 'google-vertex', baseUrl: 'https://vertex.test/v1/projects/p/locations/l' }
    const host = jobHostOf({ accounts: [vertex] }, { ...candidate, vendor: 'google-vertex' }, 'google/veo', 0)
    expect(host).toMatchObject({
      target: { baseUrl: 'https://vertex.test/v1/projects/p/locations/l/publishers/google', credential: null },
      credential: 'secret',
    })
  })

  it('is at the address of the account where it has one', () => {
    const elsewhere = { ...account, baseUrl: 'https://films.example' }
    const host = jobHostOf({ accounts: [elsewhere] }, candidate, 'acme/film', 0)
    expect(host?.target.baseUrl).toBe('https://films.example')
  })

  it('leaves out what the operator of the account leaves out for the model', () => {
    const overrides = [
      { leaveOut: ['seed'] },
      { model: 'acme/film', leaveOut: ['loop'] },
      { model: 'sun', leaveOut: ['x'] },
    ]
    const host = jobHostOf({ accounts: [{ ...account, overrides }] }, candidate, 'acme/film', 0)
    expect(host?.target.leaveOut).toEqual(['seed', 'loop'])
  })

  it.each([
    { what: 'the account is gone', accounts: [], change: {} },
    { what: 'the vendor is gone', accounts: [account], change: { vendor: 'nobody' } },
    { what: 'the vendor makes no videos', accounts: [account], change: { vendor: 'anthropic' } },
  ])('is nobody where $what', ({ accounts, change }) => {
    expect(jobHostOf({ accounts }, { ...candidate, ...change }, 'acme/film', 0)).toBeNull()
  })
})
