import { GatewayError } from './gateway-error.ts'

/** One answer for every code that gives no credit, so that it does not tell which codes exist. */
export function notRedeemable(inside: string): GatewayError {
  return new GatewayError('codeNotRedeemable', {
    message:
      'This code cannot be redeemed. It may be mistyped, used up or no longer valid, or you have already used this offer.',
    inside,
  })
}

/** For a person whom the offer may be for: only a person with a code that gives credit gets here. */
export function notProven(): GatewayError {
  return new GatewayError('codeNotRedeemable', {
    message: 'Confirm your email address, then redeem the code.',
    inside: 'the address is not confirmed',
  })
}
