export const documentKinds = ['receipt', 'credit_note', 'invoice'] as const

interface InvoicesSearch {
  readonly kind?: (typeof documentKinds)[number]
}

export function parseInvoicesSearch({ kind }: Record<string, unknown>): InvoicesSearch {
  const known = documentKinds.find((one) => one === kind)
  return known === undefined ? {} : { kind: known }
}
