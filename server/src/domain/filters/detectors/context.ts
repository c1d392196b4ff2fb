import type { Span } from '../text/span.ts'
import { anyOf } from './alternatives.ts'

/** The text before a span, up to `length` characters. */
export function textBefore(text: string, { start }: Span, length: number): string {
  return text.slice(Math.max(0, start - length), start)
}

export function textAfter(text: string, { end }: Span, length: number): string {
  return text.slice(end, end + length)
}

/** The text around a span: a heading may come before a number, and an explanation after it. */
export function textAround(text: string, span: Span, { before, after }: { before: number; after: number }): string {
  return `${textBefore(text, span, before)} ${textAfter(text, span, after)}`
}

const serialWords = anyOf(String.raw`
  order, invoice, ticket, tracking, shipment, parcel, consignment, serial, part, model, item, article, product, sku, batch, lot, case,
  reference, ref, bug, issue, build, commit, revision, timestamp, isbn, ean, upc, gtin, imei, iccid, doi, pmid, licen[cs]e, policy,
  contract, docket, catalog(?:ue)?, transaction, request, session, trace, span, job, run, node, hash, checksum, seed, id,
  bestell\p{L}*, auftrags?\p{L}*, rechnungs?\p{L}*, artikel\p{L}*, sendungs\p{L}*, vorgangs\p{L}*, kundennummer,
  commande, facture, colis, r[ée]f[ée]rence, pedido, factura, referencia, art[ií]culo, ordine, fattura, articolo, encomenda, fatura,
  bestelling, factuur, zam[oó]wieni\p{L}*, faktur\p{L}*, заказ\p{L}*, сч[её]т\p{L}*, артикул\p{L}*`)
const joinedWords = anyOf('订单, 發票, 发票, 单号, 編號, 编号, 注文, 伝票, 品番, 주문, 송장')

/** Words before a bare number that show it is not personal data: an order, a ticket, a version. */
export const serialContext = new RegExp(
  `(?:(?<!\\p{L})${serialWords}|${joinedWords})\\s*(?:no|nr|num|number|numero|n[uú]mero|nummer|numer|номер|code|id)?\\.?\\s*(?:号|號|番号|번호)?\\s*(?:is|was|ist|est|es)?\\s*[#№°:=("'-]*\\s*$`,
  'iu',
)
