import type { Span } from '../text/span.ts'
import { anyOf } from './alternatives.ts'
import { isInternationalNumber, isNorthAmericanNumber } from './calling-codes.ts'
import { serialContext, textAfter, textBefore } from './context.ts'
import type { Detector } from './detector.ts'
import { isNationalShape } from './national-phone-shapes.ts'

/**
 * Telephone numbers. With a plus sign: a calling code and a valid number of digits. In the North American format, or
 * the format of a country with a trunk zero: without further context. Any other digits only with a context word.
 */
export const findPhoneNumbers: Detector = (text) => {
  const found: Span[] = []
  for (const match of text.matchAll(candidatePattern)) {
    const span = { start: match.index, end: match.index + match[0].length }
    if (isPhoneNumber(text, span, match[0])) found.push(withExtension(text, span))
  }
  return found
}

/** At least six digits with the usual separators; not part of a word, an amount, a time or an address. */
const candidatePattern =
  /(?<![[\p{L}\p{N}_@#$€£%.,\/\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]]|\d:)(?:\+ ?|00[ \-]?)?(?:\(\+?\d{1,5}\)[ \-]?)?\d(?:(?:[ \-]?\(0\)[ \-]?|[ .\-\/]|\) ?| - |[ \-]?\()?\d){5,17}(?![\d_]|[.,:]\d|[\-\/]\d|(?!x ?\d|ext)\p{sc=Latin}|[%€£$])/gv

function isPhoneNumber(text: string, span: Span, written: string): boolean {
  const digits = written.replaceAll(/\D/g, '')
  if (digits.length < 7 || /^(\d)\1+$/.test(digits) || isOtherNotation(written)) return false
  const before = textBefore(text, span, 50)
  const isCalledPhone = phoneBefore.test(before) || phoneAfter.test(textAfter(text, span, 25))
  if (/^[+(]/.test(written) && written.includes('+')) return isInternational(written, digits)
  if (!isCalledPhone && (largeNumber.test(written) || serialContext.test(before) || otherContext.test(before)))
    return false
  if (/^00[1-9]/.test(digits) && isInternationalNumber(digits.slice(2)))
    return isCalledPhone || /^00[ -]?\d{1,3}[ -]/.test(written)
  if (isCalledPhone) return digits.length <= 13
  return isNorthAmericanShape(written, digits) || isNationalShape(written)
}

/** A zero in parentheses, or after the calling code, is dialed only within the country. */
function isInternational(written: string, digits: string): boolean {
  return isInternationalNumber(digits) || isInternationalNumber(written.replace('(0)', '').replaceAll(/\D/g, ''))
}

function isNorthAmericanShape(written: string, digits: string): boolean {
  if (!/^(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}([ .-]))\d{3}([.-]| )\d{4}$/.test(written)) return false
  // Spaces alone also separate the groups of large numbers and of tables.
  if (/^[\d ]+$/.test(written)) return false
  return isNorthAmericanNumber(digits.length === 11 ? digits.slice(1) : digits)
}

const dateOrTime =
  /^(?:\d{4}[-/. ](?:0?[1-9]|1[0-2])[-/. ](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-/. ](?:0?[1-9]|[12]\d|3[01])[-/. ](?:19|20)\d{2})/
/** Groups of three, as in thousands, and dotted quads. */
const largeNumber = /^[1-9]\d{0,2}(?:([ .])\d{3})(?:\1\d{3})+$/
const dottedQuad = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** A social security number, and a range of postal codes. */
const otherCodes = /^\d{3}-\d{2}-\d{4}$|^\d{5}-\d{5}$/

function isOtherNotation(written: string): boolean {
  return dateOrTime.test(written) || dottedQuad.test(written) || otherCodes.test(written)
}

const extensionPattern = /^[ ,;]{0,3}(?:ext\.?|extension|x|durchwahl|dw|poste|int\.?|доб\.?|#)[ .:]{0,2}\d{1,6}(?!\d)/i

function withExtension(text: string, { start, end }: Span): Span {
  const extension = extensionPattern.exec(textAfter(text, { start, end }, 25))?.[0] ?? ''
  return { start, end: end + extension.length }
}

/** Words that introduce a telephone number. */
const callWords = anyOf(String.raw`
  tele?(?:phone?|fon\p{L}*|f[oó]no?)?, tel[eé]fono, phones?, ph, cell(?:phone|ular)?, mobile?, mob, fax, whats ?app, viber, sms, text,
  call, calling, called, dial, reach, contact, hotline, helpline, landline,
  handy(?:nummer)?, mobil\p{L}*, natel, fon, rufnummer, durchwahl, festnetz, anrufen, erreichbar, erreichen,
  t[ée]l[ée]phone, t[ée]l, portable, appelez, appeler, joindre, joignable,
  celular, m[oó]vil, ll[aá]m[ae]\p{L}*, telem[oó]vel, ligue, ligar, cellulare, chiam\p{L}+,
  bel, bellen, telefoon\p{L}*, mobiel\p{L}*, gsm, zadzwo[nń]\p{L}*, kom[oó]rk\p{L}*, aray[ıi]n, cep, puhelin\p{L}*, tlf,
  тел, телефон\p{L}*, моб, мобильн\p{L}*, позвон\p{L}*, звоните, мой номер`)

/** Possessives that indicate a person's number. */
const owner = anyOf(
  'my, our, his, her, their, your, meine, unsere, seine, ihre, mon, notre, son, mi, nuestro, su, mio, meu, mijn, ons, mój, min, moje',
)
const number = anyOf('number, nummer, num[ée]ro, n[uú]mero, numer')
const ownNumber = `${owner}(?: new| neue| nouveau| nuevo)? ${number}`

/** The same in languages without spaces between words. */
const joinedWords = anyOf(String.raw`
  电话, 電話, 手机, 手機, 联系, 致电, 携帯, 連絡先, 전화, 휴대폰, 연락처, 핸드폰, هاتف, هاتفي, جوال, اتصل, موبايل, फ़ोन, फोन, मोबाइल,
  कॉल, โทร, điện thoại, טלפון, נייד, τηλ\p{L}*, κιν\p{L}*`)

/** Words that may be between the context word and the number. */
const between = anyOf(
  'me, us, him, her, them, anytime, directly, back, at, on, no, nr, number, is, now, today, or, line, via, the, office, desk, unter, der, die, nummer, ist, auf, uns, mich, gern, au, le, num[ée]ro, est, sur, al, a, el, n[uú]mero, es, para, o, il, op, naar, mnie, pod, по, номеру, номер, на, мне, нам',
)
const linked = `(?:[\\s.,:]+${between})*(?:号码|號碼|号|號|番号|번호)?(?:是|为|為|は|が|는|은|이|:|：)?[.:=#(\\s"'\\-]*`

const phoneBefore = new RegExp(`(?:(?<!\\p{L})(?:${callWords}|${ownNumber})|${joinedWords})${linked}$`, 'iu')

const phoneAfter =
  /^\s*[-(,]?\s*(?:\((?:mobile|cell|home|work|office|fax|mobil|privat|tel)\p{L}*\)|(?:is|ist|est|es) (?:my|the|our|his|her|meine?|mon|notre|mi) (?:\p{L}+ )?(?:number|phone|cell|mobile|nummer|num[ée]ro|n[uú]mero)|(?:anrufen|an\b|appeler|로 전화|に電話|へお電話))/iu

/** A unit, currency or topic that makes digits an amount, a place, a date or another personal number. */
const otherWords = anyOf(String.raw`
  version, ver, v, release, pages?, pp, vol, chapter, section, lines?, row, port, pid, uid, gid, lat, lon, latitude, longitude,
  coordinates?, zip, postal code, postcode, plz, population, revenue, usd, eur, gbp, chf, size, bytes, offset, address, 0x, unix, epoch,
  iban, bsn, ssn, vat, ust\p{L}*, siret, siren, nhs, dni, nie, cpf, cnpj, tax, account, konto\p{L}*, kto, compte, cuenta, conto,
  rekening\p{L}*, blz, bic, swift, patient, member, student, employee, passport, visa, card, karte, tarjeta, carte, score, dates?,
  from, between, range, room, flight, train, bus, route, счёт, инн, снилс`)

const otherContext = new RegExp(`(?<!\\p{L})${otherWords}\\s*(?:no|nr|number|nummer|#)?\\.?\\s*[:=#("']*\\s*$`, 'iu')
