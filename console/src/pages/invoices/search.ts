import { pickKnown } from '../../lib/pick-known.ts'

export const documentKinds = ['receipt', 'credit_note', 'invoice'] as const

interface InvoicesSearch {
  readonly kind?: (typeof documentKinds)[number]
}

export function parseInvoicesSearch({ kind }: Record<string, unknown>): InvoicesSearch {
  return pickKnown('kind', documentKinds, kind)
}
