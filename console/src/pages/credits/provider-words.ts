import type { TopUp } from '../../api/payments.ts'

const names = {
  stripe: 'Stripe',
  epay: 'epay',
  bank: 'Bank transfer',
} as const satisfies Readonly<Record<TopUp['provider'], string>>

/** The display name of a payment provider. */
export function providerWords(provider: TopUp['provider']): string {
  return names[provider]
}
