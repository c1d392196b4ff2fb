import { expect, it } from 'vitest'
import { chooseMailer } from './choose-mailer.ts'

const url = 'smtp://127.0.0.1:1'
const from = 'weir@example.org'

it.each([
  { url: null, from: null },
  { url, from: null },
  { url: null, from },
])('there is no mailer without a server and a sender: $url, $from', (settings) => {
  expect(chooseMailer(settings)).toBeNull()
})

it('there is one with both', () => {
  expect(chooseMailer({ url, from })).not.toBeNull()
})
