import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * The two pages that emails link to. Merely opening a link does nothing, because mail scanners open links too; the
 * person presses a button. No part of the request is written into a page: its script reads the address bar.
 */
export function addAccountPages(server: FastifyInstance): void {
  for (const { path, page } of pages) {
    server.get(path, async (_request, reply) => reply.headers(page.headers).send(page.html))
  }
}

// The colors and sizes of the console, which may not be built.
const style = `:root{color-scheme:light dark}
body{font:14px/20px system-ui,sans-serif;max-width:24rem;margin:12vh auto;padding:1.5rem;border-radius:8px;
background:light-dark(#f8fafc,#0b1120);color:light-dark(#0f172a,#f1f5f9)}
h1{font-size:20px;line-height:28px;font-weight:600}input,button{font:inherit;box-sizing:border-box;width:100%;height:36px;border-radius:6px}
input{margin-top:4px;padding:0 12px;border:1px solid light-dark(#94a3b8,#64748b);background:light-dark(#fff,#111a2c);color:inherit}
button{border:0;font-weight:500;cursor:pointer;background:light-dark(#0f766e,#2dd4bf);color:light-dark(#fff,#042f2e)}`

const confirmAddress = pageOf({
  title: 'Confirm your email address',
  body: `<p>Confirm only if you just signed up here yourself. If someone else did, close this page: they know
the password.</p><p><button id="go">Confirm email address</button></p>`,
  script: `document.getElementById('go').onclick = () => {
  location.href = '/api/auth/verify-email' + location.search
}`,
})

const newPassword = pageOf({
  title: 'Reset your password',
  body: `<form id="form"><p><label>New password (at least 10 characters)<br>
<input id="password" type="password" autocomplete="new-password" minlength="10" maxlength="128" required></label></p>
<p><button>Set password</button></p></form><p id="answer" role="status"></p>`,
  script: `const form = document.getElementById('form')
const answer = document.getElementById('answer')
form.onsubmit = async (event) => {
  event.preventDefault()
  const token = new URLSearchParams(location.search).get('token')
  const newPassword = document.getElementById('password').value
  const reply = await fetch('/api/auth/reset-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, newPassword }),
  })
  form.hidden = reply.ok
  answer.textContent = reply.ok
    ? 'Your password is set. You can sign in now.'
    : 'Setting the password failed. The link may be used or expired; request a new one.'
}`,
})

const pages = [
  { path: '/account/confirm-address', page: confirmAddress },
  { path: '/account/new-password', page: newPassword },
]

interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** Only the page's own script and style run, nothing is loaded, and the token in its URL is sent to no other site. */
function pageOf({ title, body, script }: { title: string; body: string; script: string }): Page {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main><script>${script}</script></body></html>
`
  const policy = [
    "default-src 'none'",
    `script-src ${digest(script)}`,
    `style-src ${digest(style)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  }
}

function digest(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
