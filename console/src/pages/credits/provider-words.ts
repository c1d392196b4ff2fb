import type { TopUp } from '../../api/payments.ts'

const names = {
  stripe: 'Stripe',
  epay: 'epay',
  bank: 'Bank transfer',
} as const satisfies Readonly<Record<TopUp['provider'], string>>

/** Who takes or took a payment, as people call it. */
export function providerWords(provider: TopUp['provider']): string {
  return names[provider]
}
