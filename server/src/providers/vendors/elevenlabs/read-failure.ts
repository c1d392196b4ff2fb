import { objectAt, stringAt } from '#lib/json.ts'
import { failureReader } from '#providers/codecs/audio/failure-reader.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'

/**
 * An empty account gets 401. Its status word distinguishes it from an invalid key. Validation errors have the usual
 * form.
 */
export const readFailure = failureReader((body) => {
  const detail = objectAt(body, 'detail')
  const message = stringAt(detail, 'message')
  const code = stringAt(detail, 'status') ?? stringAt(detail, 'code')
  return message === undefined && code === undefined ? undefined : upstreamFailure(message ?? '', code)
})
