import { expect, it } from 'vitest'
import type { Upstreams } from '#ports/upstream.ts'
import { fetchWhole } from './fetch-whole.ts'

const request = {
  origin: 'https://private.test',
  path: '/',
  headers: {},
  body: '',
  headersTimeoutMs: 1,
  bodyTimeoutMs: 1,
  connectTimeoutMs: 1,
}

it('an exchange that is refused while it is being opened fails with the words of who refused it', async () => {
  const refusing: Upstreams = {
    open: (_request, handler) => {
      handler.failed({ kind: 'unreachable', message: 'not a public address' })
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
  }
  const fetched = fetchWhole(refusing, request, { timeoutMs: 1_000, bytesMax: 10 })
  await expect(fetched).rejects.toThrow('not a public address')
})
