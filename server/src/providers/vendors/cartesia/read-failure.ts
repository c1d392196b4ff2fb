import { stringAt } from '#lib/json.ts'
import { failureReader } from '#providers/codecs/audio/failure-reader.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

export const readFailure = failureReader((body) => {
  const message = stringAt(body, 'message') ?? stringAt(body, 'title')
  const code = stringAt(body, 'error_code')
  if (message === undefined && code === undefined) return undefined
  return upstreamFailure(message ?? '', code)
})
