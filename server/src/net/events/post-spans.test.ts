import { expect, it } from 'vitest'
import type { Upstreams } from '#ports/upstream.ts'
import { createPostSpans, type PostedSpans } from './post-spans.ts'

const secret = 'secret-of-the-collector'

/** The result of posting spans to a collector with this response. */
function postTo(answer: string): Promise<PostedSpans> {
  const upstreams: Upstreams = {
    open: (_request, handler) => {
      handler.headers(200, {})
      handler.data(Buffer.from(answer))
      queueMicrotask(() => handler.end())
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
  }
  const headers = { authorization: `Bearer ${secret}` }
  return createPostSpans({ upstreams, url: 'http://collector/v1/traces', headers, timeoutMs: 1_000, nowMs: () => 0 })(
    '{}',
  )
}

it.each(['1e999', '"-Infinity"', '-7', '0.5', '"many"', '{}', 'null', '[[2]]', 'true', '0'])(
  'counts no rejected spans where a collector says %s of them',
  async (said) => {
    const posted = await postTo(`{"partialSuccess":{"rejectedSpans":${said}}}`)
    expect(posted).toEqual({ kind: 'taken', rejected: 0 })
  },
)

it('tells how many spans a collector rejected and why, without our credential', async () => {
  const partialSuccess = { rejectedSpans: '3', errorMessage: `no room for ${secret}` }
  expect(await postTo(JSON.stringify({ partialSuccess }))).toEqual({
    kind: 'taken',
    rejected: 3,
    remark: '3 spans were rejected: no room for …',
  })
})
