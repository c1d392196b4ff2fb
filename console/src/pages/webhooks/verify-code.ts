/** Five-line functions that check the signature and age of a webhook without a library. A test runs both. */
export const verifyCode = {
  typescript: `export async function isFromWeir(headers: Headers, body: string, secret: string) {
  const [id, at, sent = ''] = ['id', 'timestamp', 'signature'].map((name) => headers.get(\`webhook-\${name}\`) ?? '')
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret.slice(6), 'base64'), hmac, false, ['verify'])
  const signed = [Buffer.from(sent.slice(3), 'base64'), Buffer.from(\`\${id}.\${at}.\${body}\`)] as const
  return (await crypto.subtle.verify(hmac, key, ...signed)) && Math.abs(Date.now() / 1000 - Number(at)) < 300
}
`,
  python: `import base64, hashlib, hmac, time
def is_from_weir(headers, body: bytes, secret: str) -> bool:
    id, at, sent = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    signed = hmac.new(base64.b64decode(secret[6:]), f"{id}.{at}.".encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest("v1," + base64.b64encode(signed).decode(), sent) and abs(time.time() - int(at)) < 300
`,
} as const
