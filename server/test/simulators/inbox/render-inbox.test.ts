import { expect, it } from 'vitest'
import { renderInbox } from './render-inbox.ts'

it('shows the newest mail first, with links, and escapes what a mail contains', () => {
  const page = renderInbox([
    { to: ['a@example.com'], headers: { subject: 'First' }, text: 'Hello' },
    { to: ['b@example.com'], headers: { subject: '<b>Second</b>' }, text: 'Open https://x.example/a?b=1&c=2 <script>' },
  ])
  expect(page.indexOf('Second')).toBeLessThan(page.indexOf('First'))
  expect(page).toContain('&lt;b&gt;Second&lt;/b&gt;')
  expect(page).toContain('<a href="https://x.example/a?b=1&amp;c=2">https://x.example/a?b=1&amp;c=2</a> &lt;script&gt;')
})

it('says that there is none', () => {
  expect(renderInbox([])).toContain('No emails yet.')
})
