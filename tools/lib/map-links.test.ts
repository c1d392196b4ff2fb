import { expect, it } from 'vitest'
import { mapLinks } from './map-links.ts'

it('replaces targets of links and images, with their lines, and leaves code alone', () => {
  const seen: string[] = []
  const text = [
    '[a](one.md) ![b](<two.png> "title") and `[c](three.md)`',
    '```',
    '[d](four.md)',
    '```',
    '[`code`](five.ts#x), [e](six)',
    '[name]: seven.md',
  ].join('\n')
  const mapped = mapLinks(text, (target, line) => {
    seen.push(`${line} ${target}`)
    return target.toUpperCase()
  })
  expect(seen).toEqual(['1 one.md', '1 two.png', '5 five.ts#x', '5 six', '6 seven.md'])
  expect(mapped.split('\n')).toEqual([
    '[a](ONE.MD) ![b](<TWO.PNG> "title") and `[c](three.md)`',
    '```',
    '[d](four.md)',
    '```',
    '[`code`](FIVE.TS#X), [e](SIX)',
    '[name]: SEVEN.MD',
  ])
})
