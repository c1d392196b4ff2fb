/** Programs that fetch a receipt and recompute its amount without doubles. A test runs both. */
export function receiptScript(language: 'typescript' | 'python', requestId: string, origin: string): string {
  return language === 'typescript' ? typescript(requestId, origin) : python(requestId, origin)
}

function typescript(requestId: string, origin: string): string {
  return `const url = '${origin}/v1/generation?id=${requestId}'
const response = await fetch(url, { headers: { Authorization: \`Bearer \${process.env.WEIR_KEY}\` } })
// Keep numbers as text so that amounts never become floats.
const keepText = (_key: string, value: unknown, { source }: any) => (typeof value === 'number' ? source : value)
const { data } = (JSON.parse as any)(await response.text(), keepText)
const scaled = (text: string, decimals: number) => {
  const [number = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = number.split('.')
  return BigInt(whole + fraction + '0'.repeat(decimals - fraction.length + Number(exponent)))
}
const amounts = data.receipt.lines.map((line: any) => scaled(line.count, 9) * scaled(line.unit_price_usd, 18))
const least = data.receipt.lines.findIndex((line: any) => line.item === 'per_request_minimum')
const exact = least < 0 ? amounts.reduce((sum: bigint, amount: bigint) => sum + amount, 0n) : amounts[least]
const nano = (exact + 10n ** 18n - 1n) / 10n ** 18n // rounded up once
console.log(\`\${nano} nano-USD \${nano === scaled(data.receipt.total, 9) ? 'matches' : 'DOES NOT MATCH'} the receipt\`)
`
}

function python(requestId: string, origin: string): string {
  return `import json, os, urllib.request
from decimal import ROUND_CEILING, Decimal, getcontext
getcontext().prec = 60  # exact for any receipt
request = urllib.request.Request(
    "${origin}/v1/generation?id=${requestId}",
    headers={"Authorization": f"Bearer {os.environ['WEIR_KEY']}"},
)
# Parse numbers as Decimal so that amounts never become floats.
text = urllib.request.urlopen(request).read()
receipt = json.loads(text, parse_float=Decimal, parse_int=Decimal)["data"]["receipt"]
amounts = {line["item"]: line["count"] * Decimal(line["unit_price_usd"]) for line in receipt["lines"]}
exact = amounts.get("per_request_minimum", sum(amounts.values()))
nano = (exact * 10**9).to_integral_value(ROUND_CEILING)  # rounded up once
print(f"{nano} nano-USD {'matches' if nano == receipt['total'] * 10**9 else 'DOES NOT MATCH'} the receipt")
`
}
