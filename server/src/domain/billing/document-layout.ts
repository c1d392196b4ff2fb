import { isJsonObject, type JsonObject, objectAt, objectsIn, stringAt } from '#lib/json.ts'

/** A readable document: the same text for HTML and PDF. All of it comes from the snapshot. */
export interface DocumentLayout {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly seller: readonly string[]
  readonly buyer: readonly string[]
  /** Heading of the amount column, such as `USD`. */
  readonly currency: string
  readonly rows: readonly LayoutRow[]
  readonly total: string
  readonly notes: readonly string[]
}

interface Fact {
  readonly name: string
  readonly value: string
}

interface LayoutRow {
  readonly label: string
  readonly amount: string
}

export function layoutOf(snapshotText: string): DocumentLayout {
  const parsed: unknown = JSON.parse(snapshotText)
  const snapshot = isJsonObject(parsed) ? parsed : {}
  const total = stringAt(snapshot, 'total') ?? ''
  return {
    title: titleOf(stringAt(snapshot, 'kind'), total),
    facts: factsOf(snapshot),
    seller: partyLines(objectAt(snapshot, 'seller')),
    buyer: partyLines(objectAt(snapshot, 'buyer')),
    currency: (stringAt(snapshot, 'currency') ?? '').toUpperCase(),
    rows: objectsIn(snapshot['lines']).map(rowOf),
    total,
    notes: notesOf(snapshot),
  }
}

function titleOf(kind: string | undefined, total: string): string {
  if (kind === 'receipt') return 'Receipt'
  if (kind === 'invoice') return 'Invoice'
  return total.startsWith('-') ? 'Credit note' : 'Reversal of credit note'
}

/** Facts without a value are left out. */
function factsOf(snapshot: JsonObject): Fact[] {
  const order = objectAt(snapshot, 'order')
  const facts: readonly [string, string | undefined][] = [
    ['Number', stringAt(snapshot, 'number')],
    ['Date', dayIn(snapshot, 'issued_at')],
    ['Month', stringAt(snapshot, 'month')],
    ['Due', dayIn(snapshot, 'due_at')],
    ['Order', stringAt(order, 'id')],
    ['Reference', stringAt(order, 'reference')],
    ['Corrects', stringAt(snapshot, 'corrects')],
    ['Payment of invoice', stringAt(snapshot, 'pays')],
  ]
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

function dayIn(snapshot: JsonObject, key: string): string | undefined {
  return stringAt(snapshot, key)?.slice(0, 10)
}

function partyLines(party: JsonObject): string[] {
  const taxId = stringAt(party, 'tax_id')
  const kind = stringAt(party, 'tax_id_kind')
  const lines = [
    stringAt(party, 'name'),
    ...(stringAt(party, 'address') ?? '').split('\n'),
    stringAt(party, 'country'),
    taxId === undefined ? undefined : `Tax ID${kind === undefined ? '' : ` (${kind})`}: ${taxId}`,
  ]
  return lines.flatMap((line) => (line === undefined || line.trim() === '' ? [] : [line.trim()]))
}

function rowOf(line: JsonObject): LayoutRow {
  const percent = stringAt(line, 'percent')
  const label = stringAt(line, 'label') ?? ''
  return { label: percent === undefined ? label : `${label} (${percent} %)`, amount: stringAt(line, 'amount') ?? '' }
}

function notesOf(snapshot: JsonObject): string[] {
  const rate = stringAt(snapshot, 'rate')
  const notes: readonly (string | undefined)[] = [
    rate === undefined
      ? undefined
      : `Booked as ${stringAt(snapshot, 'total_usd')} USD at ${rate} ${stringAt(snapshot, 'currency')?.toUpperCase()} per USD.`,
    snapshot['test'] === true ? 'Issued for a test payment. No money was moved.' : undefined,
    stringAt(snapshot, 'note'),
  ]
  return notes.filter((note) => note !== undefined)
}
