/** The public address of every test gateway: a write with a session must send it as its `Origin` header. */
export const ownOrigin = 'https://weir.test'
