import { isEmail } from '../../schema/formats'

/** An address as letters name it (R154). */
export interface MailAddress {
  email: string
  name?: string
}

const SEPARATORS = new Set([',', ';', '，', '；', '\n', '\r', '\t'])
/** A comma may belong to a name (`Wang, Li <w@x.io>`); nothing else that parts addresses does. */
const COMMAS = new Set([',', '，'])

interface Piece {
  text: string
  /** What stood behind it. */
  end: string
}

/** What was pasted, parted outside of quotes and angle brackets. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let [current, quoted, angled] = ['', false, false]
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (!quoted && character === '<') angled = true
    else if (!quoted && character === '>') angled = false
    if (!quoted && !angled && SEPARATORS.has(character)) {
      pieces.push({ text: current, end: character })
      current = ''
    } else current += character
  }
  return [...pieces, { text: current, end: '' }]
}

function addressOf(text: string): MailAddress {
  const named = /^(?<name>.*?)\s*<(?<email>[^<>]*)>$/su.exec(text)?.groups
  if (!named) return { email: text.replace(/^mailto:/iu, '') }
  const name = named
    .name!.trim()
    .replace(/^"(.*)"$/su, '$1')
    .replace(/\\(.)/gu, '$1')
    .trim()
  const email = named.email!.trim()
  return name === '' ? { email } : { email, name }
}

/**
 * The addresses of a text that was typed or pasted, in their order: parted by commas and semicolons of both scripts, line ends and tabs. What is no address
 * stays as it was written, for whoever typed it to correct.
 */
export function parseAddresses(text: string): MailAddress[] {
  const found: MailAddress[] = []
  let waiting = ''
  for (const { text: piece, end } of piecesOf(text)) {
    const trimmed = piece.trim()
    if (trimmed === '') continue
    const nameOnly = !trimmed.includes('@') && COMMAS.has(end)
    if (nameOnly) {
      waiting = waiting === '' ? trimmed : `${waiting}, ${trimmed}`
      continue
    }
    if (waiting !== '' && trimmed.includes('<')) found.push(addressOf(`${waiting}, ${trimmed}`))
    else found.push(...(waiting === '' ? [] : [{ email: waiting }]), addressOf(trimmed))
    waiting = ''
  }
  return waiting === '' ? found : [...found, { email: waiting }]
}

/** Whether mail can be addressed so (R274). */
export function isMailAddress(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@'))
  return isEmail(email) && !local.startsWith('.') && !local.endsWith('.')
}

/** Whether a list of recipients passes: all of its entries do (R275). */
export const areMailAddresses = (list: readonly MailAddress[]): boolean => list.every(({ email }) => isMailAddress(email))

/** The domain of an address as servers know it: in lower case, a script of its own as punycode; empty for what is none. */
export function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ''
}

/** The address as it is sent and compared: in lower case, its domain as punycode. */
export const asciiAddress = (email: string): string =>
  `${email.slice(0, email.lastIndexOf('@')).toLowerCase()}@${domainOf(email)}`

/** Whether a server has to know SMTPUTF8 to take it: the part before the @ has other characters than ASCII. */
export const needsUtf8 = (email: string): boolean => /[^\u0020-\u007e]/u.test(email.slice(0, email.lastIndexOf('@')))

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;' }

/** How an address is shown (R276): the name, or without one what stands before the @ (R277), and the address in angle brackets. */
export function addressText({ email, name }: { email: string; name?: string | null }): string {
  const shown = !name || name.trim() === '' ? email.slice(0, email.lastIndexOf('@')) : name
  return `${shown} <${email}>`
}

/** The same inside HTML: with its angle brackets as entities (R278). */
export const displayAddress = (address: MailAddress): string =>
  addressText(address).replace(/[<>]/gu, (bracket) => ENTITIES[bracket]!)
