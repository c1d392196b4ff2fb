import { expect, it } from 'vitest'
import { epaySignature, isSignedByEpay } from './epay-signature.ts'

// By md5sum: printf 'money=10.00&name=Credit&out_trade_no=M1&pid=1001s3cret' | md5sum
const known = '53eebfd1994bffa441dcb29056e95e72'
const fields = { pid: '1001', out_trade_no: 'M1', name: 'Credit', money: '10.00' }

it('signs the fields by name, then the key', () => {
  expect(epaySignature(Object.entries(fields), 's3cret')).toBe(known)
})

it('leaves empty fields and the signature itself out', () => {
  const more = { ...fields, param: '', sign: 'anything', sign_type: 'MD5' }
  expect(epaySignature(Object.entries(more), 's3cret')).toBe(known)
})

it('believes the signature of its key over just these fields', () => {
  const sent = (changes: Record<string, string>) => new URLSearchParams({ ...fields, sign: known, ...changes })
  expect(isSignedByEpay(sent({}), 's3cret')).toBe(true)
  expect(isSignedByEpay(sent({ sign: known.toUpperCase() }), 's3cret')).toBe(true)
  expect(isSignedByEpay(sent({}), 's3cret2')).toBe(false)
  expect(isSignedByEpay(sent({ money: '10.01' }), 's3cret')).toBe(false)
  expect(isSignedByEpay(sent({ more: '1' }), 's3cret')).toBe(false)
  expect(isSignedByEpay(sent({ sign: '' }), 's3cret')).toBe(false)
  expect(isSignedByEpay(new URLSearchParams(`${sent({})}&money=10.00`), 's3cret')).toBe(false)
  expect(isSignedByEpay(new URLSearchParams(), 's3cret')).toBe(false)
})
