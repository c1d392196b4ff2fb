import { GatewayError } from '#errors/gateway-error.ts'

/** This host does not support the format. Another host may. */
export function unsupportedFormat(format: string, known: Iterable<string>): GatewayError {
  return new GatewayError('unsupportedResponseFormat', {
    message: `This model does not support the audio format "${format}". Use one of ${[...known].join(', ')}.`,
  })
}
