export const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const exclusiveCanonical = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** The provider's and our own clock may differ by this much. */
export const clockToleranceMs = 60_000
