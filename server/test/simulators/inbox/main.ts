import { createServer } from 'node:http'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startMailServer } from '#test/setup/mail-server.ts'
import { renderInbox } from './render-inbox.ts'

/**
 * A mail server with a page that shows its mails, for `npm run dev`: `node main.ts --port 8486`. Prints one line,
 * `{"mailUrl":"smtp://…","pageUrl":"http://…"}`, and ends with its parent. If the port is taken, the page gets another.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })

const mail = await startMailServer()
const page = createServer((_request, response) => {
  // The links of mails must work, so the page needs no scripts at all.
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  })
  response.end(renderInbox(mail.mails))
})
await listen(Number(values.port)).catch(() => listen(0))
const address = page.address()
if (address === null || typeof address === 'string') throw new Error('the inbox has no port')
process.stdout.write(`${JSON.stringify({ mailUrl: mail.url, pageUrl: `http://127.0.0.1:${address.port}/` })}\n`)

async function listen(port: number): Promise<void> {
  page.listen(port, '127.0.0.1')
  await once(page, 'listening')
}

// The parent may die without a signal; the channel between them then breaks.
for (const signal of ['disconnect', 'SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit())
process.channel?.unref()
