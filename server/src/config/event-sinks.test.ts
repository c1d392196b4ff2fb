import { expect, it } from 'vitest'
import { eventSinksOf } from './event-sinks.ts'

const none = {
  otlpUrl: null,
  otlpHeaders: [],
  ndjsonFile: null,
  ndjsonUrl: null,
  ndjsonHeaders: [],
  openMeterUrl: null,
  openMeterHeaders: [],
  lagoUrl: null,
  lagoHeaders: [],
  stripeMeterUrl: null,
  stripeMeterHeaders: [],
}

it('has no sink where none is set, whatever headers there are', () => {
  const empty = { otlp: [], ndjsonFiles: [], ndjsonHttp: [], openMeter: [], lago: [], stripeMeter: [] }
  expect(eventSinksOf(none)).toEqual(empty)
  expect(eventSinksOf({ ...none, otlpHeaders: ['a: b'], ndjsonHeaders: ['a: b'] })).toEqual(empty)
})

it('has each sink that is set, with headers of its own', () => {
  const sinks = eventSinksOf({
    otlpUrl: 'https://otlp.example',
    otlpHeaders: ['Authorization: Bearer a:b', 'x-scope:one '],
    ndjsonFile: '/var/log/events.ndjson',
    ndjsonUrl: 'https://lines.example',
    ndjsonHeaders: ['x-key: two'],
    openMeterUrl: 'https://openmeter.example',
    openMeterHeaders: ['x-key: three'],
    lagoUrl: 'https://lago.example',
    lagoHeaders: ['x-key: four'],
    stripeMeterUrl: 'https://stripe.example',
    stripeMeterHeaders: ['x-key: five'],
  })
  expect(sinks).toEqual({
    otlp: [{ url: 'https://otlp.example', headers: { authorization: 'Bearer a:b', 'x-scope': 'one' } }],
    ndjsonFiles: ['/var/log/events.ndjson'],
    ndjsonHttp: [{ url: 'https://lines.example', headers: { 'x-key': 'two' } }],
    openMeter: [{ url: 'https://openmeter.example', headers: { 'x-key': 'three' } }],
    lago: [{ url: 'https://lago.example', headers: { 'x-key': 'four' } }],
    stripeMeter: [{ url: 'https://stripe.example', headers: { 'x-key': 'five' } }],
  })
})
