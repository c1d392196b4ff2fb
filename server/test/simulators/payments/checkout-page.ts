import type { Session } from './objects.ts'

/** The payment page, with a button for every possible outcome. */
export function checkoutPage(session: Session): string {
  const { mode, status, currency, amount_total: total, lines } = session
  const rows = lines.map(({ name, amount }) => `<tr><td>${escape(name)}</td><td>${money(amount, currency)}</td></tr>`)
  const buttons =
    status === 'open'
      ? `<form method="post">${mode === 'setup' ? saving : paying(money(total, currency))}
<button name="how" value="cancel">Cancel</button></form>`
      : `<p role="status">This page is ${status === 'expired' ? 'no longer valid' : 'paid already'}.</p>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Test checkout</title><style>body{font:16px/24px system-ui;max-width:28rem;margin:10vh auto;padding:1rem}
table{width:100%;border-collapse:collapse}td{padding:.5rem 0;border-bottom:1px solid #ccc}td+td{text-align:right}
button{display:block;width:100%;margin-top:1rem;padding:.75rem;font:inherit}</style></head>
<body><main><h1>Test checkout</h1><p>No money moves here.</p><table>${rows.join('')}
<tr><th align="left">Total</th><td><b>${money(total, currency)}</b></td></tr></table>${buttons}</main></body></html>`
}

const saving = '<button name="how" value="now">Save the card</button>'

function paying(total: string): string {
  return `<button name="how" value="now">Pay ${total}</button>
<button name="how" value="later">Pay by bank debit, which takes days</button>`
}

const wholeUnits = new Set(['jpy', 'krw', 'vnd', 'clp', 'pyg', 'xaf', 'xof'])

function money(amount: number, currency: string): string {
  const text = wholeUnits.has(currency) ? String(amount) : (amount / 100).toFixed(2)
  return `${text} ${currency.toUpperCase()}`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
