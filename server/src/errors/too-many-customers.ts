import { GatewayError } from './gateway-error.ts'

export function tooManyCustomers(max: number): GatewayError {
  return new GatewayError('tooManyCustomers', {
    message: `An account can have at most ${max} customers. Use the id of a known customer, or ask the operator to raise the maximum.`,
  })
}
