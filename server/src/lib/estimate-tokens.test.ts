import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { createTokenCounter, type TokenCounter } from './token-counter.ts'

it('goes by bytes before the vocabulary is loaded', () => {
  expect(estimateTokens(['twelve bytes', 'four'], null)).toBe(4)
})

describe('with a vocabulary', () => {
  // Not the shared counter of the process: other files use it and expect estimates by bytes.
  let count: TokenCounter
  beforeAll(async () => {
    count = await createTokenCounter()
  })

  it.each(Object.entries(samples()))('is within 15 % of the full count: %s', (_, text) => {
    expect(text.length).toBeGreaterThan(2_048)
    const whole = fullCount(text, count)
    const estimate = estimateTokens([text], count)
    expect(estimate).toBeGreaterThan(whole * 0.85)
    expect(estimate).toBeLessThan(whole * 1.15)
  })

  it('is the count itself for short texts, but for where pieces meet', () => {
    expect(estimateTokens(['Hello, world!'], count)).toBe(4)
    expect(estimateTokens([], count)).toBe(0)
    expect(estimateTokens([''], count)).toBe(0)
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(30)
    expect(Math.abs(estimateTokens([text], count) - fullCount(text, count))).toBeLessThanOrEqual(3)
  })

  it('is the same however the text is divided into messages', () => {
    const lines = Array.from({ length: 3_000 }, (_, line) => `Line ${line} of a conversation about the weather.`)
    const whole = fullCount(lines.join('\n'), count)
    expect(estimateTokens(lines, count)).toBeGreaterThan(whole * 0.85)
    expect(estimateTokens(lines, count)).toBeLessThan(whole * 1.15)
  })

  it('takes text for text that reads like a control token', () => {
    expect(estimateTokens(['<|endoftext|>'], count)).toBeGreaterThan(3)
  })
})

it.each(Object.entries(slowTexts()))('counts only a bounded part of what is slow to count: %s', (_, text) => {
  const pieces: string[] = []
  const oneEach: TokenCounter = (piece) => {
    pieces.push(piece)
    return 1
  }
  for (const texts of [[text], text.match(/[^]{1,1000}/g) ?? []]) {
    pieces.length = 0
    estimateTokens(texts, oneEach)
    expect(pieces.length).toBeLessThanOrEqual(32)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(64)
    // A lone surrogate counts as two bytes, and the tokenizer sees the three bytes of a replacement character.
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(96)
  }
})

/** Line by line, because counting the whole text takes time quadratic in its longest run. */
function fullCount(text: string, count: TokenCounter): number {
  return text.split(/(?<=\n)/).reduce((sum, line) => sum + count(line), 0)
}

function samples(): Record<string, string> {
  const code = readFileSync(new URL('estimate-tokens.ts', import.meta.url), 'utf8')
  const bytes = Uint8Array.from({ length: 9_000 }, (_, index) => (index * 7_919 + (index >> 3) * 104_729) % 251)
  const base64 = Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\n')
  const { english, german, russian, chinese, japanese, hindi, arabic } = passages
  return {
    english: repeated(english),
    german: repeated(german),
    russian: repeated(russian),
    chinese: repeated(chinese),
    japanese: repeated(japanese),
    hindi: repeated(hindi),
    arabic: repeated(arabic),
    code: code.repeat(6),
    base64,
    json: JSON.stringify(
      { items: Array.from({ length: 500 }, (_, id) => ({ id, name: `item ${id}`, price: id / 7 })) },
      null,
      1,
    ),
    mixed: `${repeated(english)}\n${code}\n${repeated(chinese)}\n${base64}\n${repeated(russian)}`,
  }
}

/** The lines are numbered, so that all differ. */
function repeated(passage: string): string {
  return Array.from({ length: 120 }, (_, line) => `${line * 37}. ${passage.slice(line % 20)}`).join('\n')
}

const passages = {
  english:
    'The harbour was quiet when the ferry came in, and nobody but the old keeper noticed that it carried no passengers at all.',
  german:
    'Der Hafen lag still, als die Fähre anlegte, und außer dem alten Wärter bemerkte niemand, dass sie keine Fahrgäste brachte.',
  russian: 'В гавани было тихо, когда причалил паром, и никто, кроме старого смотрителя, не заметил, что он пуст.',
  chinese:
    '渡轮靠岸的时候，港口一片寂静，除了那位年老的看守人，谁也没有注意到船上竟然没有一个乘客，只有几只海鸥在桅杆上叫着。',
  japanese: 'フェリーが着いたとき港は静かで、年老いた番人のほかには、乗客が一人もいないことに気づいた者はいなかった。',
  hindi: 'जब नौका आई तब बंदरगाह शांत था, और बूढ़े पहरेदार के सिवा किसी ने नहीं देखा कि उसमें कोई यात्री नहीं था।',
  arabic: 'كان الميناء هادئا عندما وصلت العبارة، ولم يلاحظ أحد سوى الحارس العجوز أنها لا تحمل أي ركاب على الإطلاق.',
}

function slowTexts(): Record<string, string> {
  return {
    'one letter': 'a'.repeat(1_000_000),
    letters: charactersFrom(97, 26, 17),
    ideographs: charactersFrom(0x4e00, 20_000, 7_919),
    'half pairs': '\ud800'.repeat(400_000),
    'many messages': 'x\n'.repeat(200_000),
  }
}

function charactersFrom(first: number, size: number, step: number): string {
  const codes = Array.from({ length: 400_000 }, (_, index) => first + ((index * step + (index >> 4)) % size))
  return codes.map((code) => String.fromCharCode(code)).join('')
}
