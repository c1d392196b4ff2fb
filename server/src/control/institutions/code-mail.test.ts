import { describe, expect, it } from 'vitest'
import { codeMail } from './deliver-code.ts'

const write = (organizationName: string, ttlS = 900) => codeMail({ code: '012345', organizationName, ttlS })

describe('the mail with a code', () => {
  it('has the code once, in its text alone', () => {
    const { subject, text } = write('University of Testing')
    expect(subject).not.toMatch(/\d/)
    expect(text.match(/\d{6}/g)).toEqual(['012345'])
    expect(text).toContain('University of Testing')
  })

  it.each([
    ["St. John's (Oxford) & Co.", "St. John's (Oxford) & Co."],
    ['Universität Zürich', 'Universität Zürich'],
    ['東京大学', '東京大学'],
    ['Pay at evil.example/now', 'Pay at evil example now'],
    ['http://evil.example', 'http evil example'],
    ['<b>Bold</b>', 'b Bold b'],
    ['Line\r\nbreak\u2028here', 'Line break here'],
    ['\u001b[2JANSI \u202e backwards', '2JANSI backwards'],
    ['Your code is 654321', 'Your code is'],
    ['\u0000\u0007', 'your institution'],
    ['', 'your institution'],
  ])('names %j as %j', (name, shown) => {
    const { text } = write(name)
    expect(text).toContain(`paid for by ${shown}. The code works once`)
    expect(text.split('\n')).toHaveLength(7)
  })

  it('names at most 80 characters, and none of them in halves', () => {
    const { text } = write('𝒜'.repeat(200))
    expect(text).toContain(`by ${'𝒜'.repeat(80)}. The`)
  })

  it.each([
    [60, '60 seconds'],
    [900, '15 minutes'],
    [3_600, 'one hour'],
    [7_200, '2 hours'],
    [5_430, '90 minutes'],
  ])('of %i s says %s', (ttlS, words) => {
    expect(write('x', ttlS).text).toContain(`expires in ${words}.`)
  })
})
