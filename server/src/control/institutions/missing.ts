import { GatewayError } from '#errors/gateway-error.ts'

/** What belongs to another organization is answered exactly as what never was. */
export function missingInstitutionKey(): GatewayError {
  return new GatewayError('notFound', { message: 'There is no such institution key.' })
}

export function missingInstitutionSession(): GatewayError {
  return new GatewayError('notFound', { message: 'There is no such session, or it has ended.' })
}
