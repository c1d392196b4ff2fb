import { expect, it } from 'vitest'
import { creditsPageFor } from './credits-page.ts'

const page = 'https://weir.test/console/credits'

it('leads to the wallet that pays', () => {
  expect(creditsPageFor(page, null)).toBe('https://weir.test/console/credits')
  expect(creditsPageFor(page, '01a1f06d-d3ab-79d9-98dc-4f1ffe5bd92f')).toBe(
    'https://weir.test/console/credits?organization=01a1f06d-d3ab-79d9-98dc-4f1ffe5bd92f',
  )
})
