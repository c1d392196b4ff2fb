// Prints what this month has cost, by model.
import { call } from './weir.mjs'

const { period, totals, byModel } = await call('/v1/usage?period=month')
console.log(`this ${period}: $${totals.spend} for ${totals.requests} requests`)
for (const { model, spend, requests } of byModel) console.log(`${model}: $${spend} for ${requests}`)

// Prints:
// this month: $… for … requests
// …
