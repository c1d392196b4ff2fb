// Recomputes what a request cost from its receipt: count × unit price, summed up, rounded up once to a billionth of a dollar.
import { receiptOf, weir } from './weir.mjs'

const { response } = await weir.chat.completions
  .create({ model: 'test/priced', messages: [{ role: 'user', content: '#usage=1234,567 #cached=1000' }] })
  .withResponse()
const { receipt } = await receiptOf(response.headers.get('x-generation-id'))

/** A decimal without its point, so that no digit passes through a floating-point number. */
function scaled(decimal, places) {
  const [whole, part = ''] = String(decimal).split('.')
  return BigInt(whole + part.padEnd(places, '0'))
}
const pricePlaces = 18
const countPlaces = 9

let sum = 0n
for (const { item, count, unit_price_usd } of receipt.lines) {
  console.log(`${item}: ${count} × $${unit_price_usd}`)
  sum += scaled(count, countPlaces) * scaled(unit_price_usd, pricePlaces)
}
const perNano = 10n ** BigInt(pricePlaces + countPlaces - 9)
const nano = (sum + perNano - 1n) / perNano
console.log(`${nano} nano-dollars, ${nano === scaled(receipt.total, 9) ? 'as booked' : 'NOT as booked'}`)

// Prints:
// uncachedInput: 234 × $0.000001
// cacheRead: 1000 × $0.0000001
// textOutput: 567 × $0.000002
// 1468000 nano-dollars, as booked
