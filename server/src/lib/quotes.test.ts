import { expect, it } from 'vitest'
import { QuoteFinder, quotableIn, withoutQuotes } from './quotes.ts'

const prompt = 'Write a letter to my landlord in Lisbon about the broken boiler.'

it('[MODER-02] what an upstream quotes of a prompt is taken out of its words, wherever the quote begins and ends', () => {
  for (let from = 0; from + 16 <= prompt.length; from += 1) {
    const quote = prompt.slice(from, from + 16)
    expect(withoutQuotes(`Invalid: «${quote}»!`, ['other', prompt])).toBe('Invalid: «[redacted]»!')
  }
  expect(withoutQuotes(`Invalid: ${prompt} is ${prompt}`, [prompt])).toBe('Invalid: [redacted] is [redacted]')
})

it('a prompt of several lines is known in one', () => {
  expect(withoutQuotes('bad: first line of it  second line of it', ['first line of it\n\nsecond line of it'])).toBe(
    'bad: [redacted]',
  )
})

it('a short text is taken out whole, and words that both happen to use stay', () => {
  expect(withoutQuotes("'a weir' is not a prompt", ['a weir'])).toBe("'[redacted]' is not a prompt")
  expect(withoutQuotes('The maximum is 128 tokens.', ['What is the maximum of x?', 'is'])).toBe(
    'The maximum is 128 tokens.',
  )
})

it('finds the strings of a body that can be quoted', () => {
  const data = `data:image/png;base64,${'A'.repeat(40)}`
  expect(quotableIn({ role: 'user', parts: [{ text: prompt }, data, 7, null], more: { deep: [prompt] } })).toEqual([
    prompt,
    prompt,
  ])
})

it('comes to an end where every place of the words agrees with every place of a long text', () => {
  const finder = new QuoteFinder('a'.repeat(100_000))
  finder.look('a'.repeat(2_000_000))
  expect(finder.left()).toBe('[redacted]')
})
