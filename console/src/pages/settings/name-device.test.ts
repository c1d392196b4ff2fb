import { expect, it } from 'vitest'
import { nameDevice } from './name-device.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', false],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS', true],
  ['curl/8.5.0', 'curl/8.5.0', false],
  [null, 'Unknown device', false],
])('names the device of %s', (userAgent, label, isPhone) => {
  expect(nameDevice(userAgent)).toEqual({ label, isPhone })
})
