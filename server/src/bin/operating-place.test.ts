import { expect, it } from 'vitest'
import { operatingPlace } from './operating-place.ts'

it.each([
  { httpPort: 8484, set: null, port: 8584 },
  { httpPort: 8484, set: null, place: 2, port: 8586 },
  { httpPort: 8484, set: 9000, place: 1, port: 9001 },
  { httpPort: 8484, set: 0, place: 1, port: 0 },
  { httpPort: 8485, set: null, port: 8585 },
  { httpPort: 65_500, set: null, port: 65_400 },
  { httpPort: 0, set: null, port: 0 },
  { httpPort: 8484, set: 9000, port: 9000 },
  { httpPort: 8484, set: 0, port: 0 },
])('[B11] a gateway on port $httpPort is operated on $port where $set is set', ({ httpPort, set, place = 0, port }) => {
  const settings = { http: { port: httpPort }, operating: { host: '127.0.0.1', port: set } }
  expect(operatingPlace(settings, place)).toEqual({ host: '127.0.0.1', port, isOwn: true })
})
