import { objectAt, stringAt } from '#lib/json.ts'
import { failureReader } from '#providers/codecs/audio/failure-reader.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

/**
 * Being out of money comes as 401; its status word tells it from a bad key. Lists of what is wrong are read like
 * everybody's.
 */
export const readFailure = failureReader((body) => {
  const detail = objectAt(body, 'detail')
  const message = stringAt(detail, 'message')
  const code = stringAt(detail, 'status') ?? stringAt(detail, 'code')
  return message === undefined && code === undefined ? undefined : upstreamFailure(message ?? '', code)
})
