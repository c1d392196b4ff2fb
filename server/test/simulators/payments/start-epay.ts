import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

/** How a service of this kind reports an order. Services differ. */
type EpayManner =
  | 'plain' // status 1 once it is paid
  | 'trade-status' // a status of 1 always, and the trade's status beside it
  | 'nested' // the order in an object of its own, its numbers as texts

interface EpayOrder {
  readonly number: string
  readonly tradeNumber: string
  readonly notifyUrl: string
  readonly returnUrl: string
  money: string
  isPaid: boolean
}

/**
 * A payment service with the epay protocol on a real socket: its page, its responses and its notifications. Written
 * from the protocol alone.
 */
export class EpaySimulator {
  url = ''
  readonly merchantId = '1001'
  readonly key = 'epay-key-of-the-merchant'
  readonly orders = new Map<string, EpayOrder>()
  manner: EpayManner = 'plain'
  /** Faults of the next responses: a status, a text that is not JSON, or another merchant's order. */
  faults: ('500' | 'page' | 'foreign' | 'redirect')[] = []
  asked = 0
  readonly #server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', this.url)
    if (target.pathname === '/pay/submit.php') return this.#submit(response, target.searchParams)
    if (target.pathname === '/pay/api.php') return this.#answer(response, target.searchParams)
    response.writeHead(404).end()
  })

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The simulator listens on no port.')
    this.url = `http://127.0.0.1:${address.port}/pay/`
    return this
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  orderOf(topUpId: unknown): EpayOrder {
    const order = this.orders.get(String(topUpId).replaceAll('-', ''))
    if (order === undefined) throw new Error(`nobody has opened the page of ${String(topUpId)}`)
    return order
  }

  /** The payer pays on the page. */
  pay(topUpId: unknown, money?: string): EpayOrder {
    const order = this.orderOf(topUpId)
    order.isPaid = true
    order.money = money ?? order.money
    return order
  }

  /** The notification of an order, as the service sends it. */
  noticeOf(order: EpayOrder, changes: Record<string, string> = {}, key = this.key): URLSearchParams {
    const fields = new URLSearchParams({
      pid: this.merchantId,
      trade_no: order.tradeNumber,
      out_trade_no: order.number,
      type: 'alipay',
      name: 'Credit',
      money: order.money,
      trade_status: 'TRADE_SUCCESS',
      ...changes,
    })
    fields.set('sign', signatureOf(fields, key))
    fields.set('sign_type', 'MD5')
    return fields
  }

  async notify(target: string, fields: URLSearchParams, method: 'GET' | 'POST' = 'GET'): Promise<[number, string]> {
    const address = `${target}/api/payments/epay/notify`
    const response =
      method === 'GET' ? await fetch(`${address}?${fields}`) : await fetch(address, { method: 'POST', body: fields })
    return [response.status, await response.text()]
  }

  #submit(response: ServerResponse, fields: URLSearchParams): void {
    const number = fields.get('out_trade_no') ?? ''
    const isSigned = fields.get('sign') === signatureOf(fields, this.key) && fields.get('sign_type') === 'MD5'
    const isWhole = fields.get('pid') === this.merchantId && /^\w{1,32}$/.test(number)
    if (!isSigned || !isWhole) return void response.writeHead(400).end('sign error')
    const money = fields.get('money') ?? ''
    const [notifyUrl, returnUrl] = [fields.get('notify_url') ?? '', fields.get('return_url') ?? '']
    const tradeNumber = `2026${String(this.orders.size + 1).padStart(16, '0')}`
    if (!this.orders.has(number)) {
      this.orders.set(number, { number, tradeNumber, money, notifyUrl, returnUrl, isPaid: false })
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<p>${money}</p>`)
  }

  #answer(response: ServerResponse, query: URLSearchParams): void {
    this.asked += 1
    const fault = this.faults.shift()
    if (fault === '500') return void response.writeHead(500).end('{"code":1,"status":1}')
    if (fault === 'page') return void response.writeHead(200).end('<html>')
    if (fault === 'redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    const isKnown = query.get('pid') === this.merchantId && query.get('key') === this.key
    const order = isKnown && query.get('act') === 'order' ? this.orders.get(query.get('out_trade_no') ?? '') : undefined
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(JSON.stringify(order === undefined ? { code: -1, msg: 'no order' } : this.#render(order, fault)))
  }

  #render(order: EpayOrder, fault: 'foreign' | undefined): object {
    const { number, tradeNumber, money, isPaid } = order
    const pid = fault === 'foreign' ? 2002 : 1001
    const row = { trade_no: tradeNumber, out_trade_no: number, type: 'alipay', pid, money, status: isPaid ? 1 : 0 }
    if (this.manner === 'plain') return { code: 1, msg: 'ok', ...row }
    const trade = { ...row, status: 1, trade_status: isPaid ? 'TRADE_SUCCESS' : 'WAITING' }
    if (this.manner === 'trade-status') return { code: 1, msg: 'ok', ...trade }
    return { code: '1', msg: 'ok', data: { ...trade, pid: String(pid) } }
  }
}

function signatureOf(fields: URLSearchParams, key: string): string {
  const names = [...new Set(fields.keys())].filter((name) => name !== 'sign' && name !== 'sign_type')
  names.sort()
  const pairs = names.flatMap((name) => (fields.get(name) === '' ? [] : [`${name}=${fields.get(name)}`]))
  return createHash('md5')
    .update(pairs.join('&') + key)
    .digest('hex')
}
