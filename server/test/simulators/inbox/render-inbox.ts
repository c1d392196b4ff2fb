interface ShownMail {
  readonly to: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A page with all mails, the newest first. Addresses in their texts are links. */
export function renderInbox(mails: readonly ShownMail[]): string {
  const list = mails.toReversed().map(renderMail).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="3">
<title>Inbox (${mails.length})</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem }
article { border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: 8px; margin: 1rem 0; padding: 1rem }
h2 { font-size: 1rem; margin: 0 } p { margin: .25rem 0; opacity: .7 }
pre { margin: .75rem 0 0; overflow-wrap: anywhere; white-space: pre-wrap; font: inherit }
</style>
</head>
<body>
<h1>Inbox</h1>
<p>Every email that this gateway sends ends here and goes nowhere else. The page reloads every 3 seconds.</p>
${list === '' ? '<p>No emails yet.</p>' : list}
</body>
</html>
`
}

function renderMail({ to, headers, text }: ShownMail): string {
  const subject = escape(headers['subject'] ?? '(no subject)')
  const when = escape(headers['date'] ?? '')
  return `<article><h2>${subject}</h2><p>To ${escape(to.join(', '))} · ${when}</p><pre>${linked(text.trim())}</pre></article>`
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part)))
    .join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
