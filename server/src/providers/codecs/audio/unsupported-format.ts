import { GatewayError } from '#errors/gateway-error.ts'

/** The error for a format that this upstream does not support. Another upstream may support it. */
export function unsupportedFormat(format: string, known: Iterable<string>): GatewayError {
  return new GatewayError('unsupportedResponseFormat', {
    message: `This model does not support the audio format "${format}". Use one of ${[...known].join(', ')}.`,
  })
}
