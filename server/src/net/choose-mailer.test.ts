import { expect, it } from 'vitest'
import { chooseMailer } from './choose-mailer.ts'

const url = 'smtp://127.0.0.1:1'
const from = 'weir@example.org'

it.each([
  { url: null, from: null },
  { url, from: null },
  { url: null, from },
])('delivers nothing without a server and a sender, and says so: $url, $from', async (settings) => {
  let silent = 0
  const mailer = chooseMailer(settings, () => {
    silent += 1
  })
  expect(mailer.delivers).toBe(false)
  await mailer.send({ to: 'a@example.org', subject: 'a', text: 'b' })
  expect(silent).toBe(1)
})

it('delivers with both', () => {
  expect(chooseMailer({ url, from }, () => {}).delivers).toBe(true)
})
