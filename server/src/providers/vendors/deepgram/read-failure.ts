import { stringAt } from '#lib/json.ts'
import { failureReader } from '#providers/codecs/audio/failure-reader.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

export const readFailure = failureReader((body) => {
  const message = stringAt(body, 'err_msg') ?? stringAt(body, 'message')
  const code = stringAt(body, 'err_code') ?? stringAt(body, 'category')
  if (message === undefined && code === undefined) return undefined
  return upstreamFailure(message ?? '', code)
})
