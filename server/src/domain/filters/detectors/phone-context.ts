import { anyOf } from './alternatives.ts'

/** Words after which digits are a telephone number. */
const callWords = anyOf(String.raw`
  tele?(?:phone?|fon\p{L}*|f[oó]no?)?, tel[eé]fono, phones?, ph, cell(?:phone|ular)?, mobile?, mob, fax, whats ?app, viber, sms, text,
  call, calling, called, dial, reach, contact, hotline, helpline, landline,
  handy(?:nummer)?, mobil\p{L}*, natel, fon, rufnummer, durchwahl, festnetz, anrufen, erreichbar, erreichen,
  t[ée]l[ée]phone, t[ée]l, portable, appelez, appeler, joindre, joignable,
  celular, m[oó]vil, ll[aá]m[ae]\p{L}*, telem[oó]vel, ligue, ligar, cellulare, chiam\p{L}+,
  bel, bellen, telefoon\p{L}*, mobiel\p{L}*, gsm, zadzwo[nń]\p{L}*, kom[oó]rk\p{L}*, aray[ıi]n, cep, puhelin\p{L}*, tlf,
  тел, телефон\p{L}*, моб, мобильн\p{L}*, позвон\p{L}*, звоните, мой номер`)

/** A person's number. */
const owner = anyOf(
  'my, our, his, her, their, your, meine, unsere, seine, ihre, mon, notre, son, mi, nuestro, su, mio, meu, mijn, ons, mój, min, moje',
)
const number = anyOf('number, nummer, num[ée]ro, n[uú]mero, numer')
const ownNumber = `${owner}(?: new| neue| nouveau| nuevo)? ${number}`

/** The same in languages that do not put spaces between words. */
const joinedWords = anyOf(String.raw`
  电话, 電話, 手机, 手機, 联系, 致电, 携帯, 連絡先, 전화, 휴대폰, 연락처, 핸드폰, هاتف, هاتفي, جوال, اتصل, موبايل, फ़ोन, फोन, मोबाइल,
  कॉल, โทร, điện thoại, טלפון, נייד, τηλ\p{L}*, κιν\p{L}*`)

/** What may stand between the word and the number. */
const between = anyOf(
  'me, us, him, her, them, anytime, directly, back, at, on, no, nr, number, is, now, today, or, line, via, the, office, desk, unter, der, die, nummer, ist, auf, uns, mich, gern, au, le, num[ée]ro, est, sur, al, a, el, n[uú]mero, es, para, o, il, op, naar, mnie, pod, по, номеру, номер, на, мне, нам',
)
const linked = `(?:[\\s.,:]+${between})*(?:号码|號碼|号|號|番号|번호)?(?:是|为|為|は|が|는|은|이|:|：)?[.:=#(\\s"'\\-]*`

export const phoneBefore = new RegExp(`(?:(?<!\\p{L})(?:${callWords}|${ownNumber})|${joinedWords})${linked}$`, 'iu')

export const phoneAfter =
  /^\s*[-(,]?\s*(?:\((?:mobile|cell|home|work|office|fax|mobil|privat|tel)\p{L}*\)|(?:is|ist|est|es) (?:my|the|our|his|her|meine?|mon|notre|mi) (?:\p{L}+ )?(?:number|phone|cell|mobile|nummer|num[ée]ro|n[uú]mero)|(?:anrufen|an\b|appeler|로 전화|に電話|へお電話))/iu

/** A unit, a currency or a subject that makes digits an amount, a place, a date or another number of a person. */
const otherWords = anyOf(String.raw`
  version, ver, v, release, pages?, pp, vol, chapter, section, lines?, row, port, pid, uid, gid, lat, lon, latitude, longitude,
  coordinates?, zip, postal code, postcode, plz, population, revenue, usd, eur, gbp, chf, size, bytes, offset, address, 0x, unix, epoch,
  iban, bsn, ssn, vat, ust\p{L}*, siret, siren, nhs, dni, nie, cpf, cnpj, tax, account, konto\p{L}*, kto, compte, cuenta, conto,
  rekening\p{L}*, blz, bic, swift, patient, member, student, employee, passport, visa, card, karte, tarjeta, carte, score, dates?,
  from, between, range, room, flight, train, bus, route, счёт, инн, снилс`)

export const otherContext = new RegExp(
  `(?<!\\p{L})${otherWords}\\s*(?:no|nr|number|nummer|#)?\\.?\\s*[:=#("']*\\s*$`,
  'iu',
)
