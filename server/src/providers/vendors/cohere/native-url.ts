/** The operator sets the base URL of the compatible API or of the native one. */
export function nativeUrl(baseUrl: string): string {
  return baseUrl.replace(/\/compatibility\/v1\/?$/, '').replace('//api.cohere.ai', '//api.cohere.com')
}
