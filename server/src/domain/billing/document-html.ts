import { hash } from 'node:crypto'
import type { DocumentLayout } from './document-layout.ts'

const style = `body{font:14px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:46rem;margin:2rem auto;padding:0 1.5rem}
h1{font-size:1.6rem;margin:0 0 1rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0 0 1.5rem}
dt{color:#666}dd{margin:0}.parties{display:grid;grid-template-columns:1fr 1fr;gap:2rem;margin-bottom:1.5rem}
h2{font-size:.85rem;color:#666;margin:0 0 .25rem;font-weight:400}p{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}th,td{padding:.35rem 0;border-bottom:1px solid #ddd;text-align:left;overflow-wrap:anywhere}
th{font-weight:400;color:#666}td.amount,th.amount{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tfoot td{font-weight:600;border-bottom:0}.notes{margin-top:1.5rem;color:#666}
@media print{@page{size:A4;margin:20mm}body{max-width:none;margin:0;padding:0}tr{break-inside:avoid}}`

/** The content security policy of the page: it allows only this style. */
export const documentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Renders a printable page. It has no script, and all user text is escaped. */
export function htmlOf(layout: DocumentLayout): string {
  const number = layout.facts.find(({ name }) => name === 'Number')?.value ?? ''
  const facts = layout.facts.map(({ name, value }) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`)
  const rows = layout.rows.map(({ label, amount }) => `<tr><td>${escape(label)}</td>${cell('td', amount)}</tr>`)
  const notes = layout.notes.map((note) => `<p>${escape(note)}</p>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(`${layout.title} ${number}`)}</title><style>${style}</style></head>
<body><h1>${escape(layout.title)}</h1>
<dl>${facts.join('')}</dl>
<div class="parties"><div><h2>From</h2>${paragraphs(layout.seller)}</div><div><h2>To</h2>${paragraphs(layout.buyer)}</div></div>
<table><thead><tr><th></th>${cell('th', layout.currency)}</tr></thead>
<tbody>${rows.join('')}</tbody>
<tfoot><tr><td>Total</td>${cell('td', layout.total)}</tr></tfoot></table>
<div class="notes">${notes.join('')}</div>
</body></html>
`
}

function cell(tag: 'td' | 'th', text: string): string {
  return `<${tag} class="amount">${escape(text)}</${tag}>`
}

function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p>${escape(line)}</p>`).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
