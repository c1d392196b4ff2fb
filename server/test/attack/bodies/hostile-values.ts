/** Values that some store, parser or sum cannot hold. They are JSON strings, because some have no other form. */
export const hostileValues: readonly string[] = [
  'null',
  'true',
  '""',
  '"   "',
  '0',
  '-1',
  '-0',
  '1e-10',
  '1e308',
  '1e999',
  '0.1234567891',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999999999',
  '[]',
  '[[]]',
  '{}',
  '[null,1,{},"a"]',
  '{"__proto__":{"role":"org_admin"},"constructor":{"prototype":{}}}',
  '"a\\u0000b"',
  '"\\ud800"',
  '"a\\udfff@uni.example"',
  '"a\\u0000@uni.example"',
  '["a\\u0000b","\\ud800"]',
  '{"a\\u0000b":"\\ud800","\\udc00":"\\u0000"}',
  '"\\u202e\\u200b\\ufeff"',
  '"\\r\\nBcc: x"',
  `"' OR 1=1; --"`,
  '"NaN"',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"+275760-09-13T00:00:00Z"',
  '"00000000-0000-0000-0000-000000000000"',
  '"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"',
  `"${'x'.repeat(20_000)}"`,
  `[${'"a",'.repeat(5_000)}"a"]`,
]

/** Bodies that are not an object, or not even JSON. */
export const hostileBodies: readonly string[] = [
  '',
  'null',
  '[]',
  '"text"',
  '{',
  '{"a":1}trailing',
  '\u0000',
  '['.repeat(100_000),
  `${'{"a":'.repeat(63)}1${'}'.repeat(63)}`,
  '{"__proto__":{"name":"x"},"constructor":null,"toString":null,"hasOwnProperty":1}',
]

/** Values in place of an id. */
export const hostileNames: readonly string[] = [
  '%00',
  '%2e%2e%2f',
  'a%2fb',
  '%ff',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  '00000000-0000-0000-0000-00000000000G',
  '%F0%9F%92%A5',
  'null',
  '-1',
  `${'9'.repeat(299)}`,
  `${'9'.repeat(301)}`,
]

/** Each parameter given twice, where the first counts, and one parameter that no route has. */
export function hostileQueries(parameters: readonly string[]): string[] {
  return ['__proto__', ...parameters].flatMap((name) => texts.map((text) => `${name}=${text}&${name}=other`))
}

const texts: readonly string[] = [
  '%00',
  '',
  '-1',
  '1e9',
  '999999999999999999',
  '9999999999999999999',
  '%ff',
  '0001-01-01',
  '9999-12-31',
  'x%27--',
  '__proto__',
]
