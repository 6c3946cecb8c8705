import { request as plainRequest, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { fileTypeFromBuffer } from 'file-type'
import { publicAddressOf } from './address'

/** A picture that was fetched from elsewhere. */
export interface FetchedPicture {
  type: string
  content: Buffer
}

/** Why a picture is not shown. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

const LARGEST = 5_242_880
const PATIENCE = 15_000
const REDIRECTIONS = 3
/** What browsers show and nothing runs in. */
const TYPES = /^image\/(?:png|jpeg|gif|webp|bmp|avif|x-icon)$/u

/**
 * Fetches a picture for somebody who must not be seen fetching it: without cookies, referrer or his address, from public addresses and hosts that the configuration
 * allows, a picture by its bytes, at most 5 MB.
 * @throws PictureError, PrivateAddressError, or the error of the connection
 */
export async function fetchPicture(address: string, allowed: readonly string[]): Promise<FetchedPicture> {
  const signal = AbortSignal.timeout(PATIENCE)
  let url = new URL(address)
  for (let step = 0; step <= REDIRECTIONS; step += 1) {
    const answer = await ask(url, allowed, signal)
    const { statusCode = 0, headers } = answer
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy()
      url = new URL(headers.location, url)
      continue
    }
    if (statusCode !== 200) {
      answer.destroy()
      throw new PictureError(`HTTP ${statusCode}`)
    }
    const content = await bytesOf(answer)
    const type = (await fileTypeFromBuffer(content).catch(() => undefined))?.mime ?? ''
    if (!TYPES.test(type)) throw new PictureError('it is no picture')
    return { type, content }
  }
  throw new PictureError('it leads from one address to the next')
}

/** How pictures are asked for: whoever follows mail of ours knows that it was not the recipient. */
export const PICTURE_AGENT = 'Mozilla/5.0 (Switchboard)'

async function ask(url: URL, allowed: readonly string[], signal: AbortSignal): Promise<IncomingMessage> {
  if (!['http:', 'https:'].includes(url.protocol)) throw new PictureError(`${url.protocol} is no address of a picture`)
  const found = await publicAddressOf(url.hostname.replace(/^\[|\]$/gu, ''), allowed, 'MAIL_PRIVATE_HOSTS')
  const family = isIP(found)
  const lookup: LookupFunction = (_host, options, callback) =>
    options.all ? callback(null, [{ address: found, family }]) : callback(null, found, family)
  const request = url.protocol === 'https:' ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const headers = { accept: 'image/*', 'user-agent': PICTURE_AGENT }
    request(url, { headers, lookup, signal, agent: false }, resolve).on('error', reject).end()
  })
}

async function bytesOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > LARGEST) {
      answer.destroy()
      throw new PictureError('it is larger than 5 MB')
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
