/** Headers and body of a request that hides another one: a reader that ends the first early finds the second. */
interface HiddenRequest {
  readonly name: string
  readonly lines: readonly string[]
  readonly rest: string
}

const json = JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hi' }] })
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const chunked = `${chunk(json)}0\r\n\r\n`

export function hiddenRequests(smuggled: string): HiddenRequest[] {
  const corpus: [name: string, lines: string[], rest: string][] = [
    ['length and chunks', ['content-length: 4', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['chunks and length', ['transfer-encoding: chunked', `content-length: ${chunked.length}`], `${chunked}${smuggled}`],
    ['two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled],
    ['two lengths, larger first', [`content-length: ${smuggled.length}`, 'content-length: 0'], smuggled],
    ['a list of lengths', [`content-length: 0, ${smuggled.length}`], smuggled],
    ['a length with a sign', ['content-length: +0'], smuggled],
    ['a negative length', ['content-length: -1'], smuggled],
    ['a hexadecimal length', ['content-length: 0x0'], smuggled],
    ['a length with a fraction', ['content-length: 0.0'], smuggled],
    ['a length beyond all numbers', ['content-length: 99999999999999999999999'], smuggled],
    ['an empty length', ['content-length:'], smuggled],
    ['a blank before the colon', [`content-length : ${smuggled.length}`], smuggled],
    ['a tab before the colon', [`transfer-encoding\t: chunked`, 'content-length: 3'], `0\r\n\r\n${smuggled}`],
    ['an unknown coding', ['transfer-encoding: xchunked', 'content-length: 3'], `0\r\n\r\n${smuggled}`],
    ['chunks that are not last', ['transfer-encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['chunks twice', ['transfer-encoding: chunked, chunked'], `0\r\n\r\n${smuggled}`],
    ['two codings in two lines', ['transfer-encoding: identity', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['a quoted coding', ['transfer-encoding: "chunked"', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
    ['a coding after a form feed', ['transfer-encoding: \u000bchunked', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
    ['a folded line', ['transfer-encoding:', ' chunked', 'content-length: 5'], `0\r\n\r\n${smuggled}`],
    ['a line feed alone', [`x-a: b\ntransfer-encoding: chunked`, 'content-length: 5'], `0\r\n\r\n${smuggled}`],
    ['a carriage return alone', [`x-a: b\rtransfer-encoding: chunked`, 'content-length: 5'], `0\r\n\r\n${smuggled}`],
    ['a zero byte', ['x-a: b\u0000', 'content-length: 0'], smuggled],
    ['a name with an underscore', ['transfer_encoding: chunked', `content-length: ${smuggled.length}`], smuggled],
    ['a chunk size that wraps', ['transfer-encoding: chunked'], `10000000000000000\r\n\r\n${smuggled}`],
    ['a negative chunk size', ['transfer-encoding: chunked'], `-1\r\n\r\n${smuggled}`],
    ['a chunk size in 0x', ['transfer-encoding: chunked'], `0x0\r\n\r\n${smuggled}`],
    ['a chunk ended by a line feed', ['transfer-encoding: chunked'], `0\n\n${smuggled}`],
    ['a chunk extension with a line feed', ['transfer-encoding: chunked'], `0;a\nb\r\n\r\n${smuggled}`],
    ['a chunk longer than it says', ['transfer-encoding: chunked'], `1\r\n{}X\r\n0\r\n\r\n${smuggled}`],
  ]
  return corpus.map(([name, lines, rest]) => ({ name, lines, rest }))
}
