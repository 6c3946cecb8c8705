import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { ServiceError } from '../http'
import type { Text } from '../http'

interface KnownType {
  /** What the file is answered as. */
  mimeType: string
  /** Types that the content may show; null = it has no signature and has to be text. */
  content: readonly string[] | null
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const CFB = ['application/x-cfb']
const ZIP = ['application/zip']

/** Extensions that are taken, and what has to be inside. Everything else is refused: programs, scripts, web pages, SVG. */
const KNOWN: Readonly<Record<string, KnownType>> = {
  jpg: { mimeType: 'image/jpeg', content: ['image/jpeg'] },
  jpeg: { mimeType: 'image/jpeg', content: ['image/jpeg'] },
  png: { mimeType: 'image/png', content: ['image/png', 'image/apng'] },
  gif: { mimeType: 'image/gif', content: ['image/gif'] },
  webp: { mimeType: 'image/webp', content: ['image/webp'] },
  bmp: { mimeType: 'image/bmp', content: ['image/bmp'] },
  pdf: { mimeType: 'application/pdf', content: ['application/pdf'] },
  doc: { mimeType: 'application/msword', content: CFB },
  xls: { mimeType: 'application/vnd.ms-excel', content: CFB },
  ppt: { mimeType: 'application/vnd.ms-powerpoint', content: CFB },
  msg: { mimeType: 'application/vnd.ms-outlook', content: CFB },
  docx: { mimeType: `${OFFICE}.wordprocessingml.document`, content: [`${OFFICE}.wordprocessingml.document`, ...ZIP] },
  xlsx: { mimeType: `${OFFICE}.spreadsheetml.sheet`, content: [`${OFFICE}.spreadsheetml.sheet`, ...ZIP] },
  pptx: { mimeType: `${OFFICE}.presentationml.presentation`, content: [`${OFFICE}.presentationml.presentation`, ...ZIP] },
  zip: { mimeType: 'application/zip', content: ZIP },
  rar: { mimeType: 'application/vnd.rar', content: ['application/x-rar-compressed', 'application/vnd.rar'] },
  '7z': { mimeType: 'application/x-7z-compressed', content: ['application/x-7z-compressed'] },
  mp3: { mimeType: 'audio/mpeg', content: ['audio/mpeg'] },
  wav: { mimeType: 'audio/wav', content: ['audio/wav', 'audio/vnd.wave'] },
  amr: { mimeType: 'audio/amr', content: ['audio/amr'] },
  mp4: { mimeType: 'video/mp4', content: ['video/mp4', 'video/quicktime', 'video/x-m4v'] },
  txt: { mimeType: 'text/plain', content: null },
  csv: { mimeType: 'text/csv', content: null },
  eml: { mimeType: 'message/rfc822', content: null },
}

/** Beginnings of what a browser or a shell would run, whatever the name says. */
const ACTIVE =
  /^\s*(?:<!doctype\s+html|<html|<head|<body|<script|<svg|<\?xml[\s\S]{0,400}<svg|<!--[\s\S]{0,400}<(?:html|script|svg)|#!|<\?php)/i

/** Shown by browsers without any danger. */
const INLINE = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp', 'application/pdf', 'text/plain'])

export function mayShowInline(mimeType: string): boolean {
  return INLINE.has(mimeType)
}

/** The last part of a name, without control characters and path separators, at most 200 characters; never empty. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).pop() ?? ''
  const clean = [...last.normalize('NFC')].filter(
    (character) => character >= ' ' && character !== '\u007f' && !/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(character),
  )
  const text = clean.join('').trim().replace(/^\.+/, '')
  if (text.length <= 200) return text || 'file'
  const extension = extensionOf(text)
  return `${text.slice(0, 200 - extension.length - 1)}.${extension}`
}

export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

/**
 * The type of a file by its name and its content.
 * @throws ServiceError fileRefused (10010012) for unknown extensions, and when the content is not what the name says.
 */
export async function inspectFile(path: string, name: string): Promise<string> {
  const extension = extensionOf(name)
  const known = KNOWN[extension]
  if (!known) {
    throw refused({
      zh: `不支持 .${extension || '（无扩展名）'} 文件，请转换格式或压缩为 zip 后上传。`,
      en: `Files of type .${extension || '(none)'} are not taken. Convert the file, or put it into a zip.`,
    })
  }
  const beginning = await readBeginning(path)
  if (beginning.length === 0) throw refused({ zh: '文件是空的。', en: 'The file is empty.' })
  const text = known.content === null
  // Two letters at the beginning make a bitmap or a program to the detector: text is known by having nothing but text.
  const found = text ? undefined : await detect(path)
  const right = text ? isText(beginning) : found !== undefined && (known.content ?? []).includes(found.mime)
  if (!right) {
    const shown = found?.ext ?? 'unknown'
    throw refused({
      zh: `文件内容与扩展名 .${extension} 不符（内容为 ${shown}），未接受。`,
      en: `The content of the file is not what .${extension} says (it looks like ${shown}), so it was refused.`,
    })
  }
  if (text && ACTIVE.test(decode(beginning))) {
    throw refused({ zh: '文件内容是网页或脚本，未接受。', en: 'The content is a web page or a script, so it was refused.' })
  }
  return known.mimeType
}

/** What the content shows; nothing for a file that breaks off or is damaged where the detector looks. */
function detect(path: string): ReturnType<typeof fileTypeFromFile> {
  return fileTypeFromFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'syscall' in error) throw error
    return undefined
  })
}

async function readBeginning(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function decode(beginning: Buffer): string {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return beginning.toString('utf16le').replace(/^\ufeff/, '')
  return beginning.toString('utf8').replace(/^\ufeff/, '')
}

/** No control characters but line ends, tabs and form feeds; in UTF-16 with its mark, or in any encoding that extends ASCII. */
function isText(beginning: Buffer): boolean {
  const little = beginning[0] === 0xff && beginning[1] === 0xfe
  const big = beginning[0] === 0xfe && beginning[1] === 0xff
  const even = beginning.subarray(0, beginning.length - (beginning.length % 2))
  const text = little
    ? even.toString('utf16le')
    : big
      ? Buffer.from(even).swap16().toString('utf16le')
      : beginning.toString('latin1')
  return ![...text].some((character) => character < ' ' && !'\t\n\r\f'.includes(character))
}

function refused(message: Text): ServiceError {
  return new ServiceError('fileRefused', { message })
}
