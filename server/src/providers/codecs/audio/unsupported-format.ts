import { GatewayError } from '#errors/gateway-error.ts'

/** A format that a host does not speak in; another may. */
export function unsupportedFormat(format: string, known: Iterable<string>): GatewayError {
  return new GatewayError('unsupportedResponseFormat', {
    message: `This model does not speak in the format "${format}"; use one of ${[...known].join(', ')}.`,
  })
}
