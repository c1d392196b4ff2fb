import { GatewayError } from './gateway-error.ts'

export function tooManyTags(max: number): GatewayError {
  return new GatewayError('tooManyTags', {
    message: `The account has ${max} different tags, which is the maximum. Use tags that earlier requests had, or send the request without new ones.`,
  })
}
