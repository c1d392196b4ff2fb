import { GatewayError } from './gateway-error.ts'

/** One response for every code that gives no credit, so that it does not reveal which codes exist. */
export function notRedeemable(inside: string): GatewayError {
  return new GatewayError('codeNotRedeemable', {
    message: "This code can't be redeemed. It may be mistyped, expired, used up, or already redeemed by you.",
    inside,
  })
}

/** Only a person with a valid code gets this error, so it may name the missing step. */
export function notProven(): GatewayError {
  return new GatewayError('codeNotRedeemable', {
    message: 'Confirm your email address, then redeem the code.',
    inside: 'the address is not confirmed',
  })
}
